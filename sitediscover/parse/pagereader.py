"""Reads HTML with lxml, without building a tree: collects what a page says, and decides nothing.

libxml2 calls us for every tag as it reads, and nothing is kept but what is asked for. (Its tree builder gives up at a
depth of 256, or 2,048 for huge trees, and loses what follows.)
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from sitediscover.parse.charset import decode
from sitediscover.parse.feedlinks import TYPED, Candidate
from sitediscover.parse.tagsoup import without_endless_tags
from sitediscover.parse.turn import ONE_AT_A_TIME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_LINKS = 20_000
"""Links kept of a page; reading ends there. A front page has some hundreds, long hand-made site maps a few thousand."""
MAX_CANDIDATES = 2_000
"""Advertised alternates kept of a page; hreflang lists reach some hundreds."""
MAX_TEXT = 1_000
"""Characters kept of a title or of a link's text."""
MAX_DEPTH = 256
"""Open elements beyond which reading starts afresh, as libxml2 looks through all of them for each end tag without a
start: 100,000 of both took 36 s. No page is built that deep; some never close their <font>."""

_STEP = 4_096


class RawAnchor(NamedTuple):
    """An `<a>` or `<area>` as written, with its text in one line."""

    href: str
    text: str
    place: str


class _Open(NamedTuple):
    depth: int
    place: str


# Elements that divide a page (HTML 4.3, sections), by the place they give to the links in them; None: that around them.
_DIVISIONS = {
    "nav": "nav",
    "header": "header",
    "footer": "footer",
    "aside": "aside",
    "main": "main",
    "article": None,
    "section": None,
}
_ROLES = {"navigation": "nav", "banner": "header", "contentinfo": "footer", "complementary": "aside", "main": "main"}
# Names that older pages give to the same places, by `id`.
_IDS = {
    **dict.fromkeys(
        ("nav", "navbar", "navigation", "menu", "mainmenu", "main-menu", "main-nav", "breadcrumbs", "topnav"), "nav"
    ),
    **dict.fromkeys(("header", "masthead", "site-header", "page-header", "topbar"), "header"),
    **dict.fromkeys(("footer", "site-footer", "page-footer", "colophon"), "footer"),
    **dict.fromkeys(("sidebar", "aside", "side", "secondary"), "aside"),
    **dict.fromkeys(("main", "content", "main-content", "maincontent"), "main"),
}
# Elements whose end says something.
_CLOSED = frozenset({"a", "title", "noscript", "svg"})
# Elements in which nothing counts: what they hold is no part of the page, or no text for people.
_SILENT = frozenset({"script", "style", "template"})


