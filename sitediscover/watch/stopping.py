"""What tells a run to stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias


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
