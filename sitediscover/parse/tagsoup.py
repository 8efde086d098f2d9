"""What is done to the text of a page before a parser sees it."""

from __future__ import annotations

import re

MAX_TAG = 65_536
"""Characters of one tag. No link is longer; a data: image or a JSON attribute may be, and is left out."""

_SHORT_TAGS = re.compile(rf"(?:[^>]{{0,{MAX_TAG}}}+>)*+")
_TAG_OPENS = re.compile(r"<[a-zA-Z]")
_SELF_CLOSED = re.compile(r"<(script|title|style|textarea|iframe|noscript|template|a)\b([^<>]*+)(?<=/)>", re.IGNORECASE)


def without_endless_tags(text: str) -> tuple[str, bool]:
    """Leave out tags beyond MAX_TAG: a million attributes cost libxml2 4 s and 166 MB.

    The end of a comment or of a script that stands in the same stretch stays, else it would swallow the page.
    """
    if text[:100].lstrip().startswith("<?xml"):
        # In XHTML <script src=x /> is a whole element; an HTML parser would take all that follows for script.
        text = _SELF_CLOSED.sub(r"<\1\2></\1>", text)
    kept: list[str] = []
    copied = position = 0
    while (start := _SHORT_TAGS.match(text, position).end()) < len(text):  # type: ignore[union-attr]  # it matches ""
        end = text.find(">", start) % (len(text) + 1)  # the end of the text where there is none
        opening = _TAG_OPENS.search(text, start, end)
        if opening and end - opening.start() > MAX_TAG:
            kept.append(text[copied : opening.start()])
            closing = text.rfind("</", opening.start(), end)
            copied = closing if closing >= 0 else end - 2
        position = end + 1
    kept.append(text[copied:])
    return "".join(kept), len(kept) > 1
