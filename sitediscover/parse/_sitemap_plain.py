"""The short cut: runs of entries in the plainest form, read by one pattern each instead of a dozen events.

Most of what sitemaps hold is `<url><loc>..</loc><lastmod>..</lastmod></url>`, perhaps with Google's news tags, without
attributes, sections or comments. Expat's events for one of them cost more than all the rest of the work. The patterns
take only what expat would read in the same way; at the first entry that is different expat goes on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitediscover.parse._sitemap_tables import SitemapKind

if TYPE_CHECKING:
    from sitediscover.parse._sitemap_build import Builder

END = b"</url>"
"""How a plain entry ends."""

_MOST_MISSES = 16
"""Entries in a row that were not plain, after which the short cut is not tried any more."""

_S = r"[ \t\r\n]*+"
_T = r"([^<]*+)"
# What XML itself knows by name is put in by hand; any other reference is for expat.
_OTHER_REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)")
_PLAINEST = re.compile(rf"{_S}<url>{_S}<loc>([^<&]*+)</loc>{_S}(?:<lastmod>([^<&]*+)</lastmod>{_S})?</url>")


def _element(name: str, inside: str = _T) -> str:
    return f"(?:<{name}>{inside}</{name}>{_S})?"


def _elements(*names: str) -> str:
    return _S + "".join(map(_element, names))


_NEWS = (
    _S
    + _element("news:publication", _elements("news:name", "news:language"))
    + _elements("news:publication_date", "news:title", "news:keywords")
)
_ENTRY = re.compile(
    f"{_S}<url>{_elements('loc', 'lastmod', 'changefreq', 'priority')}{_element('news:news', _NEWS)}</url>"
)
# The fields of the groups, in their order.
_FIELDS = (
    *("loc", "lastmod", "changefreq", "priority"),
    *("news_publication", "news_language", "news_date", "news_title", "news_keywords"),
)
_FIRST_OF_NEWS = 5
_CONTROLS = bytes(code for code in range(0x20) if code not in b"\t\n\r")
# What no XML text may hold (XML 1.0, 2.2 and 2.4); broken UTF-8 is found when it is decoded.
_ILLEGAL = (b"]]>", b"\xef\xbf\xbe", b"\xef\xbf\xbf")
_REFERENCES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))


class PlainEntries:
    """Reads runs of plain entries for a builder.

    Args:
        builder: what gives the entries.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._misses = 0
        self._plainest = True

    @property
    def wanted(self) -> bool:
        """Say whether the short cut is worth trying in this file."""
        return self._misses < _MOST_MISSES and self._builder.kind in (None, SitemapKind.URLSET)

    def give_up(self) -> None:
        """Try it no more."""
        self._misses = _MOST_MISSES

    def read(self, step: Step, at: int, namespaces: dict[str, str]) -> int:
        """Read the plain entries from a place between two entries on; return where they end.

        Args:
            step: a step of the file.
            at: the place, in bytes.
            namespaces: those declared, by prefix.
        """
        start, text, add = at, step.text, self._builder.add_page
        while True:
            found = _PLAINEST.match(text, at) if self._plainest else None
            if found and step.ascii:
                loc, lastmod = found.groups()
                add({"loc": loc, "lastmod": lastmod} if lastmod else {"loc": loc})
            elif (found := _ENTRY.match(text, at)) is None or not self._add(step, found, namespaces):
                break
            else:
                self._plainest = False  # a file's entries look alike: do not try both patterns on each
            at = found.end()
        self._misses = 0 if at > start else self._misses + 1
        return at

    def _add(self, step: Step, found: re.Match[str], namespaces: dict[str, str]) -> bool:
        if (found.lastindex or 0) >= _FIRST_OF_NEWS and "news" not in namespaces.get("news", ""):
            return False
        texts = dict(zip(_FIELDS, found.groups(""), strict=True))
        if not step.ascii:
            try:
                texts = {name: text.encode("latin-1").decode() for name, text in texts.items()}
            except UnicodeDecodeError:
                return False
        if "&" in found[0]:
            if _OTHER_REFERENCE.search(found[0]):
                return False
            texts = {name: _unescaped(text) for name, text in texts.items()}
        self._builder.add_page(texts)
        return True


class Step:
    """A step of a file in UTF-8, as the short cut looks at it.

    Args:
        data: the bytes.

    Attributes:
        ascii: it holds nothing else.
        sound: nothing in it would be refused by expat in a text.
        text: one character per byte, so that places mean the same in both.
    """

    def __init__(self, data: bytes) -> None:
        self.ascii = data.isascii()
        self.sound = len(data.translate(None, _CONTROLS)) == len(data) and not any(mark in data for mark in _ILLEGAL)
        self.text = data.decode("latin-1") if self.sound else ""


def _unescaped(text: str) -> str:
    for reference, character in _REFERENCES:
        text = text.replace(reference, character)
    return text
