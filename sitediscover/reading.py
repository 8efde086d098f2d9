"""One document of a source, whatever its kind, as articles. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitediscover.identity import once
from sitediscover.judge import newest_first
from sitediscover.links import article_links
from sitediscover.model import Article, SourceKind
from sitediscover.parse.entries import FeedEntry, parse_feed
from sitediscover.parse.html import parse_page
from sitediscover.parse.sitemap import SitemapKind, parse_sitemap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sitediscover.model import SitemapEntry

MAX_ENTRIES = 100_000
"""Entries of one sitemap kept in memory: twice what sitemaps.org allows in a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A document as it was read.

    Attributes:
        articles: each once, newest first where dates are told, the undated after them in their order.
        children: the sitemaps that a sitemap index lists.
        title: the feed's or page's title.
        language: as declared.
        refresh: seconds between requests that a feed asks for.
        error: why nothing could be read, or what had to be repaired.
        truncated: it ended before its end.
        capped: it had more entries than are kept.
        readable: it was a document of its kind at all, though perhaps an empty one.
    """

    articles: tuple[FeedEntry, ...] = ()
    children: tuple[SitemapEntry, ...] = ()
    title: str | None = None
    language: str | None = None
    refresh: float | None = None
    error: str | None = None
    truncated: bool = False
    capped: bool = False
    readable: bool = True


def read_document(
    kind: SourceKind, body: bytes | Iterable[bytes], url: str, *, content_type: str | None = None
) -> Reading:
    """Read one document of a source.

    Args:
        kind: what the source is: a feed, a sitemap, or a page that lists articles.
        body: the document, or its chunks.
        url: its final address.
        content_type: the header, for its charset.
    """
    if kind in (SourceKind.NEWS_SITEMAP, SourceKind.ARTICLE_SITEMAP):
        return _read_sitemap(body, url)
    whole = body if isinstance(body, bytes) else b"".join(body)
    return _read_feed(whole, url, content_type) if kind is SourceKind.FEED else _read_page(whole, url, content_type)


def as_article(entry: FeedEntry, *, found_on: str, language: str | None = None) -> Article:
    """Return an entry as an article.

    Args:
        entry: as it was read.
        found_on: the document it was read from.
        language: of the source, where the entry tells none.
    """
    return Article(
        url=entry.url,
        title=entry.title,
        published=entry.published,
        modified=entry.modified,
        language=entry.language or language,
        summary=entry.summary,
        found_on=found_on,
    )


def _distinct(entries: Iterable[FeedEntry]) -> tuple[FeedEntry, ...]:
    return newest_first(once(entries, lambda entry: entry.url))


def _read_feed(body: bytes, url: str, content_type: str | None) -> Reading:
    found = parse_feed(body, url, content_type)
    return Reading(
        articles=_distinct(found.entries),
        title=found.title,
        language=found.language,
        refresh=found.refresh,
        error=found.error,
        capped=found.capped,
        readable=found.format is not None,
    )


def _read_sitemap(body: bytes | Iterable[bytes], url: str) -> Reading:
    parsed = parse_sitemap(body, url)
    entries: list[SitemapEntry] = []
    capped = False
    for entry in parsed:
        if len(entries) == MAX_ENTRIES:
            capped = True
            break
        entries.append(entry)
    index = parsed.kind is SitemapKind.INDEX
    return Reading(
        articles=() if index else _distinct(map(_as_entry, entries)),
        children=tuple(entries) if index else (),
        title=_publication(entries),
        error=parsed.error,
        truncated=parsed.truncated,
        capped=capped or parsed.capped,
        readable=parsed.kind is not SitemapKind.ERROR,
    )


def _as_entry(entry: SitemapEntry) -> FeedEntry:
    return FeedEntry(
        url=entry.url,
        title=entry.title,
        published=entry.published,
        modified=entry.modified,
        language=entry.language,
    )


def _publication(entries: Sequence[SitemapEntry]) -> str | None:
    return next((entry.news.publication for entry in entries if entry.news and entry.news.publication), None)


def _read_page(body: bytes, url: str, content_type: str | None) -> Reading:
    charset = content_type.partition("charset=")[2].split(";")[0].strip(" \"'") if content_type else ""
    found = parse_page(body, url, charset or None)
    articles = article_links(found, url)
    entries = tuple(FeedEntry(url=each.url, title=each.title, language=each.language) for each in articles)
    return Reading(articles=entries, title=found.title, language=found.language, readable=found.challenge is None)
