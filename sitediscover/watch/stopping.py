"""What tells a run to stop, and a poll that its caller has enough."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from sitediscover.fetch import Clock

_NAP = 1.0


class Flag(Protocol):
    """What tells a run to stop: a `threading.Event`, or anything like it."""

    def is_set(self) -> bool:
        """Say whether it is time to stop."""
        ...


Stop: TypeAlias = Flag | Callable[[], bool] | None


def as_function(stop: Stop) -> Callable[[], bool]:
    """Return what tells it as a function."""
    if stop is None:
        return lambda: False
    return stop if callable(stop) else stop.is_set


class Enough:
    """Says when a caller has enough.

    Args:
        limit: articles that are wanted; None for all.
        ends: asked before each host and after each article.
    """

    def __init__(self, limit: int | None = None, ends: Callable[[], bool] = lambda: False) -> None:
        self._left = limit
        self._ends = ends

    def __call__(self) -> bool:
        """Say whether it is enough."""
        return self._left == 0 or self._ends()

    def delivered(self) -> None:
        """Count an article."""
        if self._left is not None:
            self._left -= 1


def sleep(clock: Clock, seconds: float, ends: Callable[[], bool]) -> None:
    """Sleep until time is up, or until it is time to end, which is asked every second.

    Args:
        clock: what time is asked of; one that is set back meanwhile makes it no longer.
        seconds: how long.
        ends: says when to end.
    """
    until = clock.monotonic() + seconds
    while (left := until - clock.monotonic()) > 0 and not ends():
        clock.sleep(min(left, _NAP))
