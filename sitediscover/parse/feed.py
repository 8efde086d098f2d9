"""Is this body a feed, and of which format? Its root element decides, never its status, its name or its type.

(simplepie#601, FreshRSS#2004: feeds come as text/html, pages as text/xml; miniflux#870: unknown paths answer 200.)
"""

from __future__ import annotations

import re
from enum import StrEnum

from sitediscover.parse.charset import decode
from sitediscover.parse.inflate import inflate

MAX_PROLOGUE = 262_144
"""Bytes of an XML document that are looked at. What stands before the root element reaches some KiB in the wild."""
MAX_JSON = 4_194_304
"""Bytes of a JSON document that are looked at: its `version` may stand behind all items."""


class FeedFormat(StrEnum):
    """The formats of feeds."""

    RSS = "rss"
    ATOM = "atom"
    RDF = "rdf"
    JSON = "json"


# What may stand before the root element. A comment or an instruction that never ends takes the rest with it.
_PROLOGUE = re.compile(
    r"""
    [\s\0\ufeff]+ | \xef\xbb\xbf  # the latter a byte order mark that was encoded twice
  | <!--(?:.*?-->|.*)
  | <\?xml\s[^<>]*>  # also where its second question mark is missing
  | <\?(?:.*?\?>|.*)
  | <!DOCTYPE(?:[^\[>"']|"[^"]*"|'[^']*')*+(?:\[(?:[^\]"'<]|"[^"]*"|'[^']*'|<!--(?:.*?-->|.*)|<)*+\]\s*+)?>
  | <![^>]*>
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
# Text before the declaration, without quotes, so that a script that holds a feed in a string is none; or what PHP says
# in the middle of its output, with or without its HTML.
_NOISE = re.compile(
    r"""[^<"'`]{1,2000}\s(?=<\?xml)
  | \s*(?:<br\s*/?>\s*)?(?:<b>)?(?:Warning|Notice|Deprecated|Strict[ ]Standards)(?:</b>)?:
    (?:(?!<html|<body).){0,4000}?(?=<\?xml\s)
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ROOT = re.compile(r"""<(?:([\w.-]+):)?([\w.-]+)(?=[\s/>]|\Z)((?:[^>"']|"[^"]*"|'[^']*')*)""")
# A FOAF or DOAP file has the same root as RSS 0.90 and 1.0; their namespaces and their elements it has not.
_RSS_IN_RDF = re.compile(
    r"purl\.org/rss/1|purl\.org/net/rss1|(?:my|channel)\.netscape\.com/rdf/simple|<(?:[\w.-]+:)?(?:channel|item)[\s/>]"
)


def sniff_feed(data: bytes) -> FeedFormat | None:
    """Return the format of a feed, None for anything else.

    Args:
        data: a body, perhaps gzipped, perhaps cut; only its first `MAX_PROLOGUE` bytes count, `MAX_JSON` of JSON.
    """
    head = b"".join(inflate([data[:MAX_JSON]], max_output=MAX_JSON))
    text = decode(head[:MAX_PROLOGUE])
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return FeedFormat.JSON if _is_json_feed(decode(head)) else None
    return _xml_format(text)


def _xml_format(text: str) -> FeedFormat | None:
    noise = _NOISE.match(text)
    position = noise.end() if noise else 0
    while match := _PROLOGUE.match(text, position):
        position = match.end()
    root = _ROOT.match(text, position)
    if not root:
        return None
    name = root[2].lower()
    if name == "rss":
        return FeedFormat.RSS
    if name == "feed" and _is_atom(root[1], root[3]):
        return FeedFormat.ATOM
    if name == "rdf" and _RSS_IN_RDF.search(text, position):
        return FeedFormat.RDF
    return None


_DRAFT = re.compile(r"""(?<![\w:-])version\s*=\s*["']0\.\d""")


def _is_atom(prefix: str | None, attributes: str) -> bool:
    """Say whether an element named feed is Atom's: no namespace (simplepie#601), one of Atom's, or Atom 0.3's version.

    Before 1.0 the namespace moved often (purl.org/echo, purl.org/pie, ...); the version attribute went with it.
    """
    declaration = rf"""(?<![\w:-])xmlns{f":{re.escape(prefix)}" if prefix else ""}\s*=\s*(?:"([^"]*)"|'([^']*)')"""
    namespace = re.search(declaration, attributes)
    named = not namespace or "atom" in (namespace[1] or namespace[2] or "atom").lower()
    return named or bool(_DRAFT.search(attributes))


_VERSION = re.compile(r'"version"\s*:\s*"((?:[^"\\]|\\.)*+)"')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?')


def _is_json_feed(text: str) -> bool:
    """Look for the top-level `version` (jsonfeed.org/version/1.1) without building the document, which may be cut."""
    depth = position = 0
    for match in _VERSION.finditer(text):
        between = _STRING.sub("", text[position : match.start()])
        depth += sum(map(between.count, "{[")) - sum(map(between.count, "}]"))
        position = match.start()
        if depth == 1 and "jsonfeed.org" in match[1]:
            return True
    return False
