"""A bar for who waits at a terminal."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Protocol

from sitediscover.errors import MissingPackage

if TYPE_CHECKING:
    from contextlib import AbstractContextManager


class Bar(Protocol):
    """What counts."""

    def update(self, n: int = 1) -> object:
        """Count some more."""
        ...


class _NoBar:
    def update(self, n: int = 1) -> object:
        """Count nothing."""


def bar(total: int, *, wanted: bool) -> AbstractContextManager[Bar]:
    """Return a progress bar on stderr, or nothing much where none is wanted or nobody would see it.

    Args:
        total: how many sites there are.
        wanted: the caller asks for it.

    Raises:
        MissingPackage: it is wanted and tqdm is not installed.
    """
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        return nullcontext(_NoBar())
    try:
        from tqdm import tqdm  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingPackage("progress needs tqdm: pip install 'sitediscover[progress]'") from error
    made: AbstractContextManager[Bar] = tqdm(total=total, unit=" sites", file=sys.stderr, dynamic_ncols=True)
    return made
