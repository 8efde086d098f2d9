"""Whether the lastmod dates of a sitemap can be relied on. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitediscover.walk.model import LastmodTrust

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sitediscover.model import SitemapEntry

MIN_DATED = 5
"""Dated entries below which nothing can be said of how their dates are spread."""

ABSENT_SHARE = 0.1
"""Share of its entries, 0 to 1, that must be dated for a file to be said to have dates."""

FUTURE_SHARE = 0.05
"""Share of its dates, 0 to 1, that may lie in the future."""

FUTURE_SECONDS = 86_400.0
"""Seconds ahead of now from which a date lies in the future: a date without a zone may be half a day off."""

MOST = 0.95
"""Share of its dates, 0 to 1, that makes them all the same, or all now; a page or two are edited by hand."""

NOW_SECONDS = 3_600.0
"""Seconds before now within which a date was made up when the file was asked for, or shortly before, for a cache."""

SAME_SECONDS = 600.0
"""Seconds that a program may take to stamp all the files of one build."""

_MOST_MINUTES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figures:
    """The counts that the rules below are written in."""

    dated_share: float
    dated: int
    future_share: float
    now_share: float
    same_share: float
    span: float


# The first rule that holds decides. Who writes the time of the request writes one time for all: now goes first.
_RULES: tuple[tuple[LastmodTrust, Callable[[_Figures], bool]], ...] = (
    (LastmodTrust.ABSENT, lambda f: not f.dated or f.dated_share < ABSENT_SHARE),
    (LastmodTrust.FUTURE, lambda f: f.future_share > FUTURE_SHARE),
    (LastmodTrust.ALL_NOW, lambda f: f.dated >= MIN_DATED and f.now_share >= MOST),
    (LastmodTrust.ALL_SAME, lambda f: f.dated >= MIN_DATED and (f.same_share >= MOST or f.span <= SAME_SECONDS)),
)


class LastmodTally:
    """Counts the dates of one file as they go by.

    Args:
        now: seconds since 1970.
    """

    def __init__(self, now: float) -> None:
        self._now = now
        self._count = self._dated = self._future = self._recent = 0
        self._first, self._last = float("inf"), float("-inf")
        self._minutes: Counter[int] = Counter()

    def add(self, entry: SitemapEntry) -> None:
        """Count an entry."""
        self._count += 1
        if entry.modified is None:
            return
        at = entry.modified.timestamp()
        self._dated += 1
        ahead = at - self._now
        if ahead > FUTURE_SECONDS:
            self._future += 1
        elif ahead >= -NOW_SECONDS:
            self._recent += 1
        self._first, self._last = min(self._first, at), max(self._last, at)
        minute = int(at // 60)
        if minute in self._minutes or len(self._minutes) < _MOST_MINUTES:
            self._minutes[minute] += 1

    @property
    def trust(self) -> LastmodTrust | None:
        """Return what is to be thought of the dates; None where there were no entries."""
        if not self._count:
            return None
        dated = max(1, self._dated)
        figures = _Figures(
            dated_share=self._dated / self._count,
            dated=self._dated,
            future_share=self._future / dated,
            now_share=self._recent / dated,
            same_share=max(self._minutes.values(), default=0) / dated,
            span=self._last - self._first,
        )
        return next((trust for trust, holds in _RULES if holds(figures)), LastmodTrust.FINE)


def overall(judged: Iterable[tuple[LastmodTrust, int]]) -> LastmodTrust | None:
    """Return what is to be thought of a whole site's dates: what most of its entries say.

    Args:
        judged: the verdict on each file, and how many entries it has.

    Returns:
        The verdict, None where no file was judged.
    """
    weights: Counter[LastmodTrust] = Counter()
    for trust, entries in judged:
        weights[trust] += entries
    return max(weights, key=weights.__getitem__) if weights else None
