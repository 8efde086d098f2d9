"""Sitemaps as the web serves them: urlsets, indexes, feeds, lists of addresses; compressed, mislabelled, broken, cut.

One pass over chunks in constant memory. The root element decides what a file is, never its name or content type.
The stages: `inflate`, `_utf8`, then `_sitemap_read` (expat) with `_sitemap_repair` behind it, both feeding
`_sitemap_build`; or, where there is no markup, one address per line.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from sitediscover.model import SitemapEntry
from sitediscover.parse._locations import names_sitemap, written_url
from sitediscover.parse._sitemap_build import NotASitemap
from sitediscover.parse._sitemap_read import XmlReader
from sitediscover.parse._sitemap_tables import SitemapKind
from sitediscover.parse._utf8 import FALLBACK, to_utf8
from sitediscover.parse.inflate import Inflater

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["MAX_INFLATED", "Sitemap", "SitemapKind", "names_sitemap", "parse_sitemap"]

MAX_INFLATED = 200 * 1024 * 1024
"""Most bytes read of a sitemap once inflated. sitemaps.org allows 50 MB; there are honest files of twice that."""

MAX_PREAMBLE = 65_536
"""Bytes in which markup or an address must begin, behind what a broken server prints first."""

ENOUGH = 20
"""Entries that tell a urlset of sitemaps from one whose first pages are named like sitemaps."""

_SPACE = b" \t\r\n\x0b\x0c\0"
_MARKUP = re.compile(rb"<(?:\?xml|(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|rdf|feed|url|sitemap)\b)", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)


def parse_sitemap(
    data: bytes | Iterable[bytes], url: str, *, cut: bool = False, max_inflated: int = MAX_INFLATED
) -> Sitemap:
    """Read a sitemap, a sitemap index, or a feed or text file that serves as one; lazily, and whatever its state.

    Nothing in the data raises: what is broken is repaired, given up and counted, or named in `Sitemap.error`. Formats:
    sitemaps.org 0.9 and its forerunners, Google's news, image, video and hreflang extensions, RSS, Atom, plain text.

    Args:
        data: the file, or its chunks, cut anywhere; gzip is known by its magic bytes.
        url: the file's final URL, which relative addresses are resolved on.
        cut: the data is known to end before the file does. An iterable may tell by a true attribute `truncated`
            once it is used up.
        max_inflated: bytes after which reading stops, gzip taken off.

    Returns:
        The sitemap; iterating it reads on.
    """
    return Sitemap(data, url, cut=cut, max_inflated=max_inflated)


class Sitemap:
    """A sitemap while it is read. Iterating gives its entries once; a second loop goes on where the first stopped.

    Args:
        data: the file, or its chunks.
        url: the file's final URL.
        cut: the data is known to end before the file does.
        max_inflated: bytes after which reading stops.
    """

    def __init__(self, data: bytes | Iterable[bytes], url: str, *, cut: bool, max_inflated: int) -> None:
        self.url = url
        self._data = data
        self._cut = cut
        self._inflater = Inflater(max_output=max_inflated)
        self._xml: XmlReader | None = None
        self._kind: SitemapKind | None = None
        self._refusal: str | None = None
        self._ended = False
        self._long_lines = False
        self._batches = self._read()
        self._first: list[SitemapEntry] = []
        self._entries = self._flow()

    def __iter__(self) -> Iterator[SitemapEntry]:
        return self._entries

    @property
    def kind(self) -> SitemapKind:
        """Return what the file is; asked before iterating, it reads up to the first entries."""
        if self._kind is None:
            self._look()
        return self._kind or SitemapKind.ERROR

    @property
    def truncated(self) -> bool:
        """Say whether the file ended before its end, or a cap ended it; certain once iterated."""
        unclosed = self._ended and self._refusal is None and self._xml is not None and not self._xml.closed
        return unclosed or self._is_cut()

    @property
    def error(self) -> str | None:
        """Return why nothing was read, or what had to be repaired first; None for a sound file."""
        if self._refusal or self._xml is None:
            return self._refusal
        return self._xml.error or ("broken gzip" if self._inflater.corrupt else None)

    @property
    def capped(self) -> bool:
        """Say whether one of the caps of `sitediscover.parse` took something away."""
        return self._inflater.capped or self._long_lines or (self._xml is not None and self._xml.builder.capped)

    @property
    def dropped(self) -> int:
        """Return how many entries were given up: they had no whole or no usable address."""
        return self._xml.builder.dropped if self._xml else 0

    @property
    def declared_namespaces(self) -> tuple[str, ...]:
        """Return the namespaces that the file declares, used or not."""
        return tuple(dict.fromkeys(self._xml.namespaces.values())) if self._xml else ()

    @property
    def has_news(self) -> bool:
        """Say whether an entry read so far carries news tags; that their namespace is declared says nothing."""
        return self._xml is not None and self._xml.builder.has_news

    def _flow(self) -> Iterator[SitemapEntry]:
        self._look()
        first, self._first = self._first, []
        yield from first
        for batch in self._batches:
            yield from batch

    def _look(self) -> None:
        """Read up to the first entries and judge what the file is."""
        if self._kind is None:
            for batch in self._batches:
                self._first += batch
                if self._first and not self._in_doubt():
                    break
            self._kind = self._judge(self._first)

    def _in_doubt(self) -> bool:
        """Say whether the next entries may tell otherwise: by their element, or as pages not named like sitemaps.

        Sites list their own sitemap.xml among their pages: taken for an index, all of these would be asked for.
        """
        builder = self._xml and self._xml.builder
        if not builder or builder.kind is SitemapKind.FEED or len(self._first) >= ENOUGH:
            return False
        if builder.kind is SitemapKind.INDEX or builder.children:
            return builder.children == (0 if builder.kind is SitemapKind.INDEX else len(self._first))
        return all(names_sitemap(entry.url) for entry in self._first)

    def _judge(self, first: list[SitemapEntry]) -> SitemapKind:
        if self._refusal and not first:
            return SitemapKind.ERROR
        if self._xml is None:
            return SitemapKind.TEXT
        builder = self._xml.builder
        if builder.kind is None:
            self._refusal = f"neither sitemap nor feed: the first element is {builder.root[:40]!r}"
            return SitemapKind.ERROR
        if not first or builder.kind is SitemapKind.FEED:
            return builder.kind
        # The elements tell before the root does, and the addresses before both: urlsets of sitemaps are common.
        listed = builder.children == len(first) or all(names_sitemap(entry.url) for entry in first[:ENOUGH])
        if listed or (builder.kind is SitemapKind.INDEX and builder.children):
            return SitemapKind.INDEX
        return SitemapKind.URLSET

    def _read(self) -> Iterator[list[SitemapEntry]]:
        try:
            stream = to_utf8(self._inflated())
            head = _preamble(stream)
            stream = chain((head,), stream)
            if head.startswith(b"<"):
                self._xml = XmlReader(self.url)
                yield from self._xml.read(stream)
            else:
                yield from self._read_lines(stream)
        except NotASitemap as error:
            self._refusal = str(error)
        self._ended = True

    def _inflated(self) -> Iterator[bytes]:
        for chunk in (self._data,) if isinstance(self._data, bytes) else self._data:
            yield from self._inflater.feed(chunk)
            if self._inflater.capped:
                return
        yield from self._inflater.finish()
        self._cut = self._cut or bool(getattr(self._data, "truncated", False))

    def _is_cut(self) -> bool:
        return self._cut or self._inflater.truncated or self._inflater.capped or self._inflater.corrupt

    def _read_lines(self, stream: Iterator[bytes]) -> Iterator[list[SitemapEntry]]:
        rest, found, read = b"", False, 0
        for step in stream:
            *lines, rest = (rest + step).splitlines(keepends=True)
            if len(rest) > MAX_PREAMBLE:
                rest, self._long_lines = b"", True
            batch = self._listed(lines)
            found, read = found or bool(batch), read + len(step)
            if not found and read > MAX_PREAMBLE:
                break
            yield batch
        # The last line may be half an address where the file was cut.
        batch = [] if self._is_cut() else self._listed([rest])
        if not (found or batch):
            raise NotASitemap("neither markup nor addresses")
        yield batch

    def _listed(self, lines: list[bytes]) -> list[SitemapEntry]:
        texts = (line.decode("utf-8", FALLBACK).strip() for line in lines)
        urls = (written_url(self.url, text) for text in texts if _ADDRESS.fullmatch(text))
        return [SitemapEntry(url=url, sitemap=self.url) for url in urls if url]


def _preamble(stream: Iterator[bytes]) -> bytes:
    """Return the first bytes that matter: from the first markup on, or from the first line."""
    held = b""
    for step in stream:
        held = (held + step).lstrip(_SPACE)
        if held.startswith(b"<"):
            return held
        # Warnings of a server's script, a stray mark: what comes before the markup is no part of the file.
        markup = _MARKUP.search(held)
        if markup:
            return held[markup.start() :]
        if len(held) > MAX_PREAMBLE or _ADDRESS.match(held.decode("utf-8", FALLBACK)):
            break
    if not held:
        raise NotASitemap("empty")
    return held
