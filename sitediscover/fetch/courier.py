"""One request and its retries: in turn, counted, bounded, and told in the ledger."""

from __future__ import annotations

import random
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from sitediscover.errors import FetchError, RateLimited, Unreachable
from sitediscover.fetch.body import BROKEN, Intake, read_body
from sitediscover.fetch.door import prepared
from sitediscover.fetch.faults import fault, in_short
from sitediscover.fetch.guard import without_login
from sitediscover.fetch.pace import DEFAULT_COOLING, retry_after
from sitediscover.fetch.page import Headers, Outcome
from sitediscover.fetch.transport import CUT_HEADER, REDIRECTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import requests

    from sitediscover.fetch.door import Door
    from sitediscover.fetch.flight import Flight
    from sitediscover.fetch.ledger import Ledger
    from sitediscover.fetch.options import Options
    from sitediscover.fetch.pace import Clock, Lane, Lanes

RETRIES = 2
"""Most times that a request is made again."""

_BACK_OFF = 1.0
_OK, _BAD, _TIMEOUT, _TOO_MANY, _SERVER_ERROR, _UNAVAILABLE, _NO_STATUS = 200, 300, 408, 429, 500, 503, 600
_NO_BODY = (204, 205, 304, *REDIRECTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """What is to be asked.

    Attributes:
        url: the address.
        step: what it is asked for.
        ledger: who pays.
        flight: whose time is used.
        limit: most bytes of body.
        gap: seconds since the last answer of this host.
        headers: the request's headers.
        keep: makes the file that a body is kept in.
    """

    url: str
    step: str
    ledger: Ledger
    flight: Flight
    limit: int
    gap: float
    headers: dict[str, str]
    keep: Callable[[], IO[bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back.

    Attributes:
        status: the HTTP status.
        headers: the answer's headers.
        body: as received, inflated.
        intake: how reading it went.
    """

    status: int
    headers: Headers
    body: IO[bytes]
    intake: Intake

    @property
    def location(self) -> str | None:
        """Return where a redirect leads, as written; None where it leads nowhere."""
        return (self.headers.get("Location", "").strip() or None) if self.status in REDIRECTS else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attempt:
    """One request: an answer or an error, whether to ask again, and after how many seconds if the host said so."""

    answer: Answer | None = None
    error: FetchError | None = None
    again: bool = False
    wait: float | None = None


class Courier:
    """Makes requests, one at a time per host.

    Args:
        options: the session's.
        door: what sends.
        lanes: the hosts' queues.
        clock: what time is asked of.
    """

    def __init__(self, options: Options, door: Door, lanes: Lanes, clock: Clock) -> None:
        self._options = options
        self._door = door
        self._lanes = lanes
        self._clock = clock

    def ask(self, errand: Errand) -> Answer:
        """Make a request, and make it again where that may help.

        Args:
            errand: what is to be asked.

        Raises:
            FetchError: it was not made, or no answer came.
        """
        for number in range(RETRIES + 1):
            attempt = self._once(errand)
            wait = _BACK_OFF * 2**number * random.uniform(0.5, 1.5) if attempt.wait is None else attempt.wait  # noqa: S311 - no secret
            last = number == RETRIES or not attempt.again or not errand.ledger.remaining
            if last or wait >= errand.flight.remaining:
                break
            if attempt.answer is not None:
                attempt.answer.body.close()
            self._clock.sleep(wait)
        if attempt.answer is None:
            raise attempt.error or Unreachable(errand.url)
        return attempt.answer

    def _once(self, errand: Errand) -> _Attempt:
        request = prepared(errand.url, errand.headers)
        with self._lanes.lane(errand.url) as lane, ExitStack() as held:
            known = self._door.cached(request)
            if known is not None:
                with self._entry(errand, free=True) as outcome, errand.flight.asking(errand.url, errand.limit):
                    answer = self._take(known, errand, outcome)
                    outcome["note"] = f"from the cache; {outcome['note']}".removesuffix("; ")
                return _Attempt(answer=answer)
            with errand.flight.waiting():
                held.enter_context(lane.turn(errand.gap, lambda: self._may_ask(lane, errand)))
            attempt = self._send(request, errand)
            if attempt.answer is not None:
                self._heed(attempt.answer, attempt.wait, errand.url, lane)
            return attempt

    def _may_ask(self, lane: Lane, errand: Errand) -> None:
        errand.ledger.require(errand.url)
        cooling = lane.cooling()
        if cooling > self._options.deadline:
            raise RateLimited(errand.url, f"the host asked for rest; {cooling:.0f} s are left", cooling)
        if resting := lane.resting(errand.url):
            raise Unreachable(errand.url, f"503 a while ago, to be asked again in {resting:.0f} s")

    def _heed(self, answer: Answer, wait: float | None, url: str, lane: Lane) -> None:
        """Keep everyone away for as long as the host has asked, before the next in line has its turn."""
        if answer.status == _TOO_MANY:
            lane.cool(DEFAULT_COOLING if wait is None else wait)
        elif answer.status == _UNAVAILABLE and wait is not None:
            if wait > self._options.deadline:
                lane.rest(url, wait)
            else:
                lane.cool(wait)

    def _send(self, request: requests.PreparedRequest, errand: Errand) -> _Attempt:
        flight = errand.flight
        flight.check(errand.url)
        patience = min(self._options.timeout, flight.remaining)
        handled = sys.exception()
        with self._entry(errand) as outcome, flight.asking(errand.url, errand.limit):
            try:
                response = self._door.send(request, (patience, patience))
            except BROKEN as error:
                found, again = fault(error, errand.url, handled=handled)
                if not flight.remaining:
                    found, again = flight.exceeded(errand.url), False
                outcome["note"] = _note(found)
                return _Attempt(error=found, again=again)
            answer = self._take(response, errand, outcome)
        return _Attempt(answer=answer, again=_may_help(answer.status), wait=self._asked_wait(answer))

    def _take(self, response: requests.Response, errand: Errand, outcome: Outcome) -> Answer:
        status, headers = response.status_code, Headers(response.headers)
        outcome["status"] = status
        body, intake = errand.keep(), Intake()
        limit = errand.limit if status < _BAD else min(errand.limit, self._options.max_body)
        try:
            if status >= _OK and status not in _NO_BODY:
                intake = read_body(response, body.write, limit=limit, flight=errand.flight)
        except BaseException:
            body.close()
            raise
        finally:
            if response.raw is not None:
                response.close()
        if self._door.marks_cuts and CUT_HEADER in headers:
            intake.spoil(in_short(headers[CUT_HEADER]))
        answer = Answer(status=status, headers=headers, body=body, intake=intake)
        outcome["size"], outcome["note"] = intake.size, _answer_note(answer)
        body.seek(0)
        return answer

    def _asked_wait(self, answer: Answer) -> float | None:
        asked = answer.headers.get("Retry-After") if answer.status in {_TOO_MANY, _UNAVAILABLE} else None
        return retry_after(asked, self._clock.time())

    @contextmanager
    def _entry(self, errand: Errand, *, free: bool = False) -> Iterator[Outcome]:
        """Keep the ledger: the request stands in it before it is sent, and how it ended whatever happens."""
        number, started = None, self._clock.monotonic()
        outcome: Outcome = {"note": "interrupted"}
        try:
            number = errand.ledger.open(errand.step, errand.url, free=free)
            yield outcome
        except FetchError as error:
            outcome["note"] = _note(error)
            raise
        finally:
            if number is not None:
                seconds = self._clock.monotonic() - started
                try:
                    errand.ledger.close(number, seconds, **outcome)
                finally:
                    errand.ledger.close(number, seconds, **outcome)  # again: Ctrl-C may have come in the midst of it


def _may_help(status: int) -> bool:
    """Say whether a status may be another a moment later: never a refusal."""
    return status == _TIMEOUT or _SERVER_ERROR <= status < _NO_STATUS


def _note(error: FetchError) -> str:
    return in_short(f"{type(error).__name__}: {error.detail}")


def _answer_note(answer: Answer) -> str:
    if answer.status in REDIRECTS:
        return in_short(f"redirect to {without_login(answer.location)}") if answer.location else "redirect to nowhere"
    return answer.intake.note
