"""A body that proved to be a feed, as a source that carries the articles already read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitediscover.model import Source, SourceKind
from sitediscover.parse.feed import FeedFormat
from sitediscover.reading import as_article, read_document

if TYPE_CHECKING:
    from sitediscover.fetch import Page

_MEDIA_TYPES = {
    FeedFormat.RSS: "application/rss+xml",
    FeedFormat.ATOM: "application/atom+xml",
    FeedFormat.RDF: "application/rdf+xml",
    FeedFormat.JSON: "application/feed+json",
}


def feed_source(page: Page, found: FeedFormat, *, found_by: str, language: str | None) -> Source:
    """Return a feed as a source, at the address where it has moved for good, else as it was asked.

    Args:
        page: the answer.
        found: its format.
        found_by: the strategy.
        language: of the site, where the feed tells none.
    """
    read = read_document(SourceKind.FEED, page.body, page.final_url, content_type=page.headers.get("Content-Type"))
    url = page.moved or page.url
    return Source(
        kind=SourceKind.FEED,
        url=url,
        title=read.title,
        found_by=found_by,
        media_type=_MEDIA_TYPES[found],
        language=read.language or language,
        articles=tuple(as_article(entry, found_on=url, language=read.language) for entry in read.articles),
    )
