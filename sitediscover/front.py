"""A front page as it was answered: what is on it, whether it is a refusal, and where the site is now."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Self

from sitediscover.model import StopReason
from sitediscover.parse.feed import sniff_feed
from sitediscover.parse.html import parse_page
from sitediscover.urls import same_site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitediscover.fetch import Page
    from sitediscover.parse.feed import FeedFormat
    from sitediscover.parse.feedlinks import FeedLink
    from sitediscover.parse.html import Link, PageLinks

# What the front page's status means. Statuses that are not here (404, 410, ...) do not end the search.
_STOPS: dict[int, StopReason] = {
    HTTPStatus.UNAUTHORIZED: StopReason.FRONT_PAGE_REFUSED,
    HTTPStatus.FORBIDDEN: StopReason.FRONT_PAGE_REFUSED,
    HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS: StopReason.FRONT_PAGE_REFUSED,
    # 202 is a bot wall's answer, never a page (fundus#936).
    HTTPStatus.ACCEPTED: StopReason.FRONT_PAGE_REFUSED,
    HTTPStatus.TOO_MANY_REQUESTS: StopReason.RATE_LIMITED,
}
_ANSWERS = (HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION)  # the latter a 200 that a proxy has changed
_SERVER_ERRORS = range(500, 600)
_PERMANENT = (HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.PERMANENT_REDIRECT)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontPage:
    """A site's front page as it was answered.

    Attributes:
        page: the answer.
        found: what is on it; empty where the answer was no page.
        feed: its format where the answer is itself a feed.
    """

    page: Page
    found: PageLinks
    feed: FeedFormat | None = None

    @classmethod
    def of(cls, page: Page, *, asked_path: str) -> Self:
        """Read the links of an answer; only a page that was answered has any.

        Args:
            page: the answer.
            asked_path: the path that the user named: feeds under it are preferred.
        """
        answered = page.status in _ANSWERS
        told = page.headers if answered else {}
        body = page.body if answered else b""
        found = parse_page(
            body,
            page.final_url,
            page.charset,
            link_header=told.get("Link"),
            refresh_header=told.get("Refresh"),
            asked_path=asked_path,
        )
        return cls(page=page, found=found, feed=sniff_feed(body))

    @property
    def refusal(self) -> tuple[StopReason, str] | None:
        """Return why the answer ends the search, in a reason and in words; None where it does not."""
        reason = StopReason.UNREACHABLE if self.status in _SERVER_ERRORS else _STOPS.get(self.status)
        if reason is not None:
            return reason, f"the front page answers {self.status}"
        challenge = self.found.challenge or ("cf-mitigated" if "cf-mitigated" in self.headers else None)
        return (StopReason.FRONT_PAGE_REFUSED, f"a challenge, not a page: {challenge}") if challenge else None

    def home(self, asked: str) -> str:
        """Return where the site is now.

        Redirects inside one registrable domain, and permanent ones to another, move the site; a temporary one to
        another domain (consent, login) does not.

        Args:
            asked: the root that was asked for.
        """
        permanent = bool(self.page.hops) and all(hop.status in _PERMANENT for hop in self.page.hops)
        return self.url if permanent or same_site(asked, self.url) else asked

    @property
    def url(self) -> str:
        """Return the final address."""
        return self.page.final_url

    @property
    def status(self) -> int:
        """Return the HTTP status."""
        return self.page.status

    @property
    def headers(self) -> Mapping[str, str]:
        """Return the HTTP headers."""
        return self.page.headers

    @property
    def body(self) -> bytes:
        """Return the body as received, inflated."""
        return self.page.body

    @property
    def feeds(self) -> tuple[FeedLink, ...]:
        """Return the feeds it advertises, best first."""
        return self.found.feeds

    @property
    def links(self) -> tuple[Link, ...]:
        """Return its links in their order."""
        return self.found.links

    @property
    def generator(self) -> str | None:
        """Return the generator tag."""
        return self.found.generator

    @property
    def language(self) -> str | None:
        """Return its language."""
        return self.found.language

    @property
    def title(self) -> str | None:
        """Return its title."""
        return self.found.title
