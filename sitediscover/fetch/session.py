"""The one door to the network: polite by construction, safe with strangers' host names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from sitediscover.errors import DeadlineExceeded, Unreachable
from sitediscover.fetch.courier import Courier
from sitediscover.fetch.door import Door, as_sent
from sitediscover.fetch.flight import Flight
from sitediscover.fetch.forks import renew_after_fork
from sitediscover.fetch.guard import checked_url
from sitediscover.fetch.journey import Call, Guide, conditions
from sitediscover.fetch.ledger import Ledger
from sitediscover.fetch.options import DEFAULT_USER_AGENT, Options, at_most
from sitediscover.fetch.pace import Lanes, SystemClock
from sitediscover.fetch.page import Page, Stream, spool
from sitediscover.fetch.rules import RulesBook
from sitediscover.parse.robots import MAX_ROBOTS

if TYPE_CHECKING:
    from types import TracebackType

    import requests

    from sitediscover.fetch.pace import Clock
    from sitediscover.parse.robots import Robots

_OK, _ANSWERED = 200, 300


class PoliteSession:
    """The one door to the network: thread-safe, shared by everything, a context manager.

    One request at a time per host, under its robots.txt, with a pause; addresses, bytes, time and redirects bounded.

    Args:
        user_agent: one line of ASCII that names you, with a contact.
        robots_token: the product token that robots.txt rules are chosen by; taken from the user agent by default.
        pause: seconds between the end of one answer of a host and the next request to it.
        max_requests: requests that one site may cost, where no ledger is given.
        timeout: seconds for a connection, and between two pieces of an answer.
        deadline: seconds that one call may take on the wire, its redirects and retries included.
        max_body: most bytes of a page, inflated.
        max_sitemap: most bytes of a stream, inflated.
        max_redirects: most redirects of one call.
        allow_private: ask private addresses, and any port: for tests, and for sites of your own network.
        proxy: URL of an HTTP proxy for everything; by default what the environment says.
        http: a session whose mounted adapters are used as they are (caches, test transports); it is not changed.
        clock: what time is asked of.

    Raises:
        ValueError: an option makes no sense.
    """

    def __init__(
        self,
        *,
        user_agent: str = DEFAULT_USER_AGENT,
        robots_token: str | None = None,
        pause: float = 1.0,
        max_requests: int = 25,
        timeout: float = 10.0,
        deadline: float = 30.0,
        max_body: int = 8 * 2**20,
        max_sitemap: int = 50 * 2**20,
        max_redirects: int = 5,
        allow_private: bool = False,
        proxy: str | None = None,
        http: requests.Session | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._options = Options(
            user_agent=user_agent,
            robots_token=robots_token,
            pause=pause,
            max_requests=max_requests,
            timeout=timeout,
            deadline=deadline,
            max_body=max_body,
            max_sitemap=max_sitemap,
            max_redirects=max_redirects,
            allow_private=allow_private,
            proxy=proxy,
        )
        self.clock: Clock = SystemClock() if clock is None else clock
        self._http = http
        self._open()
        renew_after_fork(self, PoliteSession._open)

    def _open(self) -> None:
        """Begin with no connections, queues and robots.txt files: what no two processes can share."""
        headers = {"User-Agent": self._options.user_agent, "Accept": "*/*", "Accept-Encoding": "gzip"}
        self._door = Door(self._http, self._options.proxy)
        courier = Courier(self._options, self._door, Lanes(self.clock), self.clock)
        self._book = RulesBook(courier, self._options, self.clock, headers)
        self._guide = Guide(self._options, courier, self._book, headers)

    @property
    def robots_token(self) -> str:
        """Return the product token that robots.txt rules are chosen by."""
        return self._options.token

    @property
    def pause(self) -> float:
        """Return the seconds between the end of one answer of a host and the next request to it."""
        return self._options.pause

    @property
    def deadline(self) -> float:
        """Return the seconds that one call may take on the wire."""
        return self._options.deadline

    @property
    def max_requests(self) -> int:
        """Return how many requests one site may cost."""
        return self._options.max_requests

    def get(
        self,
        url: str,
        *,
        ledger: Ledger | None = None,
        step: str = "get",
        etag: str | None = None,
        last_modified: str | None = None,
        max_bytes: int | None = None,
        allow_redirects: bool = True,
    ) -> Page:
        """Ask for a page, under the robots.txt of every host on the way.

        Args:
            url: an http(s) URL.
            ledger: the account of the site it is asked for; one of its own by default.
            step: what it is asked for, for the ledger.
            etag: what the last answer's ETag was.
            last_modified: what the last answer's Last-Modified was.
            max_bytes: most bytes of body, inflated; `max_body` by default.
            allow_redirects: follow redirects, else return the first.

        Returns:
            The answer, whatever its HTTP status.

        Raises:
            FetchError: the request was not made, or brought no usable answer.
            ValueError: max_bytes makes no sense.
        """
        call = self._call(url, ledger, step, at_most(max_bytes, self._options.max_body), (etag, last_modified))
        call.follow = allow_redirects
        answer = self._guide.fetch(call)
        error = answer.intake.error
        if answer.intake.truncated and not answer.intake.size:  # nothing of it arrived: that is no empty page
            error = error or Unreachable(call.current, answer.intake.note)
        usable = answer.intake.size and not isinstance(error, DeadlineExceeded)
        if error is not None and _OK <= answer.status < _ANSWERED and not usable:
            raise error
        with answer.body as body:
            return Page.of(call.head(answer), body.read(), truncated=answer.intake.truncated)

    def stream(
        self,
        url: str,
        *,
        ledger: Ledger | None = None,
        step: str = "sitemap",
        max_bytes: int | None = None,
        etag: str | None = None,
        last_modified: str | None = None,
    ) -> Stream:
        """Ask for a large file and read it in chunks; what arrived of one that broke off is given.

        Args:
            url: an http(s) URL.
            ledger: the account of the site it is asked for; one of its own by default.
            step: what it is asked for, for the ledger.
            max_bytes: most bytes of body, inflated; `max_sitemap` by default.
            etag: what the last answer's ETag was.
            last_modified: what the last answer's Last-Modified was.

        Returns:
            The answer, whatever its HTTP status; its `truncated` and `error` say how its body ended.

        Raises:
            FetchError: the request was not made, or brought no answer at all.
            ValueError: max_bytes makes no sense.
        """
        call = self._call(url, ledger, step, at_most(max_bytes, self._options.max_sitemap), (etag, last_modified))
        call.keep = spool
        answer = self._guide.fetch(call)
        return Stream(call.head(answer), answer.body, truncated=answer.intake.truncated, error=answer.intake.error)

    def robots(self, url: str, *, ledger: Ledger | None = None) -> Robots:
        """Return the robots.txt rules for a URL's origin, asked for at most once a day.

        Args:
            url: any http(s) URL of the origin.
            ledger: the account of the site it is asked for; one of its own by default.

        Raises:
            RobotsUnreachable: it answered 5xx.
            RateLimited: it answered 429.
            FetchError: it cannot be asked, or gave no answer.
        """
        call = self._call(url, ledger, "robots", MAX_ROBOTS)
        return self._book.rules(call.url, ledger=call.ledger, flight=call.flight)

    def check(self, url: str) -> str:
        """Return a URL as it would be asked; asks nothing.

        Args:
            url: any text.

        Raises:
            UnsupportedUrl: scheme, port, credentials, or no URL at all.
            BlockedAddress: its host is a special address, or a name for this machine or network.
        """
        return checked_url(url, allow_private=self._options.allow_private)

    def _call(
        self,
        url: str,
        ledger: Ledger | None,
        step: str,
        limit: int,
        validators: tuple[str | None, str | None] = (None, None),
    ) -> Call:
        options = self._options
        return Call(
            url=as_sent(self.check(url)),
            step=step,
            ledger=Ledger(options.max_requests) if ledger is None else ledger,
            flight=Flight(self.clock, options.deadline, allow_private=options.allow_private),
            limit=limit,
            validators=conditions(*validators),
        )

    def close(self) -> None:
        """Close the connections; a session that was passed in stays open."""
        self._door.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
