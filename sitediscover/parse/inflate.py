"""Gzip as the web serves it: known by its magic bytes, in members, in layers, cut short. Pure: bytes in, bytes out."""

from __future__ import annotations

import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

STEP = 65_536
"""Most bytes that one step gives: a bomb costs time up to its cap, never memory (291 KB -> 300 MB at +0 MB)."""

MAX_LAYERS = 2
"""Layers of gzip taken off: servers compress files that are compressed already (`sitemap.xml.gz` sent with gzip)."""

MAX_MEMBERS = 10_000
"""Members read of a layer. Tools that write many end one each 64 KiB (bgzip); 20 bytes make an empty one, and a million
of these, gzipped again to 20 KB, kept a reader busy for ten seconds and gave nothing."""

_MAGIC = b"\x1f\x8b\x08"
_GZIP = 31


class Stage(Protocol):
    """One step of decoding: what goes in chunk by chunk comes out in pieces."""

    truncated: bool
    capped: bool
    corrupt: bool

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield what a chunk holds, at most `STEP` bytes at a time."""

    def finish(self) -> Iterator[bytes]:
        """Yield what was still held back at the end of the stream."""


class Chain:
    """Stages one behind the other.

    Args:
        stages: the outermost first.
    """

    def __init__(self, stages: Sequence[Stage | Chain]) -> None:
        self._stages = stages

    def read(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield what a whole stream holds, up to a cap.

        Args:
            chunks: the stream, cut anywhere.
        """
        for chunk in chunks:
            yield from self.feed(chunk)
            if self.capped:
                return
        yield from self.finish()

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield what a chunk holds, at most `STEP` bytes at a time.

        Args:
            chunk: the next bytes of the stream.
        """
        return self._through(0, chunk)

    def finish(self) -> Iterator[bytes]:
        """Yield what was still held back at the end of the stream."""
        for number, stage in enumerate(self._stages, 1):
            for piece in stage.finish():
                yield from self._through(number, piece)

    def _through(self, number: int, chunk: bytes) -> Iterator[bytes]:
        if number == len(self._stages):
            yield chunk
            return
        for piece in self._stages[number].feed(chunk):
            yield from self._through(number + 1, piece)

    @property
    def truncated(self) -> bool:
        """Say whether the stream ended inside a compressed one."""
        return any(stage.truncated for stage in self._stages)

    @property
    def capped(self) -> bool:
        """Say whether a cap was reached: more would have come."""
        return any(stage.capped for stage in self._stages)

    @property
    def corrupt(self) -> bool:
        """Say whether a part was broken."""
        return any(stage.corrupt for stage in self._stages)


class Inflater(Chain):
    """Takes gzip layers off a stream of chunks; a stream that is not gzip passes as it is.

    The chunks may be cut anywhere. What a broken or cut stream held comes out, and the attributes say what was wrong:
    `truncated` where it ended inside a gzip member, `corrupt` where a member was broken, or one too many, and the rest
    of its layer is lost, `capped` where `max_output` was reached.

    Args:
        max_output: bytes after which no more are given; it bounds each layer.
        max_layers: layers taken off; a deeper one is passed on as it is.
    """

    def __init__(self, *, max_output: int, max_layers: int = MAX_LAYERS) -> None:
        self._layers = [_Layer(max_output) for _ in range(max_layers)] or [_Layer(max_output, plain=True)]
        super().__init__(self._layers)

    @property
    def layers(self) -> int:
        """Return how many gzip layers were found."""
        return sum(layer.gzip for layer in self._layers)


def inflate(chunks: Iterable[bytes], *, max_output: int, max_layers: int = MAX_LAYERS) -> Iterator[bytes]:
    """Yield the bytes that a stream of chunks holds once its gzip layers are off.

    Args:
        chunks: the stream, cut anywhere.
        max_output: bytes after which no more are given.
        max_layers: layers taken off.
    """
    return Inflater(max_output=max_output, max_layers=max_layers).read(chunks)


class _Layer:
    """One layer: plain, or gzip members one after the other."""

    __slots__ = ("_ended", "_head", "_left", "_members", "_plain", "_zlib", "capped", "corrupt", "gzip", "truncated")

    def __init__(self, max_output: int, *, plain: bool = False) -> None:
        self._left = max_output
        self._members = 0
        self._head = b""
        self._plain = plain
        self._zlib: zlib._Decompress | None = None
        self._ended = False
        self.gzip = self.truncated = self.capped = self.corrupt = False

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        view = memoryview(chunk)
        # Small steps in as well: what zlib has not consumed it copies, all of it, at every call.
        for start in range(0, len(view), STEP):
            if self._ended:
                return
            yield from self._feed(bytes(view[start : start + STEP]))

    def _feed(self, data: bytes) -> Iterator[bytes]:
        while data and not self._ended:
            if self._plain:
                yield from self._give(data)
                return
            if self._zlib is None:
                data = self._open(data)
                continue
            data, out = self._inflate(self._zlib, data)
            yield from self._give(out)

    def finish(self) -> Iterator[bytes]:
        self.truncated = self._zlib is not None and not self.corrupt
        if not self.gzip and self._head:
            yield from self._give(self._head)

    def _open(self, data: bytes) -> bytes:
        """Look at the first bytes of the stream, or at what follows a member."""
        data = self._head + data
        if self.gzip:
            data = data.lstrip(b"\0")  # tape blocks: zeros between and after members
        self._head = b""
        if data.startswith(_MAGIC):
            self.gzip = True
            self._zlib = zlib.decompressobj(_GZIP)
            self._members += 1
            self.corrupt = self._ended = self._members > MAX_MEMBERS
        elif _MAGIC.startswith(data):
            self._head, data = data, b""
        elif self.gzip:
            self._ended = True  # what follows the last member is no part of the file; gzip(1) ignores it too
        else:
            self._plain = True
        return data

    def _inflate(self, decoder: zlib._Decompress, data: bytes) -> tuple[bytes, bytes]:
        before = decoder.copy()
        try:
            out = decoder.decompress(data, STEP)
        except zlib.error:
            self.corrupt = self._ended = True
            return b"", _rescue(before, data)
        if not decoder.eof:
            return decoder.unconsumed_tail, out
        self._zlib = None
        return decoder.unused_data, out

    def _give(self, data: bytes) -> Iterator[bytes]:
        if len(data) > self._left:
            data = data[: self._left]
            self.capped = self._ended = True
        self._left -= len(data)
        if data:
            yield data


def _rescue(decoder: zlib._Decompress, data: bytes) -> bytes:
    """Return what came before the broken byte: zlib gives nothing of a call that fails."""
    out = b""
    with suppress(zlib.error):
        for index in range(len(data)):
            out += decoder.decompress(data[index : index + 1])
    return out
