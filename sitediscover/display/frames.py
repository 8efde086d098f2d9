"""Results as pandas frames: every column has its type, also in an empty frame; every time is in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING

from sitediscover.display.waterfall import starts
from sitediscover.errors import MissingPackage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pandas import DataFrame, Series

    from sitediscover.entry import SitemapEntry
    from sitediscover.model import Request, Source
    from sitediscover.walk.model import SitemapReport
    from sitediscover.watch.model import PollRecord, SourceInfo, SourceState
    from sitediscover.watch.shown import Watching

TEXT, COUNT, NUMBER, YES_NO, TIME = "string", "Int64", "float64", "boolean", "datetime64[us, UTC]"
"""The types of columns; all but NUMBER, which has NaN, know a missing value."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_DAY = timedelta(days=1)

_REQUESTS = {
    "step": TEXT,
    "url": TEXT,
    "status": COUNT,
    "size": COUNT,
    "start": NUMBER,
    "seconds": NUMBER,
    "note": TEXT,
}
_SOURCES = {
    "kind": TEXT,
    "url": TEXT,
    "title": TEXT,
    "found_by": TEXT,
    "found_on": TEXT,
    "media_type": TEXT,
    "language": TEXT,
    "articles": COUNT,
    "sections": COUNT,
    "siblings": COUNT,
    "judged": COUNT,
    "article_share": NUMBER,
    "section_share": NUMBER,
    "dated_share": NUMBER,
    "newest": TIME,
    "flags": TEXT,
}
_ENTRIES = {
    "url": TEXT,
    "sitemap": TEXT,
    "modified": TIME,
    "modified_precision": TEXT,
    "published": TIME,
    "title": TEXT,
    "language": TEXT,
    "publication": TEXT,
    "off_site": YES_NO,
    "changefreq": TEXT,
    "priority": TEXT,
}
_REPORTS = {
    "url": TEXT,
    "kind": TEXT,
    "status": TEXT,
    "entries": COUNT,
    "truncated": YES_NO,
    "error": TEXT,
    "final_url": TEXT,
    "parent": TEXT,
    "depth": COUNT,
    "closed": COUNT,
    "older": COUNT,
    "off_site": COUNT,
    "skipped": COUNT,
    "dropped": COUNT,
    "lastmod_trust": TEXT,
}
_WATCHED = {
    "id": COUNT,
    "site": TEXT,
    "origin": TEXT,
    "kind": TEXT,
    "url": TEXT,
    "title": TEXT,
    "state": TEXT,
    "role": TEXT,
    "parent": COUNT,
    "replaces": COUNT,
    "interval": NUMBER,
    "rate": NUMBER,
    "next_at": TIME,
    "last_ok": TIME,
    "last_new": TIME,
    "failures": NUMBER,
    "error": TEXT,
    "gaps": COUNT,
    "moved_to": TEXT,
    "max_age": NUMBER,
    "added_at": TIME,
}


def requests_frame(requests: Sequence[Request]) -> DataFrame:
    """Return requests, one a row.

    Args:
        requests: in their order.

    Raises:
        MissingPackage: pandas is not installed.
    """
    return _frame(_REQUESTS, ((request, {"start": at}) for request, at in zip(requests, starts(requests), strict=True)))


def sources_frame(sources: Iterable[Source]) -> DataFrame:
    """Return sources, one a row: lists as their lengths, evidence as its figures.

    Args:
        sources: best first.

    Raises:
        MissingPackage: pandas is not installed.
    """
    return _frame(_SOURCES, ((source, _source(source)) for source in sources))


def _source(source: Source) -> Mapping[str, object]:
    evidence = source.evidence
    lengths = {name: len(getattr(source, name)) for name in ("articles", "sections", "siblings")}
    if evidence is None:
        return lengths
    shares = {name: getattr(evidence, name) for name in ("article_share", "section_share", "dated_share")}
    flags = ", ".join(evidence.flags)
    return {**lengths, **shares, "judged": evidence.count, "newest": evidence.newest, "flags": flags}


