"""Feeds at the usual addresses, which the site forgot to advertise."""

from __future__ import annotations

from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import chain, repeat
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitediscover.errors import FetchError, Unreachable
from sitediscover.parse.feed import sniff_feed
from sitediscover.parse.feedlinks import looks_like_feed
from sitediscover.parse.feedrank import lesser
from sitediscover.parse.html import parse_page
from sitediscover.platforms import platform_feeds
from sitediscover.strategies.base import Forecast
from sitediscover.strategies.feeds import feed_source
from sitediscover.strategies.forecasts import (
    GIVEN_GUESS,
    GUESS_CHANCES,
    GUESS_REQUESTS,
    HINTED_GUESS,
    LAST_GUESS,
    LATER_GUESS,
    LINKED_GUESS,
    NAMED_GUESS,
    PLATFORM_GUESS,
)
from sitediscover.strategies.guesses import BETTER_PATHS, NEWS_PATHS, SLASHED_PATH, hinted_paths
from sitediscover.urls import same_host

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitediscover.fetch import Page
    from sitediscover.front import FrontPage
    from sitediscover.model import Source
    from sitediscover.site import Site

MAX_REFUSALS = 3
"""Refusals in a row (401, 403, no answer, 5xx) that end guessing: a wall stands before every address."""

MAX_SOFT_404 = 2
"""Guesses that were answered with a page or sent home, in a row, that end guessing: any address is answered so."""

MAX_NAMED = 2
"""Feeds asked of those that a page about feeds names: where the first ones are dead, so are most."""

MAX_LINKED = 2
"""Plain links that look like feeds asked: a page of them is a directory of feeds, none of which is the site's own."""


@dataclass(slots=True)
class _Guessing:
    """What the guesses at one site have told so far."""

    lists: dict[tuple[str, ...] | None, tuple[tuple[str, float], ...]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    named: list[str] = field(default_factory=list)
    refusals: int = 0
    soft: int = 0

    @property
    def hopeless(self) -> bool:
        return self.refusals >= MAX_REFUSALS or self.soft >= MAX_SOFT_404

    def weigh(self, page: Page, home: str) -> None:
        """Count a guess that was no feed; where it is a page about the site's feeds, note those."""
        refused = page.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN) or page.status >= 500  # noqa: PLR2004
        self.refusals = self.refusals + 1 if refused else 0
        sent_home = urlsplit(page.final_url).path in ("", "/", urlsplit(home).path)
        answered = page.status == HTTPStatus.OK and (sent_home or _is_html(page))
        named = _named_on(page, self.asked) if answered and not sent_home else []
        self.named.extend(named[: MAX_NAMED - len(self.named)])
        self.soft = self.soft + 1 if answered and not named else 0


def _named_on(page: Page, asked: set[str]) -> list[str]:
    """Return the feeds that a page names: publishers' /rss and /feeds are often pages about feeds (syndic#37)."""
    named = parse_page(page.body, page.final_url, page.charset).feeds
    return [feed.url for feed in named if feed.url not in asked and not lesser(feed)]


def _is_html(page: Page) -> bool:
    start = page.body[:1024].lstrip().lower()
    return start.startswith((b"<!doctype html", b"<html")) or "html" in page.headers.get("Content-Type", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonPaths:
    """Guess addresses, one at a time, until a body is a feed: a 200 alone proves nothing.

    Args:
        paths: the addresses to guess, in their order; None for the default list, in which what the generator tag and
            the headers point to, and what a platform's address tells, goes first.
    """

    paths: tuple[str, ...] | None = None
    name: str = "common-paths"

    def __post_init__(self) -> None:
        """Take any sequence of paths."""
        if self.paths is not None:
            object.__setattr__(self, "paths", tuple(self.paths))

    def discover(self, site: Site) -> Iterator[Source]:
        """Yield the first guessed address that is a feed; all of them where the search is thorough."""
        return (found for found in self.steps(site) if found is not None)

    def steps(self, site: Site) -> Iterator[Source | None]:
        """Yield what `discover` does, with a pause after each wrong guess."""
        guessing = site.state(_Guessing)
        while (url := self._next(site, guessing)[0]) is not None:
            found = self._guess(site, url, guessing)
            yield found
            if found is not None and not site.thorough:
                return

    def forecast(self, site: Site) -> Forecast:
        """Return the chance of the next guess."""
        return Forecast(chance=self._next(site, site.state(_Guessing))[1], requests=GUESS_REQUESTS)

    def _next(self, site: Site, guessing: _Guessing) -> tuple[str | None, float]:
        """Return the next address to guess and its chance; None and 0 where there is none."""
        if guessing.hopeless:
            return None, 0.0
        if self.paths not in guessing.lists:
            guessing.lists[self.paths] = self._candidates(site)
        named = guessing.named if self.paths is None else []
        ordered = (*((url, NAMED_GUESS) for url in named), *guessing.lists[self.paths])
        left = (guess for guess in ordered if guess[0] not in guessing.asked and site.allowed(guess[0]))
        return next(left, (None, 0.0))

    def _candidates(self, site: Site) -> tuple[tuple[str, float], ...]:
        """Return the addresses to guess in their order, each with its chance."""
        root = site.url.rstrip("/")
        if self.paths is not None:
            return tuple(zip((root + path for path in self.paths), _falling(), strict=False))
        front = site.front_page
        given = site.origin + site.path
        hints = (
            (GIVEN_GUESS, [given] if looks_like_feed(given) else []),
            (PLATFORM_GUESS, [feed.url for feed in platform_feeds(given)]),
            (HINTED_GUESS, [root + path for path in hinted_paths(front.generator, front.headers, front.body)]),
            (
                LINKED_GUESS,
                [link.url for link in front.feeds if not link.certain and link.found_in == "anchor"][:MAX_LINKED],
            ),
        )
        guesses = zip((root + path for path in (*NEWS_PATHS, *BETTER_PATHS)), _falling(), strict=False)
        last = [(root + SLASHED_PATH, LAST_GUESS)] if _ends_in_slashes(front) else []
        ordered = (*((url, chance) for chance, urls in hints for url in urls), *guesses, *last)
        unique: dict[str, float] = {}
        for url, chance in ordered:
            unique.setdefault(url, chance)
        return tuple(unique.items())

    def _guess(self, site: Site, url: str, guessing: _Guessing) -> Source | None:
        guessing.asked.add(url)
        try:
            page = site.get(url, step=self.name)
        except FetchError as error:
            site.fail(self.name, url, error)
            guessing.refusals += isinstance(error, Unreachable)
            return None
        guessing.asked.update((page.final_url, *(hop.url for hop in page.hops)))
        if page.status == HTTPStatus.OK:  # whatever it is, it is the same with and without the final slash
            guessing.asked.add(url.removesuffix("/") if url.endswith("/") else f"{url}/")
        found = sniff_feed(page.body) if page.status == HTTPStatus.OK else None
        if found is None:
            guessing.weigh(page, site.home)
            return None
        return feed_source(page, found, found_by=self.name, language=site.front_page.language)


def _ends_in_slashes(front: FrontPage) -> bool:
    """Say whether the site writes most of its addresses with a final slash."""
    own = [path for link in front.links if same_host(link.url, front.url) and (path := urlsplit(link.url).path) != "/"]
    return sum(path.endswith("/") for path in own) * 2 > len(own)


def _falling() -> Iterator[float]:
    """Yield the chances of the first guess, the second, ..."""
    return chain(GUESS_CHANCES, repeat(LATER_GUESS))
