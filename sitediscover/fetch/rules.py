"""What each origin's robots.txt says: read once, kept for a day, obeyed also where it cannot be read (RFC 9309)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import TYPE_CHECKING

from sitediscover.errors import BudgetSpent, DeadlineExceeded, FetchError, RateLimited, RobotsUnreachable, Unreachable
from sitediscover.fetch.courier import Errand
from sitediscover.fetch.door import as_sent
from sitediscover.fetch.guard import redirect_target
from sitediscover.fetch.pace import DEFAULT_COOLING, Line, retry_after
from sitediscover.parse.robots import MAX_ROBOTS, NO_RULES, parse_robots
from sitediscover.urls import origin_of

if TYPE_CHECKING:
    from sitediscover.fetch.courier import Answer, Courier
    from sitediscover.fetch.flight import Flight
    from sitediscover.fetch.ledger import Ledger
    from sitediscover.fetch.options import Options
    from sitediscover.fetch.pace import Clock
    from sitediscover.parse.robots import Robots

PATH = "/robots.txt"
MOST_HOPS = 5

_KEPT = 24 * 3600.0
_KEPT_UNREACHABLE = 3600.0
_KEPT_SILENT = 300.0  # no connection may as well be our own trouble, and soon over
_KEPT_ORIGINS = 1_024
_OK, _ANSWERED, _TOO_MANY, _SERVER_ERROR = 200, 300, 429, 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is known of one origin: its rules, or why to stay out, and for how many seconds that holds."""

    rules: Robots = NO_RULES
    error: FetchError | None = None
    kept: float = _KEPT


@dataclass(slots=True)
class _Entry:
    line: Line = field(default_factory=Line)
    verdict: Verdict | None = None
    until: float = 0.0


class RulesBook:
    """The robots.txt files of all origins.

    Args:
        courier: what asks for them.
        options: the session's.
        clock: what time is asked of.
        headers: sent with each request.
    """

    def __init__(self, courier: Courier, options: Options, clock: Clock, headers: dict[str, str]) -> None:
        self._courier = courier
        self._options = options
        self._clock = clock
        self._headers = headers
        self._token = options.token
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    def rules(self, url: str, *, ledger: Ledger, flight: Flight) -> Robots:
        """Return the rules for a URL's origin.

        Args:
            url: a normalised URL.
            ledger: who pays where the file has to be asked for.
            flight: whose time is used.

        Raises:
            RobotsUnreachable: it answered 5xx.
            RateLimited: it answered 429.
            FetchError: it cannot be asked, or gave no answer.
        """
        origin = origin_of(url)
        entry = self._entry(origin)
        with ExitStack() as held:
            with flight.waiting():
                held.enter_context(entry.line.place())
            verdict = self._known(entry)
            if verdict is None:
                verdict = self._read(origin, ledger, flight)
            left = entry.until - self._clock.monotonic()
        error = verdict.error
        if isinstance(error, RateLimited):
            raise RateLimited(error.url, error.detail, max(0.0, left))
        if error is not None:
            raise type(error)(error.url, error.detail)  # not the same object: many threads may raise it
        return verdict.rules

    def _entry(self, origin: str) -> _Entry:
        with self._lock:
            entry = self._entries.setdefault(origin, _Entry())
            self._entries.move_to_end(origin)
            if len(self._entries) > _KEPT_ORIGINS:
                self._entries.popitem(last=False)
            return entry

    def _known(self, entry: _Entry) -> Verdict | None:
        return entry.verdict if entry.until > self._clock.monotonic() else None

    def _keep(self, origin: str, verdict: Verdict) -> None:
        entry = self._entry(origin)
        entry.verdict, entry.until = verdict, self._clock.monotonic() + verdict.kept

    def _read(self, origin: str, ledger: Ledger, flight: Flight) -> Verdict:
        """Ask for a file, and keep what it says for every origin whose own file was met on the way."""
        asked = [origin + PATH]
        in_haste = flight.remaining < min(self._options.timeout, self._options.deadline) / 2
        try:
            verdict = self._follow(asked, ledger, flight)
        except (BudgetSpent, RateLimited):
            raise  # says nothing about the file
        except FetchError as error:
            if in_haste and isinstance(error, DeadlineExceeded):
                raise  # others have used the time up
            verdict = Verdict(error=error, kept=_KEPT_SILENT)
        for url in asked:
            if url == origin_of(url) + PATH:
                self._keep(origin_of(url), verdict)
        return verdict

    def _follow(self, asked: list[str], ledger: Ledger, flight: Flight) -> Verdict:
        while True:
            url = asked[-1]
            answer = self._ask(url, ledger, flight)
            with answer.body:
                if answer.location is None:
                    return self._judge(url, answer)
            target = as_sent(redirect_target(url, answer.location, allow_private=self._options.allow_private))
            if target in asked or len(asked) > MOST_HOPS:
                return Verdict()  # RFC 9309, 2.3.1.2: unavailable, the same as 404
            other = self._entry(origin_of(target))
            if target == origin_of(target) + PATH and (known := self._known(other)):
                return replace(known, kept=other.until - self._clock.monotonic())
            asked.append(target)

    def _ask(self, url: str, ledger: Ledger, flight: Flight) -> Answer:
        return self._courier.ask(
            Errand(
                url=url,
                step="robots",
                ledger=ledger,
                flight=flight,
                limit=MAX_ROBOTS,
                gap=self._options.pause,
                headers=self._headers,
                keep=BytesIO,
            )
        )

    def _judge(self, url: str, answer: Answer) -> Verdict:
        if answer.status == _TOO_MANY:
            wait = retry_after(answer.headers.get("Retry-After"), self._clock.time())
            seconds = DEFAULT_COOLING if wait is None else wait
            return Verdict(error=RateLimited(url, "robots.txt answered 429", seconds), kept=max(seconds, 1.0))
        if answer.status >= _SERVER_ERROR or answer.status < _OK:
            return Verdict(error=RobotsUnreachable(url, f"robots.txt answered {answer.status}"), kept=_KEPT_UNREACHABLE)
        if answer.status >= _ANSWERED:
            return Verdict()
        if answer.intake.error is not None:
            return Verdict(error=answer.intake.error, kept=_KEPT_SILENT)
        data = answer.body.read()
        if answer.intake.truncated:
            data = data[: max(data.rfind(b"\n"), data.rfind(b"\r")) + 1]
            if not data and answer.intake.size < MAX_ROBOTS:
                return Verdict(error=Unreachable(url, answer.intake.note), kept=_KEPT_SILENT)
        return Verdict(rules=parse_robots(data, self._token, url))
