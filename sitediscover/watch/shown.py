"""How a Watchlist shows itself in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pandas import DataFrame

    from sitediscover.watch.model import PollRecord, SourceInfo, SourceState, Stats


class Watching(Protocol):
    """What can be shown: sources, their logs, and figures."""

    def sources(self, *, children: bool = False, state: SourceState | None = None) -> Iterator[SourceInfo]:
        """Yield the sources."""
        ...

    def polls(self, number: int) -> tuple[PollRecord, ...]:
        """Return the last polls of a source, the latest first."""
        ...

    def stats(self) -> Stats:
        """Return the figures."""
        ...


class Shown:
    """A Watchlist, as far as it shows itself."""

    def frame(
        self: Watching, *, children: bool = False, state: SourceState | None = None, rates: bool = True
    ) -> DataFrame:
        """Return the sources as a pandas frame, one a row.

        Args:
            children: also the single documents of sitemap trees and sections.
            state: only those.
            rates: fill `rate`, new articles a day by the last thirty polls, which takes one query more for each.

        Returns:
            What `SourceInfo` tells, and `rate`; times are in UTC, spans in seconds.

        Raises:
            MissingPackage: pandas is not installed.
        """
        from sitediscover.display.frames import watch_frame  # noqa: PLC0415 - pandas may not be there

        return watch_frame(self, children=children, state=state, rates=rates)

    def _repr_html_(self: Watching) -> str:
        from sitediscover.display.lists import watch_card  # noqa: PLC0415 - only a notebook draws

        return watch_card(self)
