"""Bytes of a page or a feed -> text, whatever their writer said about the encoding. Never raises."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple


class _Mark(NamedTuple):
    bytes: bytes
    encoding: str


# Byte order marks, longest first: the UTF-32 one begins like the UTF-16 one.
_BYTE_ORDER_MARKS = (
    _Mark(b"\x00\x00\xfe\xff", "utf-32-be"),
    _Mark(b"\xff\xfe\x00\x00", "utf-32-le"),
    _Mark(b"\xef\xbb\xbf", "utf-8"),
    _Mark(b"\xfe\xff", "utf-16-be"),
    _Mark(b"\xff\xfe", "utf-16-le"),
)
# Without a mark: where the zero bytes stand around the first ASCII character (XML 1.0, appendix F.1).
_ZERO_BYTES = (
    (re.compile(rb"\x00\x00\x00[^\x00]"), "utf-32-be"),
    (re.compile(rb"[^\x00]\x00\x00\x00"), "utf-32-le"),
    (re.compile(rb"\x00[^\x00]\x00[^\x00]"), "utf-16-be"),
    (re.compile(rb"[^\x00]\x00[^\x00]\x00"), "utf-16-le"),
)
_EBCDIC = "<?xm".encode("cp037")
_DECLARED = re.compile(
    rb"""<(?:meta\b[^>]{0,400}?charset|\?xml\b[^>]{0,400}?encoding)\s*=\s*[^\w\s>]?\s*([\w.:+-]+)""", re.IGNORECASE
)
_DECLARED_WITHIN = 4_096
"""Bytes searched for a declared encoding. The HTML standard asks for 1,024; pages put comments and scripts first."""
# Labels of the same list that Python does not know.
_LABELS = {"windows-31j": "cp932", "windows-874": "cp874", "windows-949": "cp949", "dos-874": "cp874"}
# What browsers read under these names (encoding.spec.whatwg.org, names and labels): supersets.
_READ_AS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
# UTF-16 and UTF-32 are not among them: a text in them shows it in its bytes, and one that does not is in neither.
# Python also calls base64, rot13, idna and unicode_escape encodings; no page is written in them.
_TEXT_ENCODING = re.compile(
    r"utf-8(?:-sig)?|cp\d+|iso8859-\d+|iso2022_\w+|koi8-\w|mac-\w+|gb\w+|big5\w*|euc_\w+|johab|hz"
)


def decode(data: bytes, charset: str | None = None) -> str:
    """Return the text of a page.

    In order: a byte order mark, UTF-16 or UTF-32 by its zero bytes, UTF-8 where the bytes are valid UTF-8 (no text in
    another encoding is, but for a few characters), the HTTP charset, the declared one, windows-1252.

    Args:
        data: the body, perhaps cut within a character.
        charset: as the `Content-Type` header gave it.
    """
    for mark in _BYTE_ORDER_MARKS:
        if data.startswith(mark.bytes):
            return data[len(mark.bytes) :].decode(mark.encoding, "replace")
    for pattern, encoding in _ZERO_BYTES:
        if pattern.match(data):
            return data.decode(encoding, "replace")
    if data.startswith(_EBCDIC):
        # Its code pages agree on the letters and digits of the declaration (cp1026 has another quote).
        return data.decode(_declared(data[:_DECLARED_WITHIN].decode("cp037").encode("latin-1")) or "cp037", "replace")
    named = [known_encoding(charset), _declared(data[:_DECLARED_WITHIN])]
    # ISO-2022 is seven-bit: its text is valid UTF-8 and means something else.
    if not any(name and name.startswith("iso2022") for name in named):
        try:
            return codecs.getincrementaldecoder("utf-8")().decode(data)
        except UnicodeDecodeError:
            pass
    return data.decode(next(filter(None, named), "cp1252"), "replace")


def _declared(head: bytes) -> str | None:
    declared = _DECLARED.search(head)
    return known_encoding(declared[1].decode("ascii", "replace")) if declared else None


def known_encoding(charset: str | None) -> str | None:
    """Return Python's name for the encoding that browsers read a charset as.

    Args:
        charset: as a header or a declaration names it.

    Returns:
        The name; None where there is none, or it is no encoding of text.
    """
    label = (charset or "").strip(" \t\"'").lower().removeprefix("x-")
    try:
        name = codecs.lookup(_LABELS.get(label, label)).name
    except (LookupError, ValueError):
        return None
    name = _READ_AS.get(name, name)
    return name if _TEXT_ENCODING.fullmatch(name) else None
