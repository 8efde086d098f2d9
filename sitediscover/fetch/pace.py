"""One request at a time per host, in the order of asking, and a pause between them."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONGEST_COOLING = 24 * 3600.0
"""Most seconds that a Retry-After is believed."""

DEFAULT_COOLING = 60.0
"""Seconds that a host rests after a 429 that names no time (RFC 6585, 4 leaves it to us)."""

_KEPT_LANES = 4_096
_WEB_PORTS = (None, 80, 443)
_INTERRUPT_CHECK = 1.0


class Clock(Protocol):
    """What time is asked of; a test passes its own."""

    def monotonic(self) -> float:
        """Return seconds that only ever grow."""
        ...

    def time(self) -> float:
        """Return seconds since 1970, UTC."""
        ...

    def sleep(self, seconds: float) -> None:
        """Return after that many seconds."""
        ...


class SystemClock:
    """The machine's own clock."""

    def monotonic(self) -> float:
        """Return seconds that only ever grow."""
        return time.monotonic()

    def time(self) -> float:
        """Return seconds since 1970, UTC."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Return after that many seconds."""
        time.sleep(seconds)


class _Ticket(threading.Event):
    def __init__(self) -> None:
        super().__init__()
        self.owner = threading.get_ident()


class Line:
    """A queue: first come, first served, and who leaves it, by whatever error, holds nobody up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tickets: list[_Ticket] = []

    @contextmanager
    def place(self) -> Iterator[None]:
        """Wait for our turn and hold it."""
        ticket = _Ticket()
        try:
            with self._lock:
                # Nobody stands here twice: a place that one has still is left of a call that Ctrl-C ended.
                self._tickets = [other for other in self._tickets if other.owner != ticket.owner]
                self._tickets.append(ticket)
                self._tickets[0].set()
            # A wait without a timeout cannot be interrupted on Windows: Ctrl-C has to get through.
            while not ticket.wait(_INTERRUPT_CHECK):
                pass
            yield
        finally:
            try:
                self._leave(ticket)
            finally:
                self._leave(ticket)  # again: Ctrl-C may have come in the midst of it

    def _leave(self, ticket: _Ticket) -> None:
        with self._lock:
            if ticket in self._tickets:
                self._tickets.remove(ticket)
            if self._tickets:
                self._tickets[0].set()


class Lane:
    """The queue of one host: first come, first served.

    Attributes:
        cool_until: when the host may be asked again, by the monotonic clock; it has asked for this rest.
        users: callers that hold the lane or stand in it.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._line = Line()
        self._free_at = float("-inf")
        self._resting: dict[str, float] = {}
        self.cool_until = float("-inf")
        self.users = 0

    @contextmanager
    def turn(self, gap: float, check: Callable[[], None]) -> Iterator[None]:
        """Wait for our turn and hold it; the pause that follows begins when the turn ends.

        Args:
            gap: seconds since the end of the last answer.
            check: asked once we are first in line, before the pause; where it raises, nothing is waited for.
        """
        with self._line.place():
            check()
            wait = max(self._free_at + gap, self.cool_until) - self._clock.monotonic()
            if wait > 0:
                self._clock.sleep(wait)
            try:
                yield
            finally:
                self._free_at = self._clock.monotonic()

    def cooling(self) -> float:
        """Return for how many more seconds the host asked not to be asked."""
        return max(0.0, self.cool_until - self._clock.monotonic())

    def resting(self, url: str) -> float:
        """Return for how many more seconds one address of the host is not to be asked."""
        return max(0.0, self._resting.get(url, float("-inf")) - self._clock.monotonic())

    def cool(self, seconds: float) -> None:
        """Keep everyone away from the host."""
        self.cool_until = max(self.cool_until, self._clock.monotonic() + seconds)

    def rest(self, url: str, seconds: float) -> None:
        """Keep everyone away from one address."""
        now = self._clock.monotonic()
        self._resting = {key: until for key, until in self._resting.items() if until > now} | {url: now + seconds}

    def idle(self) -> bool:
        """Say whether nothing would be lost with this lane."""
        over = max(self._free_at, self.cool_until, *self._resting.values(), float("-inf"))
        return self.users == 0 and over + DEFAULT_COOLING < self._clock.monotonic()


class Lanes:
    """The queues of all hosts; hosts never wait for each other."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._lanes: dict[str, Lane] = {}

    @contextmanager
    def lane(self, url: str) -> Iterator[Lane]:
        """Hold the lane of a URL's host: http and https of one host stand in one queue.

        Another port is another server; those are only asked where `allow_private` is given.

        Args:
            url: a normalised URL.
        """
        parts = urlsplit(url)
        host = parts.hostname or ""
        key = host if parts.port in _WEB_PORTS else f"{host}:{parts.port}"
        with self._lock:
            if len(self._lanes) >= _KEPT_LANES and key not in self._lanes:
                self._lanes = {name: lane for name, lane in self._lanes.items() if not lane.idle()}
            lane = self._lanes.setdefault(key, Lane(self._clock))
            lane.users += 1
        try:
            yield lane
        finally:
            with self._lock:
                lane.users -= 1


def retry_after(value: str | None, now: float, *, longest: float = LONGEST_COOLING) -> float | None:
    """Return the seconds that a Retry-After header asks for.

    Args:
        value: the header: seconds, or a date (RFC 9110, 10.2.3).
        now: seconds since 1970.
        longest: most seconds that are believed.

    Returns:
        Seconds from now, or None where there is no header or it cannot be read.
    """
    text = (value or "").strip()[:64]
    if text.isascii() and text.isdigit():
        # int() refuses thousands of digits; ten already are more than we believe.
        return min(float(text), longest) if len(text) < 11 else longest  # noqa: PLR2004
    try:
        moment = parsedate_to_datetime(text)
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return min(max(0.0, aware.timestamp() - now), longest)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
