"""Entries of a sitemap from the events of an XML parser, strict or repairing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from sitediscover.model import Alternate
from sitediscover.parse import _sitemap_entry
from sitediscover.parse._sitemap_tables import HTML, ROOTS, SKIP, Context, SitemapKind, local_name, outer_context

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sitediscover.model import SitemapEntry

MAX_TEXT = 65_536
"""Longest text of one element, in characters; a longer one is left out, flagged."""

MAX_PARTS = 5_000
"""Most images, videos and alternates of one entry, each; Google reads 1,000 images."""

MAX_DEPTH = 1_000
"""Deepest nesting of elements: no real sitemap has twenty levels."""


_BARE_ADDRESS = re.compile(r"https?://[^\s<>]+", re.IGNORECASE)
_KIND_BY_ENTRY = {"page": SitemapKind.URLSET, "child": SitemapKind.INDEX, "item": SitemapKind.FEED}


class NotASitemap(Exception):
    """The file is something else, or refused: nothing of it is read."""


class Doubtful(Exception):
    """Well-formed so far, but an entry seems to have swallowed others: what follows needs repair."""


class Parser(Protocol):
    """What the builder asks of the parser that feeds it."""

    CharacterDataHandler: Callable[[str], object] | None
    CurrentByteIndex: int


class Builder:
    """Turns elements into entries. `start` and `end` run for every tag of the file: they do the least they can.

    Args:
        url: the sitemap's final URL.
        parser: what sends the events.

    Attributes:
        entries: what has closed and was not taken yet.
        kind: what the file is, as soon as its root or its first entry tells.
        root: the name of the first element.
        has_news: news tags were seen.
        capped: a cap took something away.
        dropped: how many entries were given up, having no whole or no usable address.
        children: how many entries were `<sitemap>` elements.
        safe: where in the stream the last entry closed.
    """

    def __init__(self, url: str, parser: Parser) -> None:
        self.entries: list[SitemapEntry] = []
        self.kind: SitemapKind | None = None
        self.root = self._home = ""
        self.has_news = self.capped = False
        self.dropped = self.children = self.safe = 0
        self._assembler = _sitemap_entry.Assembler(url)
        self._outer = outer_context(None)
        self._text: list[str] = []
        self._append = self._text.append
        self.attach(parser, strict=True)

    def attach(self, parser: Parser, *, strict: bool = False) -> None:
        """Take events from a parser from now on, and forget what is open; a strict one may be told to doubt."""
        self._parser, self._strict = parser, strict
        self._context = self._outer
        self._texts: dict[str, str] = {}
        self._siblings: list[dict[str, str]] = []
        self._parts: _sitemap_entry.Parts | None = None
        self._stack: list[tuple[Context, dict[str, str]]] = []
        self._entry_name = self._field = ""
        self._nested = self._depth = 0
        self._spoiled = False
        self._text.clear()

    def take(self) -> list[SitemapEntry]:
        """Return the entries that have closed since the last call."""
        entries, self.entries = self.entries, []
        return entries

    @property
    def in_entry(self) -> bool:
        """Say whether an entry is open."""
        return bool(self._stack)

    def is_entry(self, name: str) -> bool:
        """Say whether an element of this name is an entry."""
        return type(self._outer[name]) is Context

    def add_page(self, texts: dict[str, str]) -> None:
        """Add an entry of a urlset that was read otherwise.

        Args:
            texts: by field.
        """
        self._emit("page", texts)

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Take the start of an element.

        Args:
            name: `uri}local`, or `local` alone.
            attributes: by name.
        """
        if self._field:
            self._start_inside(name)
            return
        action = self._context[name]
        if isinstance(action, str):
            if attributes:
                action = self._read_attributes(action, attributes)
            self._field = action
            if action is not SKIP:
                self._text.clear()
                self._parser.CharacterDataHandler = self._append
            elif name == self._entry_name:
                raise Doubtful("an entry inside an entry")
        elif action is None:
            self._start_outside(name)
        else:
            self._open(name, action)

    def end(self, _name: str) -> None:
        """Take the end of the element that was started last and has not ended."""
        field = self._field
        if not field:
            if self._stack:
                self._close()
            else:
                self._depth -= 1
            return
        if self._nested:
            self._nested -= 1
            return
        self._field = ""
        if field is SKIP:
            return
        self._parser.CharacterDataHandler = None
        text = "".join(self._text)
        self._text.clear()
        if self._spoiled:
            self._spoiled = False
        elif field not in self._texts:
            self._texts[field] = text
        elif field == "loc" and len(self._stack) == 1 and text.strip() != self._texts[field].strip():
            # Several addresses in one element: the dates after each are its own.
            self._siblings.append(self._texts)
            self._texts = {"loc": text}

    def spoil(self) -> None:
        """Leave out the text of the element that is open: it is not whole."""
        if self._field and self._field is not SKIP and not self._nested:
            self._spoiled = True

    def settle(self) -> None:
        """Look after what is open between two steps of the stream."""
        if self._text and sum(map(len, self._text)) > MAX_TEXT:
            self._text.clear()
            self._parser.CharacterDataHandler = None
            self.capped = self._spoiled = True

    def abandon(self) -> None:
        """Give up the entry that is open; a child of an index is kept where its address is whole.

        A page cut short may have lost its dates and news tags, and would pass for one that has none. A child needs
        its address only.
        """
        if not self._stack:
            return
        self._text.clear()
        if len(self._stack) == 1 and self._context.name == "child" and "loc" in self._texts:
            self._emit(self._context.name, self._texts)
        else:
            self.dropped += 1
        self.attach(self._parser)

    def _start_inside(self, name: str) -> None:
        self._nested += 1
        if name == self._entry_name:
            raise Doubtful("an entry inside an entry")
        if self._strict and self._field == "loc":
            raise Doubtful("an element inside an address")
        if self._nested > MAX_DEPTH:
            raise NotASitemap(f"elements nested more than {MAX_DEPTH} deep")
        if self._field == "loc":
            self._spoiled = True

    def _start_outside(self, name: str) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise NotASitemap(f"elements nested more than {MAX_DEPTH} deep")
        self.see_root(name)

    def see_root(self, name: str) -> None:
        """Learn from an element outside of any entry what the file is, unless that is known.

        Raises:
            NotASitemap: it is a page.
        """
        if self.kind is not None:
            return
        local = local_name(name)
        if not self.root:
            self.root, self._home = local, name.rpartition("}")[0]
            self._outer = self._context = outer_context(None, self._home)
        if local in HTML:
            raise NotASitemap("HTML instead of a sitemap")
        self.kind = ROOTS.get(local)
        if self.kind is not None:
            self._outer = self._context = outer_context(self.kind, self._home)

    def _open(self, name: str, context: Context) -> None:
        if not self._stack:
            self._entry_name = name
            if context.name == "child":
                self._parser.CharacterDataHandler = self._append  # `<sitemap>address</sitemap>` is found in the wild
        self._stack.append((self._context, self._texts))
        self._context = context
        if context.nested:
            self._texts = {}

    def _close(self) -> None:
        """Take the end of the innermost context."""
        context, texts = self._context, self._texts
        self._context, self._texts = self._stack.pop()
        if self._stack:
            if context.nested:
                self._add_part(context.name, texts)
            return
        if self._siblings or context.name == "child":
            self._finish_oddities(context, texts)
        self._emit(context.name, texts)
        self.safe = self._parser.CurrentByteIndex

    def _add_part(self, name: str, texts: dict[str, str]) -> None:
        parts = self._parts = self._parts or _sitemap_entry.Parts()
        if max(len(parts.images), len(parts.videos), len(parts.alternates)) >= MAX_PARTS:
            self.capped = True
        elif name == "video":
            parts.videos.append(_sitemap_entry.video(texts, self._assembler))
        elif url := self._assembler.address(texts.get("loc", "")):
            if name == "image":
                parts.images.append(_sitemap_entry.image(url, texts))
            else:
                parts.alternates.append(Alternate(url=url, language=texts.get("language") or None))

    def _read_attributes(self, field: str, attributes: Mapping[str, str]) -> str:
        """Read an element whose attributes tell more than its text; return the field of its text."""
        if "href" not in attributes:
            attributes = {name.lower(): value for name, value in attributes.items()}
        href = attributes.get("href")
        if field != "link" or href is None:
            return field
        relations = attributes.get("rel", "").lower().split()
        if self._context.name == "item":
            if not relations or "alternate" in relations:
                self._texts.setdefault("alternate" if relations else "href", href)
        elif "alternate" in relations:
            self._add_part("alternate", {"loc": href, "language": attributes.get("hreflang", "").strip()})
        return SKIP

    def _finish_oddities(self, context: Context, texts: dict[str, str]) -> None:
        if context.name == "child":
            self._parser.CharacterDataHandler = None
            bare = "".join(self._text).strip()
            self._text.clear()
            if "loc" not in texts and _BARE_ADDRESS.fullmatch(bare):
                texts["loc"] = bare
        siblings, self._siblings = self._siblings, []
        for sibling in siblings:
            self._emit(context.name, sibling)

    def _emit(self, name: str, texts: dict[str, str]) -> None:
        parts, self._parts = self._parts, None
        assembler = self._assembler
        entry = assembler.item(texts) if name == "item" else assembler.page(texts, parts)
        if entry is None:
            self.dropped += 1
            return
        if self.kind is None:
            self.kind = _KIND_BY_ENTRY[name]
            self._outer = self._context = outer_context(self.kind, self._home)
        if entry.news:
            self.has_news = True
        elif name == "child":
            self.children += 1
        self.entries.append(entry)
