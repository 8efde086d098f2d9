"""A clock that nobody waits for."""

from __future__ import annotations

import threading
from datetime import UTC, datetime


class FakeClock:
    """A clock whose sleeps only move its hands; safe on threads.

    Attributes:
        slept: the seconds of each sleep, in order.
    """

    def __init__(self, start: datetime | float = 1_767_225_600.0) -> None:
        """Set the clock.

        Args:
            start: an aware time of day, or seconds since 1970; the first second of 2026 where none is given.
        """
        self._start = start.timestamp() if isinstance(start, datetime) else start
        self._elapsed = 0.0
        self._lock = threading.Lock()
        self.slept: list[float] = []

    @property
    def now(self) -> datetime:
        """Return what the clock shows, in UTC."""
        return datetime.fromtimestamp(self.time(), UTC)

    def monotonic(self) -> float:
        """Return seconds that only ever grow; where they count from means nothing."""
        return 1_000.0 + self._elapsed

    def time(self) -> float:
        """Return seconds since 1970."""
        return self._start + self._elapsed

    def sleep(self, seconds: float) -> None:
        """Note the sleep and move the hands.

        Args:
            seconds: how long nobody really sleeps.
        """
        with self._lock:
            self.slept.append(seconds)
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        """Move the hands, as time that passes without a sleep does.

        Args:
            seconds: how far; they never go back.
        """
        with self._lock:
            self._elapsed += max(0.0, seconds)
