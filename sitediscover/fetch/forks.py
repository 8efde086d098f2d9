"""What a forked process must not go on with.

It has its parent's connections, whose answers both would read, and queues in which threads stand that it does not have.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable

Held = TypeVar("Held")

_HELD: WeakKeyDictionary[Any, Callable[[Any], None]] = WeakKeyDictionary()


def renew_after_fork(holder: Held, renew: Callable[[Held], None]) -> None:
    """Let an object begin anew in each process that is forked from this one.

    Args:
        holder: is not kept alive.
        renew: is called with it.
    """
    _HELD[holder] = renew


def _renew_all() -> None:
    for holder, renew in list(_HELD.items()):
        renew(holder)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
