"""Read a body under bounds: of time, of bytes on the wire, of bytes inflated."""

from __future__ import annotations

import codecs
import sys
import zlib
from dataclasses import dataclass
from http.client import HTTPException
from typing import TYPE_CHECKING, Any

import requests
from urllib3.exceptions import HTTPError
from urllib3.response import BaseHTTPResponse

from sitediscover.errors import FetchError, Unreachable
from sitediscover.fetch.faults import fault
from sitediscover.parse.inflate import MAX_LAYERS, STEP, Chain, Inflater

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sitediscover.fetch.flight import Flight

READ = 65_536

BROKEN = (requests.RequestException, HTTPError, HTTPException, OSError, ValueError, EOFError, zlib.error)
"""What comes of answers that are none; ValueError from http.client for a chunk size that is no number."""

_MAGIC = b"\x1f\x8b\x08"
_SNIFF = 512
_LONGEST_CODING = 1_024
# Content codings that hide the body and that we never asked for (IANA HTTP Content Coding Registry, and common misuse).
_FOREIGN = frozenset(
    ("br", "zstd", "compress", "x-compress", "dcb", "dcz", "bzip2", "xz", "lzma", "exi", "pack200-gzip", "aes128gcm")
)
_ASKED = frozenset(("gzip", "x-gzip", "deflate"))
_TEXT_CONTROL = frozenset(b"\t\n\v\f\r\x1b")


@dataclass(slots=True, kw_only=True)
class Intake:
    """What came of a body.

    Attributes:
        size: bytes given, inflated.
        truncated: there was more, or it broke off.
        note: what was wrong with it, in a few words.
        error: why it cannot be used, or why it did not end.
    """

    size: int = 0
    truncated: bool = False
    note: str = ""
    error: FetchError | None = None

    def spoil(self, note: str, error: FetchError | None = None) -> None:
        """Note the first thing that was wrong."""
        self.truncated = True
        self.note = self.note or note
        self.error = self.error or error


def read_body(response: requests.Response, write: Callable[[bytes], object], *, limit: int, flight: Flight) -> Intake:
    """Read the body of an answer, inflated, up to a limit.

    What arrived before it broke off is given; the caller closes the response.

    Args:
        response: whose body has not been read, or was read by a cache.
        write: takes the pieces.
        limit: most bytes given, and most bytes taken from the wire.
        flight: whose time is used.
    """
    intake, handled = Intake(), sys.exception()
    url = response.url or flight.url
    read_already = getattr(response, "_content_consumed", False) is True
    codings = [] if read_already else _codings(response)
    if _foreign(codings):
        named = ", ".join(codings)
        intake.spoil(
            f"content coding {named!r:.60}", Unreachable(url, f"content coding {named!r:.60} was not asked for")
        )
        return intake
    declared = _declared(codings, limit)
    pieces = Chain([*declared, Inflater(max_output=limit, max_layers=MAX_LAYERS - len(declared))])
    try:
        wire = [response.content] if read_already else _wire(response, limit, flight, intake)
        for piece in pieces.read(wire):
            if not intake.size and piece.startswith(_MAGIC):
                intake.spoil("too many layers", Unreachable(url, f"more than {MAX_LAYERS} layers of compression"))
                break
            if not intake.size and not _is_text(piece) and not all(stage.found for stage in declared):
                intake.spoil("broken compression", Unreachable(url, f"called {codings[-1]}, and is not"))
                break
            write(piece)
            intake.size += len(piece)
    except BROKEN as error:
        # Whatever a connection says that the watch has shut: the time was over.
        if flight.remaining:
            found, _ = fault(error, url, handled=handled)
            intake.spoil(f"broke off: {found.detail}", found)
    if not flight.remaining:
        intake.spoil("no end in time", flight.exceeded(url))
    _judge(pieces, intake, limit)
    return intake


def _judge(pieces: Chain, intake: Intake, limit: int) -> None:
    if pieces.capped:
        intake.spoil(f"cut at {_amount(limit)}")
    if pieces.corrupt:
        intake.spoil("broken compression")
    if pieces.truncated and not intake.truncated:
        intake.spoil("compressed data ends early")


