"""A walk's state as it comes back: plain JSON types from who knows where, looked at before they are used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Self

from sitediscover.errors import InvalidData, InvalidSite
from sitediscover.serial import from_plain
from sitediscover.urls import parse_site
from sitediscover.walk.rows import Result, Row, Task, checked

if TYPE_CHECKING:
    from collections.abc import Mapping

VERSION = 1
"""The version of what `SitemapWalk.state` returns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedWalk:
    """What a state tells.

    Attributes:
        site: the site: its origin, or what the caller gave where the walk had not begun.
        begun: robots.txt was read, and the first files are known.
        since: as for the walk.
        max_depth: as for the walk.
        respect_robots: as for the walk.
        pending: rows of the files that are to be read.
        reports: rows of those that were.
    """

    site: str
    begun: bool
    since: datetime | None
    max_depth: int
    respect_robots: bool
    pending: list[Row]
    reports: list[Row]

    @classmethod
    def of(cls, state: Mapping[str, object]) -> Self:
        """Return what a state tells.

        Args:
            state: what `SitemapWalk.state` returned.

        Raises:
            InvalidData: it is no such state, or of another version.
        """
        version = state.get("version") if isinstance(state, dict) else None
        if version != VERSION:
            raise InvalidData(f"not the state of a walk, or of another version than {VERSION}: {version!r:.20}")
        told = {name: from_plain(kind, state.get(name)) for name, kind in _SETTINGS.items()}
        _check(str(told["site"]), told["max_depth"])
        reports = checked(state.get("reports"), Result)
        pending = checked(state.get("pending"), Task, reports)
        return cls(**told, pending=pending, reports=reports)  # type: ignore[arg-type]  # from_plain has looked at them


def _check(site: str, max_depth: object) -> None:
    try:
        parse_site(site)
    except InvalidSite as error:
        raise InvalidData(f"the state of a walk through no site: {error}") from error
    if not isinstance(max_depth, int) or max_depth < 0:
        raise InvalidData(f"max_depth is 0 or more, not {max_depth!r:.40}")


_SETTINGS: dict[str, object] = {
    "site": str,
    "begun": bool,
    "since": datetime | None,
    "max_depth": int,
    "respect_robots": bool,
}
