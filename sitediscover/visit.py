"""One visit to a site: what was asked, what went wrong, what was kept, and why it ended.

Everything a discovery asks goes through here, so that the budget, the refusals and the stops are counted in one place.
"""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, TypeVar

from sitediscover.errors import (
    BlockedAddress,
    BudgetSpent,
    CrawlDelayTooLong,
    EnoughFound,
    FetchError,
    RateLimited,
    RobotsDisallow,
    RobotsUnreachable,
    SitediscoverError,
    SiteStopped,
)
from sitediscover.fetch import Ledger
from sitediscover.model import Failure, Stop, StopReason
from sitediscover.urls import origin_of, same_host

if TYPE_CHECKING:
    from sitediscover.fetch import Page, PoliteSession, Stream
    from sitediscover.model import Request, Source

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


class Visit:
    """One visit to a site.

    Args:
        origin: the site's scheme, host and port, without a final slash.
        session: the door to the network.
    """

    def __init__(self, origin: str, session: PoliteSession) -> None:
        self.origin = origin
        """Scheme, host and port, without a final slash. http where https did not answer and no scheme was given."""
        self.session = session
        self.ledger = Ledger(session.max_requests)
        self._failures: list[Failure] = []
        self._kept: list[Source] = []
        self._stopped: Stop | None = None
        self._limited: set[str] = set()
        self._states: dict[type, object] = {}
        self._enough = False

    @property
    def home(self) -> str:
        """Return where the site is now."""
        return f"{self.origin}/"

    @property
    def url(self) -> str:
        """Return the site's root: where it is now, if its front page has moved."""
        return f"{origin_of(self.home)}/"

    @property
    def requests(self) -> tuple[Request, ...]:
        """Return what was asked so far, in order."""
        return self.ledger.requests

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
            page = self.session.get(url, ledger=self.ledger, step=step)
        except FetchError as error:
            raise self._weigh(error) from error
        self._check_limit(url, page.final_url, page.status)
        return page

    def stream(self, url: str, *, step: str) -> Stream:
        """Ask an address as `get` does, its body as inflated chunks."""
        self._check(url)
        try:
            stream = self.session.stream(url, ledger=self.ledger, step=step)
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
            return self.stop_for(error)
        return error

    def _check_limit(self, url: str, final_url: str, status: int) -> None:
        if status != HTTPStatus.TOO_MANY_REQUESTS:
            return
        self._limited.update((origin_of(url), origin_of(final_url)))
        error = RateLimited(final_url, "answered 429")
        if same_host(final_url, self.url) or same_host(final_url, self.origin):
            raise self.stop_for(error)
        raise error

    def stop_for(self, error: FetchError) -> SiteStopped:
        """End the visit for an error; return what is to be raised.

        Args:
            error: what came instead of an answer.
        """
        reason = next((reason for kind, reason in _STOPS if isinstance(error, kind)), StopReason.UNREACHABLE)
        return self.stop(reason, error.url, error.detail or type(error).__name__)

    def stop(self, reason: StopReason, url: str, detail: str) -> SiteStopped:
        """End the visit; return what is to be raised.

        Args:
            reason: why.
            url: where it happened.
            detail: what happened, in words.
        """
        self._stopped = Stop(reason=reason, url=url, detail=detail)
        return SiteStopped(reason, url, detail)
