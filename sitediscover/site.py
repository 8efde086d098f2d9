"""One site during one discovery: its rules, its front page, its sitemaps.

Strategies ask the site and nothing else; what was asked once is remembered.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from sitediscover.errors import BlockedAddress, FetchError, NoConnection, RobotsDisallow, UnsupportedUrl
from sitediscover.front import FrontPage
from sitediscover.lazy import lazy_property
from sitediscover.model import StopReason
from sitediscover.survey import Survey
from sitediscover.urls import origin_of, parse_site
from sitediscover.visit import Visit

if TYPE_CHECKING:
    from sitediscover.fetch import PoliteSession
    from sitediscover.parse.robots import Robots

WELL_KNOWN_SITEMAP = "/sitemap.xml"
"""Asked where robots.txt names no sitemap: the name that sitemaps.org itself uses."""


class Site(Visit):
    """One site during one discovery.

    Args:
        site: a host, or any URL of the site.
        session: the door to the network.
        thorough: go on after the first find.

    Raises:
        InvalidSite: the text cannot name a site.
    """

    def __init__(self, site: str, session: PoliteSession, *, thorough: bool = False) -> None:
        address = parse_site(site)
        super().__init__(address.origin, session)
        self.path = address.path
        """The path that was given: a hint for what is wanted under it."""
        self.thorough = thorough
        self._scheme_given = address.scheme_given
        self._home: str | None = None

    @lazy_property
    def robots(self) -> Robots:
        """Return the rules for our product token; asked first of all.

        Raises:
            SiteStopped: the site is closed to us, or its rules could not be had.
        """
        root = f"{self.origin}/"
        try:
            rules = self._ask_robots(root)
        except FetchError as error:
            raise self.stop_for(error) from error
        if not rules.allows(root):
            raise self.stop(StopReason.ROBOTS_DISALLOW, root, "robots.txt closes the root to us")
        return rules

    def _ask_robots(self, root: str) -> Robots:
        try:
            return self.session.robots(root, ledger=self.ledger)
        except NoConnection:
            # No scheme was given and the https port does not answer: http. Never after a certificate failure.
            if self._scheme_given or not root.startswith("https:"):
                raise
            self.origin = self.origin.replace("https:", "http:", 1)
            self._scheme_given = True
            return self.session.robots(f"{self.origin}/", ledger=self.ledger)

    @lazy_property
    def front_page(self) -> FrontPage:
        """Return the front page; asked second.

        Raises:
            SiteStopped: it was refused, or could not be had.
        """
        _ = self.robots
        front = self._ask_front(f"{self.origin}/")
        refresh = front.found.refresh
        if refresh and refresh != front.url and not front.feeds:
            # A meta refresh counts as a redirect; where the page advertises a feed already, nothing is asked.
            front = self._ask_front(refresh)
        self._home = front.home(f"{self.origin}/")
        return front

    def _ask_front(self, url: str) -> FrontPage:
        try:
            page = self.session.get(url, ledger=self.ledger, step="front-page")
        except FetchError as error:
            raise self.stop_for(error) from error
        front = FrontPage.of(page, asked_path=self.path)
        refusal = front.refusal
        if refusal is not None:
            raise self.stop(refusal[0], page.final_url, refusal[1])
        return front

    @property
    def home(self) -> str:
        """Return where the site is now: the front page's final address where it belongs to the site.

        Redirects inside one registrable domain, and permanent ones to another, move the site; a temporary one to
        another domain (consent, login) does not.
        """
        return self._home or super().home

    @lazy_property
    def survey(self) -> Survey:
        """Return the one survey of the site's sitemaps that all strategies share."""
        named = tuple(url for url in self._named_sitemaps() if self.allowed(url, strategy="sitemaps"))
        if named:
            return Survey(self, named, found_on=f"{self.origin}/robots.txt")
        guessed = self.url.rstrip("/") + WELL_KNOWN_SITEMAP
        return Survey(self, [guessed] if self.allowed(guessed) else [], found_on=None)

    def _named_sitemaps(self) -> tuple[str, ...]:
        """Return the sitemaps that robots.txt names, the one of the place where the site is now first."""
        rules = [self.robots]
        if origin_of(self.home) != self.origin:
            rules.insert(0, self._rules_at(self.home))
        ignored = (f"{self.origin}/robots.txt", f"{origin_of(self.home)}/robots.txt")
        named = (url for each in rules for url in each.sitemaps)
        return tuple(dict.fromkeys(url for url in named if url not in ignored))

    def sitemaps(self) -> Survey:
        """Return the site's sitemaps as they are read and judged, one at a time.

        Iterating reads on; what another strategy has read costs nothing again.
        """
        return self.survey

    def allowed(self, url: str, *, strategy: str | None = None) -> bool:
        """Say whether what the site advertises may be offered and asked.

        Never an address of a private network; and what robots.txt closes on the site's own origin is no source.

        Args:
            url: an address that the site advertises or that is to be guessed.
            strategy: where it is given, a refused address is noted among the failures under this name.
        """
        refusal = self._refusal(url)
        if refusal is not None and strategy is not None:
            self.fail(strategy, url, refusal)
        return refusal is None

    def _refusal(self, url: str) -> FetchError | None:
        with suppress(UnsupportedUrl):  # a feed on another port may be followed by others, though not by us
            try:
                self.session.check(url)
            except BlockedAddress as error:
                return error
        if origin_of(url) in (self.origin, origin_of(self.home)) and not self._rules_at(url).allows(url):
            return RobotsDisallow(url, "robots.txt closes it to us")
        return None

    def _rules_at(self, url: str) -> Robots:
        """Return the rules of an origin whose robots.txt was read on the way to the front page."""
        if origin_of(url) == self.origin:
            return self.robots
        return self.session.robots(url, ledger=self.ledger)