def _amount(size: int) -> str:
    for unit, step in (("MiB", 2**20), ("KiB", 2**10)):
        if size >= step:
            return f"{size / step:.4g} {unit}"
    return f"{size} bytes"


def _codings(response: requests.Response) -> list[str]:
    """Return the content codings that were applied, the last one first."""
    names = str(response.headers.get("Content-Encoding", ""))[:_LONGEST_CODING].lower().split(",")
    return [name for text in reversed(names) if (name := text.strip()) and name != "identity"]


def _foreign(codings: Iterable[str]) -> bool:
    known = [name for name in codings if name in _ASKED]
    return len(known) > MAX_LAYERS or any(name in _FOREIGN for name in codings)


def _wire(response: requests.Response, limit: int, flight: Flight, intake: Intake) -> Iterator[bytes]:
    """Yield the body as it comes, whatever arrives at once; never wait for a full buffer."""
    raw: Any = response.raw
    if raw is None:
        return
    options = {"decode_content": False} if isinstance(raw, BaseHTTPResponse) else {}
    read = getattr(raw, "read1", raw.read)
    left = limit
    while data := read(READ, **options):
        yield data[:left]
        left -= len(data)
        if left < 0:
            intake.spoil(f"cut at {_amount(limit)}")
            return
        if not flight.remaining:
            return


def _declared(codings: list[str], limit: int) -> list[_Gzip | _Deflate]:
    """Return what takes the declared codings off; what comes after them is looked at for gzip's magic bytes."""
    return [_Deflate(limit) if name == "deflate" else _Gzip(limit) for name in codings if name in _ASKED]


def _is_text(data: bytes) -> bool:
    """Say whether a body that was called compressed may be a page as it is: servers and proxies lie about it."""
    head = data[:_SNIFF].removeprefix(codecs.BOM_UTF8)
    return head[:1].isascii() and all(byte >= ord(" ") or byte in _TEXT_CONTROL for byte in head)


class _Gzip(Inflater):
    """The coding `gzip`, where it is none the body as it is."""

    def __init__(self, limit: int) -> None:
        super().__init__(max_output=limit, max_layers=1)

    @property
    def found(self) -> bool:
        """Say whether the body was in this coding."""
        return self.layers > 0


class _Deflate:
    """The coding `deflate`: zlib's format by the book (RFC 9110, 8.4.1.2), raw deflate from some servers.

    Attributes:
        found: the body was in this coding; where it is gzip's, or text, it is passed on as it is.
    """

    def __init__(self, limit: int) -> None:
        self._left = limit
        self._head = b""
        self._zlib: zlib._Decompress | None = None
        self.found = True
        self.capped = self.corrupt = self.truncated = False

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield what a chunk holds, at most `STEP` bytes at a time."""
        if self._zlib is None:
            self._head += chunk
            if len(self._head) < len(_MAGIC):
                return
            chunk, self._head = self._head, b""
            self._open(chunk)
        if not self.found:
            yield chunk
        elif self._zlib is not None:
            for start in range(0, len(chunk), STEP):
                yield from self._inflate(self._zlib, chunk[start : start + STEP])

    def _open(self, head: bytes) -> None:
        wrapped = head[0] & 0x0F == zlib.DEFLATED and int.from_bytes(head[:2], "big") % 31 == 0
        self._zlib = zlib.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
        try:
            self._zlib.copy().decompress(head, STEP)
        except zlib.error:
            self.found = not (head.startswith(_MAGIC) or _is_text(head))

    def _inflate(self, decoder: zlib._Decompress, data: bytes) -> Iterator[bytes]:
        while not (self.corrupt or self.capped or decoder.eof):
            try:
                out = decoder.decompress(data, STEP)
            except zlib.error:
                self.corrupt = True
                return
            self.capped = len(out) > self._left
            piece = out[: self._left]
            self._left -= len(piece)
            data = decoder.unconsumed_tail
            if piece:
                yield piece
            if not data and len(out) < STEP:
                return

    def finish(self) -> Iterator[bytes]:
        """See whether the stream was whole; nothing is held back."""
        ended = not self._head if self._zlib is None else self._zlib.eof
        self.truncated = self.found and not self.corrupt and not ended
        return iter(())
