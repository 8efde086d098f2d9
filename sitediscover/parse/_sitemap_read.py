"""The strict reader: expat, hardened by defusedxml, at the speed of C. What it cannot read goes to repair."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from sitediscover.parse._sitemap_build import Builder, Doubtful, NotASitemap
from sitediscover.parse._sitemap_plain import END, PlainEntries, Step
from sitediscover.parse._sitemap_repair import Repair
from sitediscover.parse._utf8 import MOST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from xml.parsers.expat import XMLParserType

    from sitediscover.model import SitemapEntry

MAX_TOKEN = 1_048_576
"""Longest tag, comment or processing instruction, in bytes; expat would hold all of it, and scan it at each step."""

MAX_ENTRY = 4_194_304
"""Longest entry kept at hand for a repair, in bytes."""


class XmlReader:
    """Reads the XML of one sitemap, strictly as long as that goes.

    Args:
        url: the sitemap's final URL.

    Attributes:
        builder: what turns the events into entries.
        error: why the file had to be repaired, or None.
        closed: the root element was closed: the file is whole.
        namespaces: those declared, by prefix.
    """

    def __init__(self, url: str) -> None:
        self._parser = _hardened_parser()
        self.builder = Builder(url, self._parser)
        self.error: str | None = None
        self.closed = False
        self.namespaces: dict[str, str] = {}
        self._pending = bytearray()  # what came since the last entry closed: where a repair begins
        self._base = 0
        self._plain = PlainEntries(self.builder)
        self._cdata = 0
        self._listen()

    def read(self, chunks: Iterable[bytes]) -> Iterator[list[SitemapEntry]]:
        """Yield the entries of each step as they close.

        Args:
            chunks: the file in UTF-8, from its first markup on.

        Raises:
            NotASitemap: it is something else, or refused.
        """
        stream = self._steps(chunks)
        for chunk in stream:
            self.error = self._feed(chunk)
            yield self.builder.take()
            if self.error:
                break
        else:
            self.error = self._feed(b"", last=True)
            self.closed = self.error is None
            yield self.builder.take()
        self._mute()
        if self.error:
            self._plain.give_up()
            yield from self._repair(stream)

    def _repair(self, stream: Iterator[bytes]) -> Iterator[list[SitemapEntry]]:
        repair = Repair(self.builder, self.namespaces)
        yield from repair.read(chain((bytes(self._pending),), stream))
        self.closed = repair.closed

    def _steps(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield what is expat's to read: all but the runs of plain entries."""
        rest = b""
        for chunk in chunks:
            data, rest, at = rest + chunk, b"", 0
            step = Step(data) if self._plain.wanted else None
            while step and step.sound and self._plain.wanted:
                if self._between_entries():
                    at = self._plain.read(step, at, self.namespaces)
                stop = data.find(END, at) + len(END)
                if stop < len(END):
                    break
                yield data[at:stop]
                at = stop
            rest = data[at:]
            if rest and (len(rest) > MOST or not self._plain.wanted or not (step and step.sound)):
                yield rest
                rest = b""
        if rest:
            yield rest

    def _between_entries(self) -> bool:
        """Say whether what expat has read ends with the end of an entry."""
        return self.builder.safe > 0 and self._pending == END

    def _feed(self, chunk: bytes, *, last: bool = False) -> str | None:
        """Take a step; return what is wrong with it."""
        from xml.parsers.expat import ExpatError  # noqa: PLC0415

        from defusedxml import DefusedXmlException  # noqa: PLC0415 - read where a sitemap is, not at import

        self._pending += chunk
        try:
            self._parser.Parse(chunk, last)
        except (ExpatError, Doubtful) as error:
            return str(error)
        except DefusedXmlException as error:
            raise NotASitemap(f"refused: {type(error).__name__}") from error
        finally:
            self._forget(self.builder.safe)
        self.builder.settle()
        at = self._parser.CurrentByteIndex
        if self._base + len(self._pending) - at > MAX_TOKEN:
            return f"a token of more than {MAX_TOKEN} bytes"
        if len(self._pending) > MAX_ENTRY:
            if self.builder.in_entry:
                return f"an entry of more than {MAX_ENTRY} bytes"
            self._forget(at)
        return None

    def _forget(self, before: int) -> None:
        if before > self._base:
            del self._pending[: before - self._base]
            self._base = before

    def _listen(self) -> None:
        parser = self._parser
        parser.StartElementHandler = self.builder.start
        parser.EndElementHandler = self.builder.end
        parser.StartNamespaceDeclHandler = self._declare
        parser.StartDoctypeDeclHandler = _refuse_external
        parser.StartCdataSectionHandler = self._open_cdata
        parser.EndCdataSectionHandler = self._close_cdata
        parser.ProcessingInstructionHandler = _doubt_instruction
        parser.SkippedEntityHandler = _doubt_entity

    def _mute(self) -> None:
        """Untie parser and handlers: a cycle that holds both would wait for the garbage collector."""
        parser = self._parser
        parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
        parser.StartNamespaceDeclHandler = parser.StartCdataSectionHandler = parser.EndCdataSectionHandler = None

    def _declare(self, prefix: str | None, uri: str | None) -> None:
        if len(self.namespaces) < _MOST_NAMESPACES:
            self.namespaces.setdefault(prefix or "", uri or "")

    def _open_cdata(self) -> None:
        self._cdata = self._parser.CurrentByteIndex

    def _close_cdata(self) -> None:
        # Where the end of a section is damaged, the section goes on to the end of the next one, entries and all.
        held = self._pending[self._cdata - self._base + 1 : self._parser.CurrentByteIndex - self._base]
        if b"<![CDATA[" in held:
            raise Doubtful("a CDATA section inside a CDATA section")


_MOST_NAMESPACES = 256


def _hardened_parser() -> XMLParserType:
    from defusedxml.ElementTree import DefusedXMLParser  # noqa: PLC0415 - 20 ms of start-up

    parser: XMLParserType = DefusedXMLParser(encoding="utf-8", forbid_entities=True, forbid_external=True).parser
    # ElementTree's own handlers go, the refusals of defusedxml stay.
    parser.DefaultHandlerExpand = parser.CommentHandler = parser.CharacterDataHandler = None
    parser.ordered_attributes = False
    return parser


def _refuse_external(_name: str, system: str | None, public: str | None, _internal: bool) -> None:  # noqa: FBT001 - expat's
    # A public identifier is a name (RSS 0.91 has Netscape's); a system identifier alone is a file to be fetched.
    # Neither is ever fetched.
    if system and not public:
        raise NotASitemap("refused: an external DTD")


def _doubt_instruction(_target: str, data: str) -> None:
    if "<" in data:
        raise Doubtful("markup inside a processing instruction")


def _doubt_entity(name: str, _is_parameter: bool) -> None:  # noqa: FBT001 - expat's
    raise Doubtful(f"undefined entity {name!r:.40}")
