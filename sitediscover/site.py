"""One site during one discovery: its rules, its front page, its sitemaps, its budget.

Strategies ask the site and nothing else; what was asked once is remembered.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cached_property
from http import HTTPStatus
from typing import TYPE_CHECKING, TypeVar

from sitediscover.errors import (
    BlockedAddress,
    BudgetSpent,
    CrawlDelayTooLong,
    EnoughFound,
    FetchError,
    NoConnection,
    RateLimited,
    RobotsDisallow,
    RobotsUnreachable,
    SitediscoverError,
    SiteStopped,
)
from sitediscover.fetch import Ledger
from sitediscover.front import FrontPage
from sitediscover.model import Failure, Stop, StopReason
from sitediscover.survey import Survey
from sitediscover.urls import origin_of, parse_site, same_host

if TYPE_CHECKING:
    from sitediscover.fetch import Page, PoliteSession, Stream
    from sitediscover.model import Request, Source
    from sitediscover.parse.robots import Robots

_S = TypeVar("_S")

# What an error that ends a site means to its user. Everything else is `unreachable`, the reason in words.
_STOPS: tuple[tuple[type[FetchError], StopReason], ...] = (
    (RobotsDisallow, StopReason.ROBOTS_DISALLOW),
    (RobotsUnreachable, StopReason.ROBOTS_UNREACHABLE),
    (RateLimited, StopReason.RATE_LIMITED),
    (CrawlDelayTooLong, StopReason.CRAWL_DELAY_TOO_LONG),
    (BlockedAddress, StopReason.BLOCKED_ADDRESS),
    (BudgetSpent, StopReason.BUDGET_SPENT),
)

WELL_KNOWN_SITEMAP = "/sitemap.xml"
"""Asked where robots.txt names no sitemap: the name that sitemaps.org itself uses."""


class Site:
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
        self.origin = address.origin
        """Scheme, host and port, without a final slash. http where https did not answer and no scheme was given."""
        self.path = address.path
        """The path that was given: a hint for what is wanted under it."""
        self.thorough = thorough
        self.session = session
        self._scheme_given = address.scheme_given
        self._ledger = Ledger(session.max_requests)
        self._failures: list[Failure] = []
        self._kept: list[Source] = []
        self._stopped: Stop | None = None
        self._limited: set[str] = set()
        self._states: dict[type, object] = {}
        self._enough = False

    @property
    def url(self) -> str:
        """Return the site's root: where it is now, if its front page has moved."""
        return f"{origin_of(self.home)}/"

    @property
    def requests(self) -> tuple[Request, ...]:
        """Return what was asked so far, in order."""
        return self._ledger.requests

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Return what went wrong so far without ending the search."""
        return tuple(self._failures)

    @property
    def stopped(self) -> Stop | None:
        """Return why the site is not asked any more, or None."""
        return self._stopped

    def now(self) -> datetime:
        """Return the present, by the session's clock."""
        return datetime.fromtimestamp(self.session.clock.time(), UTC)

    def fail(self, strategy: str, url: str, error: str | Exception) -> None:
        """Note something that went wrong, or was left out, without ending the search.

        Args:
            strategy: the strategy or step it happened in.
            url: the address concerned.
            error: an exception, or a sentence.
        """
        if isinstance(error, Exception):
            said = error.detail if isinstance(error, FetchError) and error.url == url else str(error)
            error = f"{type(error).__name__}: {said}" if said else type(error).__name__
        failure = Failure(strategy=strategy, url=url, error=error)
        if failure not in self._failures:
            self._failures.append(failure)

    def keep(self, source: Source) -> None:
        """Keep a source as a last resort: it is returned where nothing better turns up.

        Args:
            source: stale, mixed or beside the point; its evidence carries the flag.
        """
        if source not in self._kept:
            self._kept.append(source)

    @property
    def kept(self) -> tuple[Source, ...]:
        """Return the last resorts."""
        return tuple(self._kept)

    def state(self, kind: type[_S]) -> _S:
        """Return the one object of a class that belongs to this discovery, made when first asked for.

        Strategies are shared between sites and threads: what they learn of one site is kept here.

        Args:
            kind: a class of the strategy's own, made without arguments.
        """
        made = self._states.setdefault(kind, kind())
        assert isinstance(made, kind)  # noqa: S101 - it is kept under its own class; this tells mypy
        return made

    def enough(self) -> None:
        """Make every further request raise EnoughFound: what was found is all that is wanted."""
        self._enough = True

    @property
    def has_enough(self) -> bool:
        """Say whether no further request is wanted."""
        return self._enough

    # -- what a site tells ----------------------------------------------------------------------------------------

    @cached_property
    def robots(self) -> Robots:
        """Return the rules for our product token; asked first of all.

        Raises:
            SiteStopped: the site is closed to us, or its rules could not be had.
        """
        root = f"{self.origin}/"
        try:
            rules = self._ask_robots(root)
        except FetchError as error:
            raise self._stop_for(error) from error
        if not rules.allows(root):
            raise self._stop(StopReason.ROBOTS_DISALLOW, root, "robots.txt closes the root to us")
        return rules

    def _ask_robots(self, root: str) -> Robots:
        try:
            return self.session.robots(root, ledger=self._ledger)
        except NoConnection:
            # No scheme was given and the https port does not answer: http. Never after a certificate failure.
            if self._scheme_given or not root.startswith("https:"):
                raise
            self.origin = self.origin.replace("https:", "http:", 1)
            self._scheme_given = True
            return self.session.robots(f"{self.origin}/", ledger=self._ledger)

    @cached_property
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
        return front

    def _ask_front(self, url: str) -> FrontPage:
        try:
            page = self.session.get(url, ledger=self._ledger, step="front-page")
        except FetchError as error:
            raise self._stop_for(error) from error
        front = FrontPage.of(page, asked_path=self.path)
        refusal = front.refusal
        if refusal is not None:
            raise self._stop(refusal[0], page.final_url, refusal[1])
        return front

    @cached_property
    def home(self) -> str:
        """Return where the site is now: the front page's final address where it belongs to the site.

        Redirects inside one registrable domain, and permanent ones to another, move the site; a temporary one to
        another domain (consent, login) does not.
        """
        if "front_page" not in self.__dict__:
            return f"{self.origin}/"
        return self.front_page.home(f"{self.origin}/")

    @cached_property
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

    # -- asking -------------------------------------------------------------------------------------------------

    def allowed(self, url: str, *, strategy: str | None = None) -> bool:
        """Say whether what the site advertises may be asked: closed on its own origin, it is no source.

        Args:
            url: an address that the site advertises or that is to be guessed.
            strategy: where it is given, a closed address is noted among the failures under this name.
        """
        if origin_of(url) not in (self.origin, origin_of(self.home)) or self._rules_at(url).allows(url):
            return True
        if strategy is not None:
            self.fail(strategy, url, RobotsDisallow(url, "robots.txt closes it to us"))
        return False

    def _rules_at(self, url: str) -> Robots:
        """Return the rules of an origin whose robots.txt was read on the way to the front page."""
        if origin_of(url) == self.origin:
            return self.robots
        return self.session.robots(url, ledger=self._ledger)

    def get(self, url: str, *, step: str) -> Page:
        """Ask an address under the site's rules and within its budget.

        Args:
            url: an absolute URL.
            step: what it is asked for; a strategy's name.

        Returns:
            The answer, whatever its status.

        Raises:
            FetchError: this address could not be had; others may.
            SiteStopped: the site is not to be asked any more.
        """
        self._check(url)
        try:
            page = self.session.get(url, ledger=self._ledger, step=step)
        except FetchError as error:
            raise self._weigh(error) from error
        self._check_limit(url, page.final_url, page.status)
        return page

    def stream(self, url: str, *, step: str) -> Stream:
        """Ask an address as `get` does, its body as inflated chunks."""
        self._check(url)
        try:
            stream = self.session.stream(url, ledger=self._ledger, step=step)
        except FetchError as error:
            raise self._weigh(error) from error
        try:
            self._check_limit(url, stream.final_url, stream.status)
        except SitediscoverError:
            stream.close()
            raise
        return stream

    def _check(self, url: str) -> None:
        if self._stopped is not None:
            raise SiteStopped(self._stopped.reason, self._stopped.url, self._stopped.detail)
        if self._enough:
            raise EnoughFound(url)
        if origin_of(url) in self._limited:
            raise RateLimited(url, "this host has answered 429")

    def _weigh(self, error: FetchError) -> SitediscoverError:
        """Return what an error on the way means: the end of the site, or of this address only."""
        own = same_host(error.url, self.url) or same_host(error.url, self.origin)
        if isinstance(error, BudgetSpent) or (own and isinstance(error, RateLimited | CrawlDelayTooLong)):
            return self._stop_for(error)
        return error

    def _check_limit(self, url: str, final_url: str, status: int) -> None:
        if status != HTTPStatus.TOO_MANY_REQUESTS:
            return
        self._limited.update((origin_of(url), origin_of(final_url)))
        error = RateLimited(final_url, "answered 429")
        if same_host(final_url, self.url) or same_host(final_url, self.origin):
            raise self._stop_for(error)
        raise error

    def _stop_for(self, error: FetchError) -> SiteStopped:
        reason = next((reason for kind, reason in _STOPS if isinstance(error, kind)), StopReason.UNREACHABLE)
        return self._stop(reason, error.url, error.detail or type(error).__name__)

    def _stop(self, reason: StopReason, url: str, detail: str) -> SiteStopped:
        self._stopped = Stop(reason=reason, url=url, detail=detail)
        return SiteStopped(reason, url, detail)
