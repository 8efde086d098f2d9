"""Any encoding the web sends, as a stream of UTF-8. Pure."""

from __future__ import annotations

import codecs
import re
from itertools import chain
from typing import TYPE_CHECKING

from sitediscover.parse.charset import known_encoding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LEAST = 4_096
"""Smallest step, the last one aside: a stream that drips byte by byte must not be scanned anew at each of them."""

MOST = 65_536
"""Largest step, so that what comes of one stays small."""

_HEAD = 1_024
"""Bytes looked at for a declaration: comments of caching plug-ins come before it."""

# The longer ones first: UTF-32's little-endian mark begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Without a mark the zeros of the first two characters tell (XML 1.0, appendix F), as both are ASCII in what we read.
_ZEROS = (
    (re.compile(rb"[^\0]\0\0\0", re.DOTALL), "utf-32-le"),
    (re.compile(rb"\0\0\0[^\0]", re.DOTALL), "utf-32-be"),
    (re.compile(rb"[^\0]\0[^\0]\0", re.DOTALL), "utf-16-le"),
    (re.compile(rb"\0[^\0]\0[^\0]", re.DOTALL), "utf-16-be"),
)
_MARK_UP = "<?xml"
_DECLARED = re.compile(rb"""<\?xml\s[^<>]{0,200}?encoding\s*=\s*["']\s*([A-Za-z0-9._:-]{1,40})""")


def regroup(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a stream in steps of `LEAST` to `MOST` bytes, whatever the chunks were."""
    held = b""
    for chunk in chunks:
        held = held + chunk if held else chunk
        if len(held) < LEAST:
            continue
        for start in range(0, len(held), MOST):
            yield held[start : start + MOST]
        held = b""
    if held:
        yield held


def to_utf8(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a stream in UTF-8, without its byte order mark.

    The mark wins over the zeros of UTF-16 and UTF-32, these over bytes that are valid UTF-8 (no text in another
    encoding is, but for a few characters), these over the XML declaration, and UTF-8 is assumed last. Bytes that are no
    UTF-8 in a stream that should be are passed on.

    Args:
        chunks: the stream, cut anywhere.
    """
    stream = regroup(chunks)
    head = next(stream, b"")
    encoding, mark = _sniff(head)
    stream = chain((head[mark:],), stream)
    return stream if encoding == "utf-8" else _transcoded(stream, encoding)


def _sniff(head: bytes) -> tuple[str, int]:
    """Return the encoding and the length of the byte order mark."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding, len(mark)
    for zeros, encoding in _ZEROS:
        if zeros.match(head):
            return encoding, 0
    declared = _DECLARED.search(head, 0, _HEAD)
    name = known_encoding(declared[1].decode("ascii")) if declared else None
    # The declaration was read as ASCII: an encoding that keeps its letters elsewhere (EBCDIC's) is not the file's.
    fits = name is not None and _MARK_UP.encode(name, "replace") == _MARK_UP.encode()
    return (name if name and fits else "utf-8"), 0


def _transcoded(stream: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)(errors=FALLBACK)
    unproved = not encoding.startswith("utf")
    for step in stream:
        if unproved and not step.isascii():
            if _is_utf8(step):
                yield from chain((step,), stream)
                return
            unproved = False
        # What is cut at the end of the stream is left out: half a character is none.
        text = decoder.decode(step)
        for start in range(0, len(text), MOST):
            yield text[start : start + MOST].encode("utf-8", errors="replace")


def _is_utf8(step: bytes) -> bool:
    """Say whether a step is UTF-8, its last character perhaps cut."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(step)
    except UnicodeDecodeError:
        return False
    return True


FALLBACK = "sitediscover-windows-1252"
"""Name of the error handler that reads single bytes as Windows-1252: what they are in a file that says UTF-8."""


def _fall_back(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    if error.encoding.startswith("utf-16") or error.encoding.startswith("utf-32"):
        return "\ufffd", error.end
    byte = error.object[error.start : error.start + 1]
    text = byte.decode("cp1252", errors="ignore") or byte.decode("latin-1")
    return text, error.start + 1


codecs.register_error(FALLBACK, _fall_back)
