"""What the elements of sitemaps and feeds mean to us, by local name in lower case. Data, and the look-up of names."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class SitemapKind(StrEnum):
    """What a file listed as a sitemap turns out to be."""

    URLSET = "urlset"
    INDEX = "index"
    FEED = "feed"
    TEXT = "text"
    ERROR = "error"


SKIP = "-"
"""The field of an element that is of no interest, with all it holds."""

_MOST_NAMES = 1_024
"""Names remembered: real files have some 30, a hostile one as many as it likes."""

# Vocabularies whose loc, title, link and the like are not the page's, by namespace or prefix.
_FOREIGN = re.compile(r"image|video|mrss|media|itunes|podcast|googleplay", re.IGNORECASE)
# Elements of an image or a video, inside or outside the element that should hold them.
_HOLDERS = frozenset({"image", "video"})


def local_name(name: str) -> str:
    """Return the name of an element without its namespace, in lower case."""
    return name.rpartition("}")[2].lower()


class Context(dict[str, "str | Context | None"]):
    """The elements that count inside one element: qualified name -> a field, a context, or nothing.

    Names come as expat gives them, `uri}local`, and are resolved once each.

    Args:
        name: what this context is.
        elements: local name in lower case -> field, or context of the element.
        otherwise: what any other element is: `SKIP`, or None to look inside it.
        nested: whether it has values of its own, not its parent's.
        home: the root's vocabulary, which is none of the foreign ones whatever it is called.
    """

    __slots__ = ("_elements", "_home", "_otherwise", "name", "nested")

    def __init__(
        self,
        name: str,
        elements: Mapping[str, str | Context],
        *,
        otherwise: str | None = SKIP,
        nested: bool = True,
        home: str = "",
    ) -> None:
        super().__init__()
        self.name = name
        self.nested = nested
        self._elements = elements
        self._otherwise = otherwise
        self._home = home

    def __missing__(self, name: str) -> str | Context | None:
        vocabulary, local = name.rpartition("}")[0], local_name(name)
        action = self._elements.get(local, self._otherwise)
        if vocabulary != self._home and local in self._elements and self.name in _LISTED and local not in _HOLDERS:
            action = self._otherwise if _FOREIGN.search(vocabulary) else action
        if len(self) < _MOST_NAMES:
            self[name] = action
        return action


_LISTED = frozenset({"outer", "page", "child", "item"})

# https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap, image-sitemaps, video-sitemaps
_NEWS = {
    "title": "news_title",
    "publication_date": "news_date",
    "language": "news_language",
    "keywords": "news_keywords",
}
_PUBLICATION = {"name": "news_publication", "language": "news_language"}
_IMAGE = {"loc": "loc", "title": "title", "caption": "caption"}
_VIDEO = {
    "content_loc": "loc",
    "player_loc": "player",
    "thumbnail_loc": "thumbnail",
    "title": "title",
    "publication_date": "published",
}
_CHILD = {"loc": "loc", "lastmod": "lastmod"}
_PAGE = _CHILD | {"changefreq": "changefreq", "priority": "priority", "link": "link"}
# RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, Dublin Core.
_ITEM = {
    "link": "link",
    "origlink": "original",
    "guid": "guid",
    "title": "title",
    "pubdate": "published",
    "published": "published",
    "issued": "published",
    "date": "date",
    "updated": "updated",
    "modified": "updated",
    "language": "language",
}


def outer_context(kind: SitemapKind | None, home: str = "") -> Context:
    """Return the context outside of any entry: where entries are looked for, at any depth.

    Args:
        kind: what the root element said, or None where it said nothing.
        home: the vocabulary of the root element: a urlset may declare Google's image namespace for its own.
    """
    publication = Context("publication", _PUBLICATION, nested=False)
    news = Context("news", _NEWS | {"publication": publication}, nested=False)
    holders = {"image": Context("image", _IMAGE), "video": Context("video", _VIDEO)}
    # News tags are found without the element that should hold them, too.
    page = Context("page", _NEWS | _PAGE | holders | {"news": news, "publication": publication}, home=home)
    listed = {"url": page, "sitemap": Context("child", _CHILD, home=home)}
    item = Context("item", _ITEM, home=home)
    fed = {"item": item, "entry": item}
    entries = fed if kind is SitemapKind.FEED else listed if kind else listed | fed
    return Context("outer", entries, otherwise=None, home=home)


ROOTS = {
    "urlset": SitemapKind.URLSET,
    "sitemapindex": SitemapKind.INDEX,
    "rss": SitemapKind.FEED,
    "rdf": SitemapKind.FEED,
    "feed": SitemapKind.FEED,
    "channel": SitemapKind.FEED,
}
"""Root elements, by local name: neither the content type nor the file's name is believed."""

HTML = frozenset({"html", "head", "body", "meta", "title", "script", "div", "style", "center", "h1", "p"})
"""First elements of an answer that is a page."""
