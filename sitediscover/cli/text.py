"""What strangers wrote, made fit for a terminal, a line, a file. Pure."""

from __future__ import annotations

import json
import re
import unicodedata

# What a terminal obeys instead of showing: C0, DEL, C1 (0x9b starts an escape sequence by itself), line separators, and
# the marks that turn the direction of what follows (CVE-2021-42574).
_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
_CONTROL = re.compile(f"[{_CONTROLS}]")
_SPACES = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")
# Surrogates that stand alone are no text; where a text goes into a file they could not be encoded.
_UNSAFE_IN_JSON = re.compile(rf"[{_CONTROLS}\ud800-\udfff]")
_SHOWN = "\ufffd"
_CUT = "..."


def clean(text: str) -> str:
    """Return a text as one line that does nothing to a terminal: white space as spaces, other controls as U+FFFD.

    Args:
        text: from anywhere.
    """
    return _CONTROL.sub(_SHOWN, _SPACES.sub(" ", text))


def to_json(value: object, *, indent: int | None = None) -> str:
    """Return JSON that is safe to look at: readable, and with controls escaped, also those that JSON lets pass.

    Args:
        value: plain JSON types.
        indent: as for `json.dumps`.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    # A line feed is the layout's own where it is indented: inside strings json has escaped it already.
    return _UNSAFE_IN_JSON.sub(lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", text)


def width(text: str) -> int:
    """Return how many columns a text takes on a terminal.

    Args:
        text: one clean line.
    """
    return sum(
        0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )


def fitted(text: str, columns: int) -> str:
    """Return a text cut or padded to a width.

    Args:
        text: one clean line.
        columns: how many it is to take.
    """
    if width(text) > columns:
        while width(text) > columns - len(_CUT):
            text = text[:-1]
        text += _CUT
    return text + " " * (columns - width(text))
