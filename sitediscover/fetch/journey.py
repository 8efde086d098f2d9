"""From the address asked to the one that answers: every hop checked, paced, and under its own host's robots.txt."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from typing import IO, TYPE_CHECKING

from sitediscover.errors import CrawlDelayTooLong, RobotsDisallow, TooManyRedirects
from sitediscover.fetch.courier import Errand
from sitediscover.fetch.door import as_sent
from sitediscover.fetch.faults import in_short
from sitediscover.fetch.guard import redirect_target
from sitediscover.fetch.page import Head, Hop
from sitediscover.fetch.rules import PATH
from sitediscover.urls import origin_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitediscover.fetch.courier import Answer, Courier
    from sitediscover.fetch.flight import Flight
    from sitediscover.fetch.ledger import Ledger
    from sitediscover.fetch.options import Options
    from sitediscover.fetch.rules import RulesBook

LONGEST_CRAWL_DELAY = 30.0
"""Most seconds that are waited between two requests; a site that asks for more is left alone."""


_LONGEST_CONDITION = 1_024  # servers take 8 KiB of headers: one that sent a longer ETag would refuse it


def conditions(etag: str | None, last_modified: str | None) -> dict[str, str]:
    """Return the headers that make a request conditional; what can be no header is left out: it came from a server.

    Args:
        etag: what the last answer's ETag was.
        last_modified: what the last answer's Last-Modified was.
    """
    given = {"If-None-Match": (etag or "").strip(), "If-Modified-Since": (last_modified or "").strip()}
    return {
        name: text
        for name, text in given.items()
        if text and text.isascii() and text.isprintable() and len(text) <= _LONGEST_CONDITION
    }


@dataclass(slots=True, kw_only=True)
class Call:
    """One call of `get` or `stream`: what it asks, and how far it has come.

    Attributes:
        url: the address as asked for, normalised.
        step: what it is asked for.
        ledger: who pays.
        flight: whose time is used.
        limit: most bytes of body.
        validators: the headers that make it conditional.
        keep: makes the file that a body is kept in.
        follow: follow redirects.
        hops: those followed.
    """

    url: str
    step: str
    ledger: Ledger
    flight: Flight
    limit: int
    validators: dict[str, str]
    keep: Callable[[], IO[bytes]] = BytesIO
    follow: bool = True
    hops: list[Hop] = field(default_factory=list)

    @property
    def current(self) -> str:
        """Return the address that is to be asked now."""
        return self.hops[-1].location if self.hops else self.url

    def head(self, answer: Answer) -> Head:
        """Return what the answer's head says."""
        return Head(
            url=self.url,
            final_url=self.current,
            status=answer.status,
            headers=answer.headers,
            hops=tuple(self.hops),
            conditional=bool(self.validators),
        )


class Guide:
    """Follows redirects, where each host on the way lets us.

    Args:
        options: the session's.
        courier: what makes the requests.
        book: the rules of all hosts.
        headers: sent with each request.
    """

    def __init__(self, options: Options, courier: Courier, book: RulesBook, headers: dict[str, str]) -> None:
        self._options = options
        self._courier = courier
        self._book = book
        self._headers = headers

    def fetch(self, call: Call) -> Answer:
        """Return the answer at the end of the redirects.

        Args:
            call: what is asked; its hops are filled in.

        Raises:
            FetchError: a request was not made, or brought no answer.
        """
        seen = {call.url}
        while True:
            answer = self._courier.ask(self._errand(call))
            if answer.location is None or not call.follow:
                return answer
            answer.body.close()
            here = call.current
            target = as_sent(redirect_target(here, answer.location, allow_private=self._options.allow_private))
            if target in seen:
                raise TooManyRedirects(call.url, f"a circle back to {in_short(target)}")
            if len(call.hops) >= self._options.max_redirects:
                raise TooManyRedirects(call.url, f"more than {self._options.max_redirects} redirects")
            seen.add(target)
            call.hops.append(Hop(url=here, status=answer.status, location=target))

    def _errand(self, call: Call) -> Errand:
        return Errand(
            url=call.current,
            step=call.step,
            ledger=call.ledger,
            flight=call.flight,
            limit=call.limit,
            gap=self._gap(call.current, call),
            headers={**self._headers, **call.validators},
            keep=call.keep,
        )

    def _gap(self, url: str, call: Call) -> float:
        """Return the pause that the host's rules ask for, where they let us in."""
        if url == origin_of(url) + PATH:
            return self._options.pause
        rules = self._book.rules(url, ledger=call.ledger, flight=call.flight)
        if not rules.allows(url):
            raise RobotsDisallow(url, f"robots.txt closes it to {self._options.token}")
        delay = rules.crawl_delay or 0.0
        if delay > LONGEST_CRAWL_DELAY:
            raise CrawlDelayTooLong(url, f"robots.txt asks for {delay:g} s between requests")
        return max(self._options.pause, delay)