def entries_frame(entries: Iterable[SitemapEntry], limit: int | None = None) -> DataFrame:
    """Return pages that sitemaps list, one a row.

    Args:
        entries: a walk, or any entries; read as far as needed.
        limit: most rows; None for all.

    Raises:
        MissingPackage: pandas is not installed.
    """
    return _frame(_ENTRIES, ((entry, {"publication": _publication(entry)}) for entry in islice(entries, limit)))


def _publication(entry: SitemapEntry) -> str | None:
    return None if entry.news is None else entry.news.publication


def reports_frame(reports: Iterable[SitemapReport]) -> DataFrame:
    """Return what came of the files of a walk, one a row.

    Args:
        reports: in their order.

    Raises:
        MissingPackage: pandas is not installed.
    """
    return _frame(_REPORTS, ((report, {}) for report in reports))


def watch_frame(watch: Watching, *, children: bool, state: SourceState | None, rates: bool) -> DataFrame:
    """Return the sources of a Watchlist, one a row.

    Args:
        watch: what is followed.
        children: also the single documents of trees.
        state: only those.
        rates: read each source's log for its rate.

    Raises:
        MissingPackage: pandas is not installed.
    """

    def told(info: SourceInfo) -> Mapping[str, object]:
        return {"rate": rate(watch.polls(info.id)) if rates else None}

    return _frame(_WATCHED, ((info, told(info)) for info in watch.sources(children=children, state=state)))


def rate(polls: Sequence[PollRecord]) -> float | None:
    """Return how many new articles a day a source has told; None where fewer than two polls were answered in order.

    Args:
        polls: the latest first. The earliest says only where the time begins: what it listed came before.
    """
    answered = [poll for poll in polls if poll.status is not None and poll.status < 400]  # noqa: PLR2004 - RFC 9110
    if len(answered) < 2 or answered[0].at <= answered[-1].at:  # noqa: PLR2004 - both ends of a time
        return None
    return sum(poll.new for poll in answered[:-1]) / ((answered[0].at - answered[-1].at) / _DAY)


def _frame(columns: Mapping[str, str], rows: Iterable[tuple[object, Mapping[str, object]]]) -> DataFrame:
    """Build a frame.

    Args:
        columns: the type of each.
        rows: an object whose attributes are the values, and values that go before them.
    """
    try:
        from pandas import DataFrame  # noqa: PLC0415 - an extra, and half a second to import
    except ModuleNotFoundError as error:
        if error.name != "pandas":
            raise
        raise MissingPackage("frames need pandas: pip install 'sitediscover[notebook]'") from error
    values: dict[str, list[object]] = {name: [] for name in columns}
    for thing, told in rows:
        for name, column in values.items():
            column.append(told[name] if name in told else getattr(thing, name, None))
    return DataFrame({name: _series(column, columns[name]) for name, column in values.items()}, columns=list(columns))


def _series(values: list[object], kind: str) -> Series:
    from pandas import Series  # noqa: PLC0415 - _frame has found it

    if kind == TIME:
        from numpy import array  # noqa: PLC0415 - comes with pandas

        # Whole microseconds: the way over pandas' own reading of dates ends at the years 1677 and 2262.
        return Series(array([_microseconds(at) for at in values], dtype="datetime64[us]")).dt.tz_localize("UTC")
    if kind == TEXT:
        values = [value if value is None else str(value) for value in values]
    return Series(values, dtype=kind)


def _microseconds(at: object) -> int | None:
    """Return a time as microseconds since 1970; None where there is none that a calendar in UTC holds."""
    if not isinstance(at, datetime):
        return None
    try:
        return (at.astimezone(UTC) - _EPOCH) // _MICROSECOND
    except OverflowError:  # the first or the last day that Python knows, in another zone
        return None