@dataclass(slots=True)
class RawPage:
    """The target that libxml2 calls: collects, decides nothing."""

    links: list[RawAnchor] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    capped: set[str] = field(default_factory=set)
    base: str | None = None
    canonical: str | None = None
    generator: str | None = None
    language: str | None = None
    title: str | None = None
    refresh: str = ""
    depth: int = 0
    silent_at: int = 0
    noscript_at: int = 0
    svg_at: int = 0
    divisions: list[_Open] = field(default_factory=list)
    anchor: Mapping[str, str] | None = None
    text: list[str] | None = None
    room: int = MAX_TEXT

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take the start of an element."""
        self.depth += 1
        if self.silent_at:
            return
        if tag in _DIVISIONS or "role" in attributes or "id" in attributes:
            self._divide(tag, attributes)
        handler = self._HANDLERS.get(tag)
        if handler:
            handler(self, attributes)
        elif tag in _SILENT and "shadowrootmode" not in attributes:
            self.silent_at = self.depth

    def end(self, tag: str) -> None:
        """Take the end of an element; libxml2 sends one for each start."""
        if self.divisions and self.divisions[-1].depth == self.depth:
            self.divisions.pop()
        if self.silent_at:
            if self.silent_at == self.depth:
                self.silent_at = 0
        elif tag in _CLOSED:
            self._close(tag)
        self.depth -= 1

    def data(self, text: str) -> None:
        """Take a piece of text."""
        if self.text is None or self.silent_at:
            return
        if self.room > 0:
            self.text.append(text[: self.room])
        self.room -= len(text)
        if self.room < 0:
            self.capped.add("text")

    def close(self) -> None:
        """End of the text, or of what one parser could read: nothing stays open."""
        self._close("a")
        self.depth = self.silent_at = self.noscript_at = self.svg_at = 0
        self.divisions.clear()
        self.text = None

    def _close(self, tag: str) -> None:
        if tag == "a" and self.anchor is not None:
            self._keep_anchor(self.anchor)
        elif tag == "title" and self.text is not None and self.anchor is None:
            self.title, self.text = self._line() or None, None
        elif tag == "noscript" and self.noscript_at == self.depth:
            self.noscript_at = 0
        elif tag == "svg" and self.svg_at == self.depth:
            self.svg_at = 0

    def _line(self) -> str:
        return " ".join("".join(self.text or ()).split())

    def _collect(self) -> None:
        self.text, self.room = [], MAX_TEXT

    def _divide(self, tag: str, attributes: Mapping[str, str]) -> None:
        named = _ROLES.get(attributes.get("role", "").lower()) or _IDS.get(attributes.get("id", "").lower())
        if tag not in _DIVISIONS and named is None:
            return
        place = _DIVISIONS.get(tag) or named
        around = self.divisions[-1].place if self.divisions else ""
        # A header or footer inside a section belongs to that section, not to the page (HTML AAM, header).
        if place is None or (place in {"header", "footer"} and self.divisions):
            place = around
        self.divisions.append(_Open(self.depth, place))

    def _keep_anchor(self, attributes: Mapping[str, str]) -> None:
        text = (
            self._line() or " ".join((attributes.get("aria-label") or attributes.get("title") or "").split())[:MAX_TEXT]
        )
        self.anchor = self.text = None
        href = attributes.get("href")
        if not href or href.startswith("#"):
            return
        typed = TYPED if "xml" in attributes.get("type", "") else None
        relations = attributes["rel"] if "alternate" in attributes.get("rel", "").lower() else typed
        if relations:
            self._candidate({**attributes, "rel": relations}, "anchor", attributes.get("title") or text)
        if len(self.links) >= MAX_LINKS:
            self.capped.add("links")
            return
        self.links.append(RawAnchor(href, text, self.divisions[-1].place if self.divisions else ""))

    def _candidate(self, attributes: Mapping[str, str], found_in: str, title: str | None) -> None:
        if len(self.candidates) >= MAX_CANDIDATES:
            self.capped.add("feeds")
            return
        get = attributes.get
        self.candidates.append(
            Candidate(
                get("href", ""),
                get("rel"),
                get("type"),
                (title or "")[:MAX_TEXT],
                get("hreflang") or get("lang"),
                found_in,
            )
        )

    def _on_html(self, attributes: Mapping[str, str]) -> None:
        self.language = self.language or (attributes.get("lang") or attributes.get("xml:lang") or "").strip() or None

    def _on_base(self, attributes: Mapping[str, str]) -> None:
        # Only the first that has an href counts, also where its address is of no use (HTML 4.2.3).
        if self.base is None:
            self.base = attributes.get("href")

    def _on_link(self, attributes: Mapping[str, str]) -> None:
        relations = attributes.get("rel", "").lower().split()
        if "canonical" in relations:
            self.canonical = self.canonical or attributes.get("href")
        elif "alternate" in relations or "feed" in relations or not (relations or "itemprop" in attributes):
            self._candidate(attributes, "link", attributes.get("title"))

    def _on_meta(self, attributes: Mapping[str, str]) -> None:
        content = attributes.get("content", "").strip()
        name = (attributes.get("name") or attributes.get("http-equiv") or "").strip().lower()
        if name == "generator":
            self.generator = self.generator or content[:MAX_TEXT] or None
        elif name == "content-language":
            self.language = self.language or content.split(",")[0].strip() or None
        elif name == "refresh" and not self.noscript_at:
            # One inside <noscript> leads to a page for browsers without scripts, which is not the site.
            self.refresh = self.refresh or content

    def _on_title(self, _attributes: Mapping[str, str]) -> None:
        if self.title is None and not self.svg_at and self.anchor is None:
            self._collect()

    def _on_a(self, attributes: Mapping[str, str]) -> None:
        if self.anchor is not None:
            self._keep_anchor(self.anchor)
        self.anchor = attributes
        self._collect()

    def _on_area(self, attributes: Mapping[str, str]) -> None:
        self._close("a")
        self._collect()
        self.data(attributes.get("alt", ""))
        self._keep_anchor(attributes)

    def _on_frame(self, attributes: Mapping[str, str]) -> None:
        # A page of frames has no other links.
        self._collect()
        self._keep_anchor({"href": attributes.get("src", ""), "title": attributes.get("title", "")})

    def _on_image(self, attributes: Mapping[str, str]) -> None:
        if self.anchor is not None and attributes.get("alt"):
            self.data(f" {attributes['alt']} ")

    def _on_noscript(self, _attributes: Mapping[str, str]) -> None:
        self.noscript_at = self.noscript_at or self.depth

    def _on_svg(self, _attributes: Mapping[str, str]) -> None:
        self.svg_at = self.svg_at or self.depth

    _HANDLERS: ClassVar[dict[str, Callable[[RawPage, Mapping[str, str]], None]]] = {
        "html": _on_html,
        "base": _on_base,
        "link": _on_link,
        "meta": _on_meta,
        "title": _on_title,
        "a": _on_a,
        "area": _on_area,
        "frame": _on_frame,
        "img": _on_image,
        "noscript": _on_noscript,
        "svg": _on_svg,
    }


def read_page(html: bytes, charset: str | None) -> RawPage:
    """Return what a page says, as much of it as can be read.

    Args:
        html: the body, of any kind and encoding, perhaps cut.
        charset: the charset of its `Content-Type` header.
    """
    text, cut = without_endless_tags(decode(html, charset).replace("\0", ""))
    page = RawPage()
    if cut:
        page.capped.add("tag")
    position = 0
    while position < len(text) and "links" not in page.capped:
        position = _read_from(position, text, page)
    return page


def _read_from(position: int, text: str, page: RawPage) -> int:
    """Read on with a fresh parser, up to the end or until too much is open; return where to go on."""
    from lxml import etree  # noqa: PLC0415 - 15 ms of start-up, and callers that only read sitemaps need none of it

    # The stubs ask for methods that lxml itself does not.
    parser = etree.HTMLParser(target=page, recover=True, huge_tree=True, encoding="utf-8")  # type: ignore[call-overload]
    with suppress(etree.LxmlError):  # nothing in this part to read; what was read before stays
        while position < len(text) and "links" not in page.capped and (page.depth <= MAX_DEPTH or page.silent_at):
            start, limit = position, position + _STEP
            position = text.rfind(">", start, limit) + 1 or limit
            with ONE_AT_A_TIME:
                parser.feed(text[start:position].encode("utf-8", "replace"))
        parser.close()
    page.close()
    return position
