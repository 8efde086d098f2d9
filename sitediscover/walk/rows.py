"""What a walk remembers of each file: short lists of plain JSON types, so that its state is a copy and no conversion.

A walk of 5,000 files is saved after each of them: objects are only made where someone looks at them. A row is never
changed once it is made.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, get_type_hints

from sitediscover.errors import InvalidData, InvalidUrl
from sitediscover.parse.sitemap import SitemapKind
from sitediscover.serial import from_plain
from sitediscover.urls import normalise_url
from sitediscover.walk.model import LastmodTrust, SitemapReport, SitemapStatus, SitemapStub

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Plain: TypeAlias = "str | int | None"
Row: TypeAlias = "list[Plain]"


class Task(NamedTuple):
    """A file that is to be read; its fields are those of its row, in order.

    Attributes:
        url: its address.
        modified: its lastmod in the index, ISO 8601.
        parent: the number of the report of the index that lists it.
        depth: how many indexes stand above it.
        guess: its name was guessed.
        done: how many of its entries were given already.
        seal: a checksum of their addresses.
    """

    url: str
    modified: str | None = None
    parent: int | None = None
    depth: int = 0
    guess: int = 0
    done: int = 0
    seal: int = 0

    @classmethod
    def of(cls, row: Row) -> Task:
        """Return the task that a row tells."""
        return cls(*row)  # type: ignore[arg-type]  # `checked` has looked at them

    def stub(self, reports: Sequence[Row]) -> SitemapStub:
        """Return what the user sees of it."""
        return SitemapStub(
            url=self.url,
            modified=datetime.fromisoformat(self.modified) if self.modified else None,
            parent=_name(reports, self.parent),
            depth=self.depth,
        )


class Result(NamedTuple):
    """What came of a file; its fields are those of its row, in order: those that are seldom told come last."""

    url: str
    kind: str | None = None
    entries: int = 0
    trust: str | None = None
    parent: int | None = None
    depth: int = 0
    status: str = SitemapStatus.OK.value
    error: str | None = None
    final_url: str | None = None
    closed: int = 0
    older: int = 0
    off_site: int = 0
    skipped: int = 0
    truncated: int = 0
    dropped: int = 0

    @classmethod
    def of(cls, row: Row) -> Result:
        """Return the result that a row tells."""
        return cls(*row)  # type: ignore[arg-type]  # `checked` has looked at them

    def report(self, reports: Sequence[Row]) -> SitemapReport:
        """Return what the user sees of it."""
        return SitemapReport(
            url=self.url,
            kind=SitemapKind(self.kind) if self.kind else None,
            status=SitemapStatus(self.status),
            entries=self.entries,
            truncated=bool(self.truncated),
            error=self.error,
            final_url=self.final_url,
            parent=_name(reports, self.parent),
            depth=self.depth,
            closed=self.closed,
            older=self.older,
            off_site=self.off_site,
            skipped=self.skipped,
            dropped=self.dropped,
            lastmod_trust=LastmodTrust(self.trust) if self.trust else None,
        )


def row_of(values: Task | Result) -> Row:
    """Return a row, without the defaults at its end."""
    defaults = values._field_defaults
    kept = len(values)
    while kept > 1 and values[kept - 1] == defaults[values._fields[kept - 1]]:
        kept -= 1
    return list(values[:kept])


def _name(reports: Sequence[Row], number: int | None) -> str | None:
    return None if number is None else str(reports[number][0])


def _read_count(number: object) -> None:
    if isinstance(number, int) and not 0 <= number < _END_OF_COUNTS:
        raise InvalidData(f"not a count: {number!r:.40}")


_END_OF_COUNTS = 2**63
# What reads the values of a field, and raises where they are none; all but these are texts, or counts.
_READERS: dict[tuple[type, str], Callable[[object], object]] = {
    (Task, "url"): lambda url: normalise_url(str(url)),
    (Task, "modified"): lambda moment: from_plain(datetime | None, moment),
    (Result, "kind"): lambda kind: from_plain(SitemapKind | None, kind),
    (Result, "trust"): lambda trust: from_plain(LastmodTrust | None, trust),
    (Result, "status"): lambda status: from_plain(SitemapStatus, status),
}
_HINTS = {kind: list(get_type_hints(kind).values()) for kind in (Task, Result)}


def checked(rows: object, kind: type[Task | Result], reports: Sequence[Row] | None = None) -> list[Row]:
    """Return rows as they came from a state, each certain to tell what it should.

    Args:
        rows: anything.
        kind: what each of them tells.
        reports: those that they name as their parents; None for the rows themselves.

    Raises:
        InvalidData: they do not.
    """
    if not isinstance(rows, list) or not {type(row) for row in rows} <= {list}:
        raise InvalidData(f"a list of lists was expected, not {rows!r:.80}")
    hints, name = _HINTS[kind], kind.__name__.lower()
    # There are thousands of rows and few shapes of them.
    for shape in {tuple(map(type, row)) for row in rows}:
        if not 0 < len(shape) <= len(hints) or not all(map(issubclass, shape, hints)):
            raise InvalidData(f"not a {name} of a walk: {[told.__name__ for told in shape]}")
    for number, field in enumerate(kind._fields):
        _read_all({row[number] for row in rows if len(row) > number}, _READERS.get((kind, field), _read_count))
    place, known = kind._fields.index("parent"), len(rows if reports is None else reports)
    parents = {row[place] for row in rows if len(row) > place} - {None}
    if not all(0 <= parent < known for parent in parents):
        raise InvalidData(f"a {name} of a walk with an unknown parent")
    return rows


def _read_all(values: set[Plain], read: Callable[[object], object]) -> None:
    try:
        for value in values:
            read(value)
    except InvalidUrl as error:
        raise InvalidData(f"not the address of a sitemap: {error}") from error
