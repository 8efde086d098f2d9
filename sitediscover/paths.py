"""Take a URL's path apart, for judging what it leads to. Pure."""

from __future__ import annotations

import re
from urllib.parse import unquote

from sitediscover.words import ARTICLES, CATEGORIES, TAGS, TAILS, UTILITIES, VIDEO_HUBS

# Features of a URL. A rule names those without which it need not be tried: big sitemaps hold 50,000 URLs.
ODD, EMPTY, QUERY, ENDING, DIGIT, WORD = 1, 2, 4, 8, 16, 32

_SCHEME = re.compile(r"\s*([a-z][a-z0-9+.-]*):(?!\d)", re.IGNORECASE)
_ARCHIVED_COPY = re.compile(r"/https?:/{1,2}[^/]+(.*)", re.IGNORECASE)
# Letters and at most one digit (mp4, woff2), but for m4a and m3u8: more digits make an id (/doc.b2la2g3).
_LAST_ENDING = re.compile(r"\.([a-z]{2,7}\d?|m[34][a-z]\d?)$")
_MANY = 6  # hyphens: enough for every rule, so that other separators need no look
_SEPARATORS = re.compile(r"[-_+,.~ ]+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")  # Thai, Lao, Khmer, kana, Han
_EDGES = "/ \t\r\n"
ANY_DIGIT = re.compile(r"\d")
_KNOWN_WORDS = ARTICLES | CATEGORIES | TAGS | UTILITIES | VIDEO_HUBS


class Address:
    """A URL's path taken apart: decoded, in lower case, without endings and tails that say nothing.

    Attributes:
        segments: the path's segments; one empty text for the front page.
        last: the last segment.
        path: the segments again, a slash before each.
        ending: the last segment's ending (`html`) without its dot, or an empty text.
        query: as written.
        has: the features there are.
    """

    __slots__ = ("ending", "has", "last", "path", "query", "segments")

    def __init__(self, url: str) -> None:
        text, _, self.query = url.partition("#")[0].partition("?")
        has = QUERY if self.query else 0
        if not text.startswith(("http", "/")):
            has |= _is_odd(text)
        path = path_of(text)
        if ":/" in path or "%" in path:
            path = _decoded(path)
        path = path.lower().strip(_EDGES)
        self.segments = segments = path.split("/")
        self.last = last = segments[-1]
        self.ending = ""
        if "." in last or last in TAILS or "//" in path:
            self._strip()
            segments = self.segments
            path = "/".join(segments)
            if self.ending:
                has |= ENDING
        self.path = "/" + path
        if not path:
            has |= EMPTY
        elif ANY_DIGIT.search(path):
            has |= DIGIT
        if not _KNOWN_WORDS.isdisjoint(segments):
            has |= WORD
        self.has = has

    def _strip(self) -> None:
        """Drop empty segments, tails and the ending: /news//a-slug/index.html is /news/a-slug."""
        segments = [segment for segment in self.segments if segment not in ("", ".")] or [""]
        stem, self.ending = _split_ending(segments[-1])
        while stem in TAILS and len(segments) > 1:
            segments.pop()
            stem, self.ending = _split_ending(segments[-1])
        segments[-1] = self.last = stem
        self.segments = segments


def _split_ending(segment: str) -> tuple[str, str]:
    found = _LAST_ENDING.search(segment)
    return (segment[: found.start()], found[1]) if found else (segment, "")


def _is_odd(text: str) -> int:
    scheme = _SCHEME.match(text)
    return ODD if scheme and scheme[1].lower() not in ("http", "https") else 0


def path_of(text: str) -> str:
    """Return the path of a URL without query and fragment, or a bare path as it is."""
    if text.startswith("/") and not text.startswith("//"):
        return text
    host = text.find("//")
    if host < 0 or (host and text[host - 1] != ":"):
        return text
    start = text.find("/", host + 2)
    return text[start:] if start > 0 else ""


def _decoded(path: str) -> str:
    if ":/" in path and (copied := _ARCHIVED_COPY.search(path)):
        # A web archive's copy (/web/20230922095748/https://...) has the shape of what it copies.
        path = copied[1]
    return unquote(path, errors="replace")


def count_words(segment: str) -> int:
    """Count the words of a slug; scripts without spaces count three characters as one."""
    hyphens = segment.count("-")
    if hyphens >= _MANY:
        return hyphens + 1
    if segment.isascii() and segment.isalnum():
        return 1
    words = len(_SEPARATORS.split(segment.strip("-_+,.~ ")))
    return words if segment.isascii() else words + len(_UNSPACED.findall(segment)) // 3
