"""One sitemap while it is read: its entries as they come, and what they add up to."""

from __future__ import annotations

import zlib
from datetime import timedelta
from http import HTTPStatus
from itertools import chain, islice
from typing import TYPE_CHECKING

from sitediscover.errors import (
    BlockedAddress,
    CrawlDelayTooLong,
    FetchError,
    RateLimited,
    RobotsDisallow,
    UnsupportedUrl,
)
from sitediscover.model import Precision
from sitediscover.parse.sitemap import SitemapKind, parse_sitemap
from sitediscover.walk.lastmod import LastmodTally
from sitediscover.walk.model import SitemapStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from datetime import datetime

    from sitediscover.fetch import Stream
    from sitediscover.model import SitemapEntry
    from sitediscover.walk.rows import Task

_REFUSALS = (BlockedAddress, CrawlDelayTooLong, RateLimited, RobotsDisallow, UnsupportedUrl)
# What a status means for a file: the first range that holds it. 202 is a bot wall's answer, never a file (fundus#936).
_STATUSES: tuple[tuple[Container[int], SitemapStatus], ...] = (
    ((HTTPStatus.OK,), SitemapStatus.OK),
    ((HTTPStatus.NO_CONTENT,), SitemapStatus.EMPTY),
    ((HTTPStatus.NOT_FOUND, HTTPStatus.GONE), SitemapStatus.ABSENT),
    ((HTTPStatus.ACCEPTED, *range(400, 500)), SitemapStatus.BLOCKED),
    (range(500, 600), SitemapStatus.UNREACHABLE),
)
# How long what a date tells may last: a page dated 2024-05 may have changed on any day of May.
_SPANS = {
    Precision.YEAR: timedelta(days=366),
    Precision.MONTH: timedelta(days=31),
    Precision.DAY: timedelta(days=1),
}


def status_of_error(error: FetchError) -> SitemapStatus:
    """Return what a failed request says of a file."""
    return SitemapStatus.BLOCKED if isinstance(error, _REFUSALS) else SitemapStatus.UNREACHABLE


def status_of_answer(stream: Stream) -> SitemapStatus:
    """Return what an answer says of a file before its body is looked at; OK where the body has the say."""
    if "cf-mitigated" in stream.headers:  # Cloudflare's challenge, whatever its status
        return SitemapStatus.BLOCKED
    return next((status for codes, status in _STATUSES if stream.status in codes), SitemapStatus.MALFORMED)


def older_than(entry: SitemapEntry, since: datetime) -> bool:
    """Say whether an entry is certainly older than a moment: undated ones, and dates that may reach it, are not.

    Args:
        entry: a page, or a child of an index.
        since: aware.
    """
    latest = [_end(entry.modified, _SPANS.get(entry.modified_precision or Precision.SECOND))] if entry.modified else []
    if entry.published:
        # How much of this date was told is not known: midnight is what a day alone reads as.
        at_midnight = entry.published.time().isoformat() == "00:00:00"
        latest.append(_end(entry.published, _SPANS[Precision.DAY] if at_midnight else None))
    return bool(latest) and max(latest) < since


def _end(at: datetime, span: timedelta | None) -> datetime:
    try:
        return at + span if span else at
    except OverflowError:  # the last year that there is
        return at


class SitemapFile:
    """A sitemap that has answered, while its entries are read.

    Args:
        task: what was asked for.
        stream: the answer.
        now: seconds since 1970.

    Attributes:
        read: how many entries were taken.
        seal: a checksum of their addresses.
        done: how many of the first entries were given by an earlier walk.
        is_empty: it has no entries.
        closed, older, off_site, skipped: counted by whoever takes the entries.
        capped: whoever took them has left some out, being too many.
    """

    def __init__(self, task: Task, stream: Stream, now: float) -> None:
        self.task = task
        self.stream = stream
        self.read = self.seal = self.closed = self.older = self.off_site = self.skipped = 0
        self.capped = False
        self._tally = LastmodTally(now)
        self._parsed = parse_sitemap(stream, stream.final_url)
        self.kind = self._parsed.kind
        start = list(islice(self._parsed, max(1, task.done)))
        self.is_empty = not start
        # A file that has changed since is read from its start: better twice than never.
        self.done = task.done if len(start) >= task.done and seal_of(start[: task.done]) == task.seal else 0
        self._entries = chain(start, self._parsed)

    @property
    def url(self) -> str:
        """Return its address as it was named."""
        return self.task.url

    @property
    def final_url(self) -> str:
        """Return the address that answered."""
        return self.stream.final_url

    @property
    def is_new(self) -> bool:
        """Say whether the entry that was read last was not given by an earlier walk."""
        return self.read > self.done

    def __iter__(self) -> Iterator[SitemapEntry]:
        return self

    def __next__(self) -> SitemapEntry:
        entry = next(self._entries)
        self.read += 1
        self.seal = _sealed(self.seal, entry)
        self._tally.add(entry)
        return entry

    @property
    def trust(self) -> str | None:
        """Return whether its dates can be relied on."""
        trust = self._tally.trust
        return trust.value if trust else None

    @property
    def dropped(self) -> int:
        """Return how many of its entries had no whole or no usable address."""
        return self._parsed.dropped

    @property
    def truncated(self) -> bool:
        """Say whether it ended before its end, or a cap ended it; certain once it was read."""
        return self.capped or self._parsed.truncated or self.stream.truncated or self._parsed.capped

    @property
    def error(self) -> str | None:
        """Return what went wrong or had to be repaired, in words."""
        broken = f"{type(self.stream.error).__name__}: {self.stream.error.detail}" if self.stream.error else None
        return "; ".join(filter(None, (self._parsed.error, broken))) or None

    @property
    def status(self) -> SitemapStatus:
        """Return what came of it, once it was read."""
        return next((status for status, holds in _VERDICTS if holds(self)), SitemapStatus.OK)

    def refused_as(self, words: str) -> bool:
        """Say whether the parser has refused it in these words."""
        return self.kind is SitemapKind.ERROR and (self._parsed.error or "").startswith(words)


# The first that holds is what came of a file.
_VERDICTS: tuple[tuple[SitemapStatus, Callable[[SitemapFile], bool]], ...] = (
    (SitemapStatus.UNREACHABLE, lambda file: not file.read and file.stream.error is not None),
    (SitemapStatus.SOFT_404, lambda file: file.refused_as("HTML")),
    # Where gzip was cut before anything came out, the file seems empty and is not.
    (SitemapStatus.TRUNCATED, lambda file: file.truncated and (file.refused_as("empty") or not file.refused_as(""))),
    (SitemapStatus.EMPTY, lambda file: file.refused_as("empty")),
    (SitemapStatus.MALFORMED, lambda file: file.error is not None or (not file.read and file.dropped > 0)),
    (SitemapStatus.EMPTY, lambda file: not file.read),
)


def seal_of(entries: list[SitemapEntry]) -> int:
    """Return the checksum of some entries' addresses."""
    seal = 0
    for entry in entries:
        seal = _sealed(seal, entry)
    return seal


def _sealed(seal: int, entry: SitemapEntry) -> int:
    return zlib.crc32(entry.url.encode("utf-8", "replace"), seal)
