"""The repairing reader: takes broken XML for what was meant. Slower than expat, it never gives up and never guesses.

A bare `&`, HTML entities, control characters, undeclared prefixes, Latin-1 bytes, junk around the document, stray and
missing tags are passed over or put right. An element that did not close gives no text: a cut address is never returned.
"""

from __future__ import annotations

import re
from html.entities import html5
from typing import TYPE_CHECKING

from sitediscover.parse._sitemap_build import Builder, NotASitemap
from sitediscover.parse._sitemap_tables import ROOTS, local_name
from sitediscover.parse._utf8 import FALLBACK
from sitediscover.urls import MAX_URL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sitediscover.model import SitemapEntry

MAX_TOKEN = 1_048_576
"""Longest tag, comment, CDATA section or processing instruction, in bytes; what seems longer did not close."""

# Quoted values may hold `>`; where a quote is missing the tag ends at its first `>`. Nothing goes back over what it has
# matched: a name of a million characters would take hours.
_TAG = re.compile(
    rb"""<(?P<slash>/?)\s*+(?P<name>[^\s<>/="'!?&]++)(?P<rest>(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+|[^<>]*+)>"""
)
_NAMESPACE = re.compile(r"[^\s=\x00-\x1f]*")
_MOST_NAMESPACES = 256
_ATTRIBUTE = re.compile(rb"""(?<![^\s<>/="'])([^\s<>/="']++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>/]++))""")
_REFERENCE = re.compile(r"&(?:#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))|([a-z][a-z0-9]{1,31}));", re.IGNORECASE)
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_DOCTYPE = re.compile(rb"<!DOCTYPE[^<>\[]*+(?:>|(\[))", re.IGNORECASE)
_SUBSET = re.compile(rb"[^\]]*+\]\s*+>")
_LOOKS_LIKE_TAG = re.compile(rb"<[/!?]?[a-z_:]", re.IGNORECASE)
_SURROGATES, _END = range(0xD800, 0xE000), 0x110000
# An address in an element of its own, as in `<loc><url>...</url></loc>`, which is no entry in an entry.
_BOX = re.compile(
    rb"""<(?P<loc>(?:[\w.-]++:)?loc)\s*+>\s*+<(?P<box>[a-z][\w.:-]*+)[^<>]*+>\s*+
    (?:<!\[CDATA\[(?P<section>\s*+https?://[^<>]*?)\]\]>\s*+|(?P<plain>https?://[^<>]*+))
    </(?P=box)\s*+>\s*+</(?P=loc)\s*+>""",
    re.IGNORECASE | re.VERBOSE,
)
_BOX_BEGINS = re.compile(rb"<(?:[\w.-]++:)?loc\s*+>\s*+(?:\Z|<(?:\Z|[a-z]))", re.IGNORECASE)
_LONGEST_BOX = 4 * MAX_URL  # each `&` of the address may be written as a reference

_MOST_NAMES = 1_024
_MOST_OPEN = 100  # elements of one entry: in broken HTML inside it hardly one is closed
_LONGEST_OPENING = len(b"<!DOCTYPE")
MAX_SUBSET = 4_096
"""Longest internal subset of a DOCTYPE that is passed over, in bytes; a longer one is read as junk."""

MAX_BARREN = 100_000
"""Most pieces of markup without an entry among them, after which reading stops: nothing is to be found any more."""

# Opening of a section -> its end, and what inside it shows that the end belongs to a later one.
_SECTIONS = (
    (b"<!--", b"-->", b"<!--"),
    (b"<![CDATA[", b"]]>", b"<![CDATA["),
    (b"<?", b"?>", b"<"),
)


class _NoParser:
    """What a builder needs of a parser: it switches text on and off."""

    CharacterDataHandler: Callable[[str], object] | None = None
    CurrentByteIndex = 0


