"""What users receive: frozen, slotted, keyword-only values.

Nothing here does anything but hold what was found; how it becomes JSON stands in `sitediscover.serial`, how it shows
itself in a notebook in `sitediscover.display`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - serial reads the fields' types at run time
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from sitediscover.entry import Alternate, NewsTags, Precision, SitemapEntry, SitemapImage, SitemapVideo
from sitediscover.serial import from_record, to_record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pandas import DataFrame

__all__ = [
    "Alternate",
    "Article",
    "Discovery",
    "Evidence",
    "Failure",
    "NewsTags",
    "Outcome",
    "Precision",
    "Request",
    "Section",
    "SitemapEntry",
    "SitemapImage",
    "SitemapVideo",
    "Source",
    "SourceKind",
    "Stop",
    "StopReason",
]


class Outcome(StrEnum):
    """The verdict of a discovery."""

    FEED = "feed"
    NEWS_SITEMAP = "news_sitemap"
    ARTICLE_SITEMAP = "article_sitemap"
    SECTIONS = "sections"
    NOTHING = "nothing"
    STOPPED = "stopped"


class SourceKind(StrEnum):
    """What kind of thing can be followed."""

    FEED = "feed"
    NEWS_SITEMAP = "news_sitemap"
    ARTICLE_SITEMAP = "article_sitemap"
    SECTIONS = "sections"


class StopReason(StrEnum):
    """Why a discovery ended before it had asked all it would have asked."""

    ROBOTS_DISALLOW = "robots_disallow"
    ROBOTS_UNREACHABLE = "robots_unreachable"
    FRONT_PAGE_REFUSED = "front_page_refused"
    RATE_LIMITED = "rate_limited"
    CRAWL_DELAY_TOO_LONG = "crawl_delay_too_long"
    UNREACHABLE = "unreachable"
    BLOCKED_ADDRESS = "blocked_address"
    BUDGET_SPENT = "budget_spent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Why and where a discovery stopped."""

    reason: StopReason
    url: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Something that went wrong, or was left out, without ending the search.

    Attributes:
        strategy: the strategy it happened in, or the step where no strategy was at work.
        url: the address concerned.
        error: the error's name and one sentence.
    """

    strategy: str
    url: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as it was made: each hop and each retry is one of its own.

    Attributes:
        step: what it was made for (robots, front-page, a strategy's name, ...).
        url: the address asked.
        status: the HTTP status, None where no answer came.
        size: bytes of body received, inflated.
        seconds: from sending the request to the end of the answer; waiting for our turn does not count.
        note: the error, the redirect's target, or what the body turned out to be.
    """

    step: str
    url: str
    status: int | None = None
    size: int = 0
    seconds: float = 0.0
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A page of a site that lists articles."""

    url: str
    title: str | None = None
    modified: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One story, whatever it was read from. Dates are aware; None where the site told none."""

    url: str
    title: str | None = None
    published: datetime | None = None
    modified: datetime | None = None
    language: str | None = None
    summary: str | None = None
    found_on: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The figures behind a verdict.

    Attributes:
        count: how many URLs were judged.
        section_share: share of them, 0 to 1, that are section-shaped.
        article_share: share of them, 0 to 1, that are article-shaped.
        dated_share: share of them, 0 to 1, that carry a readable date.
        newest: the newest date among them.
        flags: what else to know: `stale`, `mixed`, `truncated`, `capped`, `unverified`.
    """

    count: int = 0
    section_share: float | None = None
    article_share: float | None = None
    dated_share: float | None = None
    newest: datetime | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Something that can be followed.

    Attributes:
        kind: what it is.
        url: the address to poll.
        title: its title, where it or the page told one.
        found_by: the strategy that found it.
        found_on: the page or file that named it, None where it was guessed.
        media_type: as declared.
        language: as declared.
        articles: those already read on the way; no request is spent to fill them.
        sections: the pages that list articles, for sections.
        siblings: the other children of the sitemap index it was found in.
        evidence: the figures behind the verdict.
    """

    kind: SourceKind
    url: str
    title: str | None = None
    found_by: str = ""
    found_on: str | None = None
    media_type: str | None = None
    language: str | None = None
    articles: tuple[Article, ...] = ()
    sections: tuple[Section, ...] = ()
    siblings: tuple[str, ...] = ()
    evidence: Evidence | None = None

    def _repr_html_(self) -> str:
        from sitediscover.display.cards import source_card  # noqa: PLC0415 - only a notebook draws

        return source_card(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """The answer to: how do I follow this site?

    Attributes:
        site: the site as it was asked for, normalised to its origin.
        outcome: the verdict.
        sources: what can be followed, best first.
        stopped: why the search ended early, or None.
        failures: what went wrong without ending the search.
        requests: the whole cost, in order.
    """

    site: str
    outcome: Outcome
    sources: tuple[Source, ...] = ()
    stopped: Stop | None = None
    failures: tuple[Failure, ...] = ()
    requests: tuple[Request, ...] = ()

    @property
    def best(self) -> Source | None:
        """Return the first source, or None."""
        return self.sources[0] if self.sources else None

    def to_dict(self) -> dict[str, object]:
        """Return plain JSON types; `from_dict` gives an equal Discovery back."""
        return to_record(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Self:
        """Build a Discovery from what `to_dict` gave.

        Args:
            data: a mapping of plain JSON types.

        Raises:
            InvalidData: it does not describe a Discovery.
        """
        return from_record(cls, data)

    def requests_frame(self) -> DataFrame:
        """Return the requests as a pandas frame, one a row, in order.

        Returns:
            step, url, status, size (bytes), start and seconds (s), note; `start` leaves out all waits.

        Raises:
            MissingPackage: pandas is not installed.
        """
        from sitediscover.display.frames import requests_frame  # noqa: PLC0415 - pandas may not be there

        return requests_frame(self.requests)

    def sources_frame(self) -> DataFrame:
        """Return the sources as a pandas frame, one a row, best first.

        Returns:
            kind, url, title, where it came from, how much it holds, and the figures of its evidence; times are in UTC.

        Raises:
            MissingPackage: pandas is not installed.
        """
        from sitediscover.display.frames import sources_frame  # noqa: PLC0415 - pandas may not be there

        return sources_frame(self.sources)

    def _repr_html_(self) -> str:
        from sitediscover.display.cards import discovery_card  # noqa: PLC0415 - only a notebook draws

        return discovery_card(self)
