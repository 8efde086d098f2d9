"""What a sitemap is good for, judged by the URLs it lists and never by the namespace it declares.

One national paper's sections sitemap declares the Google-News namespace with 184 of its 187 URLs being sections.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Protocol, TypeVar

from sitediscover.model import Evidence, SourceKind
from sitediscover.shapes import looks_like_article, shares
from sitediscover.urls import path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sitediscover.model import SitemapEntry

USEFUL_SHARE = 0.7
"""Share of its URLs, 0 to 1, that must have one shape for a sitemap to be of use."""

MANY = 0.5
"""Share of its articles, 0 to 1, that must carry news tags, or dates, for a sitemap to be said to carry them."""

FEW_DATED = 5
"""Dated articles that make a sitemap of mixed URLs worth keeping as a last resort."""

MAX_AGE = {SourceKind.NEWS_SITEMAP: timedelta(days=30), SourceKind.ARTICLE_SITEMAP: timedelta(days=365)}
"""Age of its newest date past which a sitemap is stale: a last resort."""

AHEAD = timedelta(days=1)
"""How far ahead of now a date may be told: one without a zone may be half a day off. What is later is a mistake."""

# Names that say news, whatever the language of the rest: news-sitemap, sitemap_news, google-news, map_news,
# newsmap, articles-48hrs ... Of 119 hand-kept news sitemaps 103 have "news" in the path. A newsletter is none.
_NEWS_NAME = re.compile(r"news(?!\w{0,9}(?:letter|paper))|latest-articles|48h(?:rs|ours)?\b|last-?48", re.IGNORECASE)

# Files are no pages: a sitemap of stories and pictures is not one of stories and tags.
_FILE = re.compile(
    r"\.(?:pdf|jpe?g|png|gif|webp|svg|mp[34]|m4[av]|webm|zip|docx?|xlsx?|css|js|json)(?:[?#]|$)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What a sitemap is good for.

    Attributes:
        kind: what it can be followed as; None where it is of no use.
        evidence: the figures.
        last_resort: stale or mixed: of use only where nothing better turns up.
    """

    kind: SourceKind | None
    evidence: Evidence
    last_resort: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figures:
    """The counts that the rules below are written in."""

    count: int
    section: float
    article: float
    pages: float
    tagged: float
    dated: float
    dated_articles: int


# The first rule that holds decides. The last one is the last resort of DESIGN.md ("Best first").
_RULES: tuple[tuple[SourceKind, Callable[[_Figures], bool], str], ...] = (
    (SourceKind.SECTIONS, lambda f: f.section >= USEFUL_SHARE, ""),
    (SourceKind.NEWS_SITEMAP, lambda f: f.article >= USEFUL_SHARE and f.tagged >= MANY, ""),
    (SourceKind.ARTICLE_SITEMAP, lambda f: f.article >= USEFUL_SHARE and f.dated >= MANY, ""),
    (SourceKind.ARTICLE_SITEMAP, lambda f: f.dated_articles >= FEW_DATED and f.pages >= USEFUL_SHARE, "mixed"),
)


def says_news(url: str) -> bool:
    """Say whether a sitemap's address (its host aside) says that it holds news."""
    return _NEWS_NAME.search(path_of(url)) is not None


def best_name_first(urls: Iterable[str]) -> list[str]:
    """Return sitemap addresses, each once, those whose name says news first, else in their order."""
    return sorted(dict.fromkeys(urls), key=lambda url: not says_news(url))


class Child(Protocol):
    """What the order of an index's children is told by."""

    @property
    def url(self) -> str:
        """Return its address."""

    @property
    def modified(self) -> datetime | None:
        """Return its lastmod."""


_C = TypeVar("_C", bound=Child)


def best_child_first(children: Iterable[_C]) -> list[_C]:
    """Return the children of an index, each once: news names, then newest lastmod, then their order."""
    unique = {child.url: child for child in reversed(list(children))}
    ordered = list(reversed(unique.values()))
    oldest = datetime.min.replace(tzinfo=UTC)
    return sorted(ordered, key=lambda c: (says_news(c.url), c.modified or oldest), reverse=True)


class Dated(Protocol):
    """What is known by a date."""

    @property
    def published(self) -> datetime | None:
        """Return its date of publication."""

    @property
    def modified(self) -> datetime | None:
        """Return its date of modification."""


_Dated = TypeVar("_Dated", bound=Dated)


def date_of(entry: Dated) -> datetime | None:
    """Return the date an entry is known by: its publication, else its modification."""
    return entry.published or entry.modified


def newest_first(entries: Iterable[_Dated]) -> tuple[_Dated, ...]:
    """Return entries newest first, those without a date after them in their order."""
    listed = list(entries)
    dated = [entry for entry in listed if date_of(entry) is not None]
    undated = [entry for entry in listed if date_of(entry) is None]
    dated.sort(key=lambda entry: date_of(entry) or 0, reverse=True)
    return (*dated, *undated)


def judge(entries: Sequence[SitemapEntry], *, now: datetime, flags: tuple[str, ...] = ()) -> Judgement:
    """Judge a sitemap by its entries.

    Args:
        entries: those that belong to the site; advertisements on other hosts are left aside by the caller.
        now: the present, aware; dates are compared with it.
        flags: what is known of the file already (`truncated`, `capped`).
    """
    figures = _count(entries)
    dates = [date for date in map(date_of, entries) if date is not None]
    # A mistyped year would keep a file fresh for ever that has had nothing new for long.
    newest = max([date for date in dates if date <= now + AHEAD] or dates, default=None)
    kind, flag = next(((kind, flag) for kind, holds, flag in _RULES if holds(figures)), (None, ""))
    stale = kind in MAX_AGE and newest is not None and now - newest > MAX_AGE[kind]
    marks = (*flags, *filter(None, (flag, "stale" if stale else "")))
    evidence = Evidence(
        count=figures.count,
        section_share=round(figures.section, 4),
        article_share=round(figures.article, 4),
        dated_share=round(figures.dated, 4),
        newest=newest,
        flags=marks,
    )
    return Judgement(kind=kind, evidence=evidence, last_resort=bool(flag) or stale)


def _count(entries: Sequence[SitemapEntry]) -> _Figures:
    found = shares([entry.url for entry in entries])
    articles = [entry for entry in entries if looks_like_article(entry.url)]
    tagged = sum(entry.news is not None for entry in articles)
    dated = sum(date_of(entry) is not None for entry in articles)
    return _Figures(
        count=found.count,
        section=found.section_share,
        article=found.article_share,
        pages=sum(_FILE.search(entry.url) is None for entry in entries) / max(1, len(entries)),
        tagged=tagged / len(articles) if articles else 0.0,
        dated=dated / len(articles) if articles else 0.0,
        dated_articles=dated,
    )