class Repair:
    """Feeds a builder from XML that expat refused.

    Args:
        builder: what turns the events into entries.
        namespaces: those declared so far, by prefix.

    Attributes:
        closed: a root element was closed and no entry came after it.
    """

    def __init__(self, builder: Builder, namespaces: dict[str, str]) -> None:
        self.closed = False
        self._builder = builder
        self._namespaces = namespaces
        self._text = _NoParser()
        builder.attach(self._text)
        self._open: list[str] = []
        self._names: dict[bytes, str] = {}
        self._buffer = b""
        self._at = self._barren = 0
        self._had_subset = False
        self._ends: dict[bytes, int] = {}  # where the sections of each kind end next; -1: not in this buffer

    def read(self, chunks: Iterable[bytes]) -> Iterator[list[SitemapEntry]]:
        """Yield the entries of each step as they close.

        Args:
            chunks: the file in UTF-8, from the end of the last entry that was read.

        Raises:
            NotASitemap: it is something else, or refused.
        """
        for chunk in chunks:
            self._buffer, self._at = self._buffer[self._at :] + chunk, 0
            self._scan(last=False)
            self._builder.settle()
            yield self._builder.take()
            if self._barren > MAX_BARREN:
                self._builder.capped = True
                return
        self._scan(last=True)
        self._builder.abandon()
        yield self._builder.take()

    def _scan(self, *, last: bool) -> None:
        """Read all that is whole in the buffer."""
        buffer, at, end = self._buffer, self._at, len(self._buffer)
        self._ends.clear()
        while at < end and self._barren <= MAX_BARREN:
            patient = not last and end - at < MAX_TOKEN
            start = buffer.find(b"<", at)
            if start != at:
                if start < 0 and patient and self._text.CharacterDataHandler:
                    break
                self._give(buffer[at : start if start >= 0 else end])
                at = start if start >= 0 else end
                continue
            tag = _TAG.match(buffer, at)
            if _BOX_BEGINS.match(buffer, at) and (box := self._take_box(at, last=last)) is not None:
                after = box
            elif tag:
                self._take_tag(tag)
                after = tag.end()
            else:
                after = self._take_other(at, patient=patient)
            if after == at:
                break
            at = after
            self._barren += 1
        self._at = at

    def _take_box(self, at: int, *, last: bool) -> int | None:
        """Read an address that has an element of its own; return where it ends, or begins where more is needed."""
        box = _BOX.match(self._buffer, at)
        if box is None:
            return None if last or len(self._buffer) - at >= _LONGEST_BOX else at
        name = self._qualified(box["loc"])
        self._start(name, {})
        self._give(box["section"] or box["plain"], literal=box["section"] is not None)
        self._end(name)
        return box.end()

    def _take_other(self, at: int, *, patient: bool) -> int:
        """Read markup that is no tag; return where it ends, or where it begins where more is needed."""
        buffer = self._buffer
        if patient and len(buffer) - at < _LONGEST_OPENING:
            return at
        for opening, ending, proof in _SECTIONS:
            if buffer.startswith(opening, at):
                return self._take_section(at + len(opening), ending, proof, patient=patient) or at
        doctype = _DOCTYPE.match(buffer, at)
        if doctype:
            subset, self._had_subset = doctype[1] and not self._had_subset, True
            return self._take_subset(doctype.end()) if subset else doctype.end()
        if patient and buffer.find(b"<", at + 1) < 0:
            return at
        if _LOOKS_LIKE_TAG.match(buffer, at):
            self._builder.spoil()
        else:
            self._give(b"<")
        return at + 1

    def _take_section(self, inside: int, ending: bytes, proof: bytes, *, patient: bool) -> int:
        """Read a comment, a CDATA section or an instruction; return where it ends, or 0 where more is needed."""
        stop = self._ends.get(ending, 0)
        if 0 <= stop < inside:
            # Looked for once, not again from each of a thousand openings.
            stop = self._ends[ending] = self._buffer.find(ending, inside)
        if stop < 0 and patient:
            return 0
        if stop < 0 or self._buffer.find(proof, inside, stop) >= 0:
            # It did not close: what it would swallow is read as if it had not been opened.
            self._builder.spoil()
            return inside
        if ending == b"]]>":
            self._give(self._buffer[inside:stop], literal=True)
        return stop + len(ending)

    def _take_subset(self, inside: int) -> int:
        """Read the declarations inside a DOCTYPE; return where they end, or where they begin if they do not."""
        subset = _SUBSET.match(self._buffer, inside, inside + MAX_SUBSET)
        if b"<!ENTITY" in self._buffer[inside : subset.end() if subset else inside + MAX_SUBSET].upper():
            raise NotASitemap("refused: entities")
        return subset.end() if subset else inside

    def _give(self, data: bytes, *, literal: bool = False) -> None:
        take = self._text.CharacterDataHandler
        if take is None:
            return
        text = _ILLEGAL.sub("", data.decode("utf-8", FALLBACK))
        take(text if literal or "&" not in text else _REFERENCE.sub(_meaning, text))

    def _take_tag(self, tag: re.Match[bytes]) -> None:
        raw, rest = tag["name"], tag["rest"]
        attributes = self._read_attributes(rest) if b"=" in rest else {}
        name = self._names.get(raw) or self._qualified(raw)
        if tag["slash"]:
            self._end(name)
            return
        self._start(name, attributes)
        if rest.endswith(b"/"):
            self._end(name)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        builder = self._builder
        if builder.is_entry(name):
            # The end tag of the entry before is missing: no entry holds another.
            self._close(1)
            self.closed = False
        elif not builder.in_entry:
            builder.see_root(name)
            return
        if len(self._open) < _MOST_OPEN:
            self._open.append(name)
            builder.start(name, attributes)
        else:
            builder.capped = True

    def _end(self, name: str) -> None:
        if name in self._open:
            self._close(len(self._open) - self._open[::-1].index(name))
        elif local_name(name) in ROOTS:
            self._builder.abandon()
            self._open.clear()
            self.closed = True

    def _close(self, level: int) -> None:
        """End the open elements down to a level, 1 being the entry; those above it have no end tag of their own."""
        before = len(self._builder.entries)
        while len(self._open) >= level > 0:
            if len(self._open) > level:
                self._builder.spoil()
            self._builder.end(self._open.pop())
        if len(self._builder.entries) > before:
            self._barren = 0

    def _read_attributes(self, rest: bytes) -> dict[str, str]:
        attributes = {}
        for key, *values in _ATTRIBUTE.findall(rest):
            name = key.decode("utf-8", FALLBACK)
            value = _REFERENCE.sub(_meaning, b"".join(values).decode("utf-8", FALLBACK))
            if name.startswith("xmlns"):
                # A value that lost its closing quote goes on into the next attribute.
                if _NAMESPACE.fullmatch(value) and len(self._namespaces) < _MOST_NAMESPACES:
                    self._namespaces.setdefault(name[6:], value)
                    self._names.clear()
            else:
                attributes[name] = value
        return attributes

    def _qualified(self, raw: bytes) -> str:
        """Return a name as expat would give it; an undeclared prefix stands for itself."""
        prefix, _, local = raw.decode("utf-8", FALLBACK).lower().rpartition(":")
        vocabulary = self._namespaces.get(prefix, prefix)
        name = f"{vocabulary}}}{local}" if vocabulary else local
        if len(self._names) < _MOST_NAMES:
            self._names[raw] = name
        return name


def _meaning(reference: re.Match[str]) -> str:
    """Return what a reference stands for; itself where it stands for nothing, as in `?a=1&b;c=2`."""
    hexadecimal, decimal, name = reference.groups()
    if name:
        return html5.get(f"{name};", reference[0])
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    # Surrogates are no characters, and would make the text unfit for UTF-8.
    return _ILLEGAL.sub("", chr(code)) if code < _SURROGATES.start or _SURROGATES.stop <= code < _END else ""
