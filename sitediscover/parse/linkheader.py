"""HTTP `Link` headers (RFC 8288): the only place where some sites name their feed (feedspub-feedback#54)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin

from sitediscover.parse.feedlinks import Candidate

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINK_HEADER = 65_536
"""Characters of a Link header that are read. Servers commonly refuse to send more than 8 to 64 KiB of headers."""

# Some write the address without its brackets (feedspub-feedback#54), and single quotes for double ones.
_TARGET = re.compile(r"\s*+(?:<([^<>]*+)>|([^\s<>;,\"]++)(?=\s*;))")
_PARAMETER = re.compile(
    r"""\s*;\s*([^\s=;,"<>]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*+)"?|'([^',;]*)'(?=\s*(?:[;,]|$))|([^\s;,]*)))?"""
)
_REST = re.compile(r'(?:[^",]|"(?:[^"\\]|\\.)*+"?)*+')


def parse_link_header(value: str, url: str = "") -> Iterator[Candidate]:
    """Yield the links of a `Link` header, several headers joined by commas.

    Args:
        value: the field value; commas and semicolons inside quotes and angle brackets are text (RFC 8288, 3).
        url: the address of the answer that carried it.
    """
    text = value[:MAX_LINK_HEADER]
    position = 0
    while position < len(text):
        target = _TARGET.match(text, position)
        if target:
            parameters, position = _parameters(text, target.end())
            # A link about another page (anchor=) says nothing about this one.
            if urljoin(url, parameters.get("anchor", "")) == url:
                yield _header_candidate(target[1] or target[2] or "", parameters)
        # What cannot be read ends at the next comma.
        position = max(_REST.match(text, position).end(), position) + 1  # type: ignore[union-attr]  # it matches ""


def _parameters(text: str, position: int) -> tuple[dict[str, str], int]:
    """Return a link's parameters, the first of each name (RFC 8288, 3.3 and 3.4), and where they end."""
    found: dict[str, str] = {}
    while match := _PARAMETER.match(text, position):
        quoted, plain = match[2], match[3] or match[4]
        found.setdefault(match[1].lower(), plain or "" if quoted is None else re.sub(r"\\(.)", r"\1", quoted))
        position = match.end()
    return found, position


def _header_candidate(href: str, parameters: dict[str, str]) -> Candidate:
    # title*=UTF-8''%e2%82%ac (RFC 8187) goes before title.
    title = unquote(parameters.get("title*", "").rpartition("'")[2]) or parameters.get("title")
    return Candidate(
        href=href,
        rel=parameters.get("rel", ""),
        media_type=parameters.get("type"),
        title=title,
        language=parameters.get("hreflang"),
        found_in="header",
    )
