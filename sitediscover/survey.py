"""One survey of a site's sitemaps, shared by all strategies: no file is read twice, none beyond what is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from sitediscover.errors import FetchError
from sitediscover.judge import Judgement, best_child_first, best_name_first, judge
from sitediscover.model import Evidence, SourceKind
from sitediscover.parse.sitemap import SitemapKind, parse_sitemap
from sitediscover.urls import same_host, same_site

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from sitediscover.fetch import Stream
    from sitediscover.model import SitemapEntry

STEP = "sitemaps"
"""The step of the survey's requests in the log."""

MAX_FILES = 4
"""How many of the sitemaps that a site names are read."""

MAX_CHILDREN = 5
"""How many children of one index are read."""

MAX_ENTRIES = 50_000
"""Entries of one file kept in memory; sitemaps.org allows no more in a file."""

_OK = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyedSitemap:
    """One sitemap that was read and judged.

    Attributes:
        url: the address to poll: as it was named, or where it has moved for good.
        kind: what it can be followed as; None where it is of no use.
        evidence: the figures behind the verdict.
        last_resort: stale or mixed: of use only where nothing better turns up.
        entries: those that belong to the site.
        found_on: the robots.txt or the index that named it, None where its name was guessed.
        siblings: the other children of its index.
    """

    url: str
    kind: SourceKind | None
    evidence: Evidence
    last_resort: bool = False
    entries: tuple[SitemapEntry, ...] = ()
    found_on: str | None = None
    siblings: tuple[str, ...] = ()

    @property
    def useful(self) -> bool:
        """Say whether it ends the survey."""
        return self.kind is not None and not self.last_resort


class Reader(Protocol):
    """What the survey needs of a site."""

    @property
    def url(self) -> str:
        """Return the site's root."""

    def stream(self, url: str, *, step: str) -> Stream:
        """Open an address as a stream of inflated chunks."""

    def fail(self, strategy: str, url: str, error: str | Exception) -> None:
        """Note what went wrong without ending the search."""

    def now(self) -> datetime:
        """Return the present, aware."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    url: str
    kind: SitemapKind
    entries: tuple[SitemapEntry, ...]
    flags: tuple[str, ...]


class Survey:
    """Read and judge a site's sitemaps, one at a time, and remember them.

    Args:
        reader: the site.
        named: the addresses it names, or that are guessed.
        found_on: the robots.txt that named them; None where they are guessed.
    """

    def __init__(self, reader: Reader, named: Iterable[str], *, found_on: str | None) -> None:
        self._reader = reader
        self._found_on = found_on
        self._read_already: set[str] = set()
        self._files = best_name_first(named)[:MAX_FILES]
        self._seen: list[SurveyedSitemap] = []
        self._running = self._walk()

    @property
    def found_on(self) -> str | None:
        """Return the robots.txt that named the sitemaps; None where their names are guessed."""
        return self._found_on

    @property
    def unread(self) -> tuple[str, ...]:
        """Return the sitemaps that will be read, in order, as far as they are not read yet."""
        return tuple(url for url in self._files if url not in self._read_already)

    @property
    def seen(self) -> tuple[SurveyedSitemap, ...]:
        """Return what was read so far."""
        return tuple(self._seen)

    @property
    def useful(self) -> SurveyedSitemap | None:
        """Return the first useful one of what was read so far."""
        return next((found for found in self._seen if found.useful), None)

    def __iter__(self) -> Iterator[SurveyedSitemap]:
        """Yield what was read, then read on."""
        position = 0
        while True:
            while position < len(self._seen):
                yield self._seen[position]
                position += 1
            found = next(self._running, None)
            if found is None:
                return
            self._seen.append(found)

    def until_useful(self) -> Iterator[SurveyedSitemap]:
        """Yield what was read, then read on, up to the first useful one."""
        for found in self:
            yield found
            if found.useful:
                return

    def _walk(self) -> Iterator[SurveyedSitemap]:
        for url in self._files:
            file = self._open(url)
            if file is None:
                continue
            if file.kind is SitemapKind.INDEX:
                yield from self._children(file)
            else:
                yield self._judge(file, found_on=self._found_on, siblings=())

    def _children(self, index: _File) -> Iterator[SurveyedSitemap]:
        children = best_child_first(index.entries)
        names = tuple(child.url for child in children)
        left = MAX_CHILDREN
        for url in names:
            if not left:
                return
            if url in self._read_already:
                continue
            left -= 1
            file = self._open(url)
            if file is not None and file.kind is not SitemapKind.INDEX:
                siblings = tuple(name for name in names if name != url)
                yield self._judge(file, found_on=index.url, siblings=siblings)

    def _open(self, url: str) -> _File | None:
        """Read one file whole; None, and a failure noted, where it is of no use."""
        if url in self._read_already:
            return None
        self._read_already.add(url)
        try:
            with self._reader.stream(url, step=STEP) as stream:
                return self._take(url, stream)
        except FetchError as error:
            self._reader.fail(STEP, url, error)
            return None

    def _take(self, url: str, stream: Stream) -> _File | None:
        repeated = stream.final_url != url and stream.final_url in self._read_already
        self._read_already.add(stream.final_url)
        if stream.status != _OK or repeated:
            self._reader.fail(STEP, url, "read already under another address" if repeated else f"HTTP {stream.status}")
            return None
        parsed = parse_sitemap(stream, stream.final_url)
        entries: list[SitemapEntry] = []
        flags: list[str] = []
        for entry in parsed:
            if len(entries) == MAX_ENTRIES:
                flags.append("capped")
                break
            entries.append(entry)
        if parsed.truncated or stream.truncated:
            flags.append("truncated")
        if parsed.error:
            self._reader.fail(STEP, url, parsed.error)
        if parsed.kind is SitemapKind.ERROR:
            return None
        return _File(url=stream.moved or url, kind=parsed.kind, entries=tuple(entries), flags=tuple(flags))

    def _judge(self, file: _File, *, found_on: str | None, siblings: tuple[str, ...]) -> SurveyedSitemap:
        own = tuple(entry for entry in file.entries if _belongs(entry.url, file.url, self._reader.url))
        if file.kind is SitemapKind.FEED and own:
            # A feed named in a Sitemap line is a feed (18 of 543 news hosts have one).
            judged = judge(own, now=self._reader.now(), flags=file.flags)
            verdict = Judgement(kind=SourceKind.FEED, evidence=judged.evidence)
        else:
            verdict = judge(own, now=self._reader.now(), flags=file.flags)
        return SurveyedSitemap(
            url=file.url,
            kind=verdict.kind,
            evidence=verdict.evidence,
            last_resort=verdict.last_resort,
            entries=own,
            found_on=found_on,
            siblings=siblings,
        )


def _belongs(url: str, sitemap: str, site: str) -> bool:
    """An entry is the site's own by its host or registrable domain; advertisements on others are left aside."""
    return same_host(url, site) or same_host(url, sitemap) or same_site(url, site)
