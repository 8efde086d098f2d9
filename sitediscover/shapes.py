"""Tell by its URL alone whether a page is an article, a section, or neither. Pure.

An ordered table of named rules decides; the first one that fits has the say. To add a rule, write one line into `RULES`;
docs/explanation/shapes.md says how to measure it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from sitediscover.words import ARTICLES, CATEGORIES, TAGS, TAILS, UTILITIES, UTILITY_STARTS, UTILITY_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


class Shape(StrEnum):
    """What a URL looks like."""

    ARTICLE = "article"
    SECTION = "section"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeVerdict:
    """What a URL looks like, and the name of the rule that said so."""

    shape: Shape
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """How many of some URLs are article-shaped and section-shaped."""

    count: int = 0
    article: int = 0
    section: int = 0

    @property
    def article_share(self) -> float:
        """Return the share, 0 to 1, that is article-shaped; 0 of no URLs."""
        return self.article / self.count if self.count else 0.0

    @property
    def section_share(self) -> float:
        """Return the share, 0 to 1, that is section-shaped; 0 of no URLs."""
        return self.section / self.count if self.count else 0.0


# ------------------------------------------------------------------------------------------ a URL taken apart

# What a URL can have that a rule needs before it is worth trying: big sitemaps hold 50,000 URLs.
ODD, EMPTY, QUERY, ENDING, DIGIT, WORD = 1, 2, 4, 8, 16, 32

_SCHEME = re.compile(r"\s*([a-z][a-z0-9+.-]*):(?!\d)", re.IGNORECASE)
_ARCHIVED = re.compile(r"/https?:/{1,2}[^/]+(.*)", re.IGNORECASE)
_ENDING = re.compile(r"\.([a-z][a-z0-9]{1,6})$")
_DIGIT = re.compile(r"\d")
_EDGE = "/ \t\r\n"
_WORDS = ARTICLES | CATEGORIES | TAGS | UTILITIES | frozenset({"page"})


class Address:
    """A URL's path taken apart: decoded, in lower case, without endings and tails that say nothing.

    Attributes:
        segments: the path's segments; one empty text for the front page.
        last: the last segment.
        path: the segments again, with a slash before each.
        ending: the last segment's ending (`html`), without its dot.
        query: as written.
        has: which of the features above there are.
    """

    __slots__ = ("ending", "has", "last", "path", "query", "segments")

    def __init__(self, url: str) -> None:
        path, _, self.query = url.partition("#")[0].partition("?")
        self.has = QUERY if self.query else 0
        if not path.startswith(("http", "/")):
            self.has |= _is_odd(path)
        path = _path_of(path)
        self.segments = path.split("/")
        self.last = self.segments[-1]
        self.ending = ""
        if "." in self.last or self.last in TAILS or "//" in path:
            self._strip()
            path = "/".join(self.segments)
        self.path = "/" + path
        if not path:
            self.has |= EMPTY
        if _DIGIT.search(path):
            self.has |= DIGIT
        if not _WORDS.isdisjoint(self.segments):
            self.has |= WORD

    def _strip(self) -> None:
        """Drop empty segments, tails and the ending: /news/a-slug/index.html is /news/a-slug."""
        segments = [segment for segment in self.segments if segment not in ("", ".")] or [""]
        stem, ending = _split_ending(segments[-1])
        while stem in TAILS and len(segments) > 1:
            segments.pop()
            stem, ending = _split_ending(segments[-1])
        segments[-1] = self.last = stem
        self.segments = segments
        self.ending = ending
        if ending:
            self.has |= ENDING


def _split_ending(segment: str) -> tuple[str, str]:
    found = _ENDING.search(segment)
    return (segment[: found.start()], found[1]) if found else (segment, "")


def _is_odd(text: str) -> int:
    scheme = _SCHEME.match(text)
    return ODD if scheme and scheme[1].lower() not in ("http", "https") else 0


def _path_of(text: str) -> str:
    start = 0 if text.startswith("//") else text.find("://") + 1
    if start or text.startswith("//"):
        start = text.find("/", start + 2)
        text = text[start:] if start > 0 else ""
    if ":/" in text and (archived := _ARCHIVED.search(text)):
        # A web archive's copy (/web/20230922095748/https://...) has the shape of what it copies.
        text = archived[1]
    if "%" in text:
        text = unquote(text, errors="replace")
    return text.lower().strip(_EDGE)


# ------------------------------------------------------------------------------------------ what the rules ask

_TITLE = 6  # words
_UNSPACED = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")  # Thai, Lao, Khmer, kana, Han
_SEPARATORS = re.compile(r"[-_+,.~ ]+")
_MEDIA = frozenset(
    "jpg jpeg png gif webp svg ico bmp avif pdf mp3 mp4 m4a m4v mov avi webm ogg wav m3u8 doc docx xls xlsx ppt pptx epub "
    "csv zip gz rar exe apk dmg xml rss atom json js css txt ics woff woff2".split()
)
_SCRIPTS = frozenset("php asp aspx jsp cfm ashx do cgi".split())
_QUERY_ID = re.compile(
    r"(?:^|[&;])(?:(?:ar|article|content|doc|item|n|news|object|p|post|story)?_?id|p|idx|no|nota|article|key)=\d{4}"
    r"|^[a-z]{0,8}\d{5}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}",
    re.IGNORECASE,
)
_SCRIPT_ID = re.compile(r"(?:^|[&;])(?:(?!cat|tag|page|author|utm|ref|year)[a-z_]{1,16}=?)?[{%a-z0-9]{0,4}\d{4}", re.IGNORECASE)
_MONTH = r"(?:0?[1-9]|1[0-2]|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)"
_DATED = re.compile(rf"/(?:19|20)\d\d[/-](?:{_MONTH}|\d\d)/(?:(?:0?[1-9]|[12]\d|3[01])/)?[^/]*[^\d/]")
_DATE_ALONE = re.compile(rf"/(?:19|20)\d\d(?:/{_MONTH}(?:/\d\d?)?)?$")
_DATE = re.compile(
    r"(?<!\d)(?:(?:19|20)\d\d[-_./]?(?:0[1-9]|1[0-2])[-_./]?(?:0[1-9]|[12]\d|3[01])"
    r"|(?:0[1-9]|[12]\d|3[01])[-_.]?(?:0[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[-_.]?(?:19|20)\d\d)(?!\d)"
)
_PAGE = re.compile(r"/(?:page|pagina|seite|strana|sayfa)[/-]\d{1,4}(?:/|$)")
_NUMBER = re.compile(r"(?:[a-z]{0,3}|art|article|content|detail|doc|news|show|story|view)[-_,]?\d{5,}-?$")
_NUMBERED = re.compile(r"[a-z].*-1(?!00)\d\d$")
_DIGITS = re.compile(r"\d{4,}")
_OPAQUE = re.compile(r"(?=[^-_]{7,}$)(?:[a-z]*\d+[a-z]+\d[a-z0-9]*)$|[0-9a-f]{24,}$")


def _count(segment: str) -> int:
    """Count the words of a slug; scripts without spaces count three characters as one."""
    hyphens = segment.count("-")
    if hyphens > _TITLE:
        return hyphens + 1
    words = len(_SEPARATORS.split(segment.strip("-_+,.~ ")))
    return words if segment.isascii() else words + len(_UNSPACED.findall(segment)) // 3


def _has_title(address: Address) -> bool:
    return any(len(segment) > 20 and _count(segment) >= _TITLE for segment in address.segments)


def _below(words: frozenset[str]) -> Callable[[Address], object]:
    """Build a test: a segment before the last is one of these words, and none is a whole title."""
    return lambda address: not words.isdisjoint(address.segments[:-1]) and not _has_title(address)


def _is_utility(address: Address) -> bool:
    return address.last in UTILITIES or (address.segments[0] in UTILITIES and not _has_title(address))


def _is_utility_slug(address: Address) -> bool:
    if len(address.last) > 40:
        return False
    slug = address.last.replace("_", "-")
    return slug.startswith(UTILITY_STARTS) or not UTILITY_WORDS.isdisjoint(slug.split("-"))


def _has_id(address: Address) -> bool:
    last = address.last
    run = max((len(run) for run in _DIGITS.findall(last) if len(run) > 4 or run[:2] not in ("19", "20")), default=0)
    if not run or len(last) < 8 or last.replace(",", "").isdigit():
        return False
    words = _count(last)
    return words > 3 or (len(address.segments) > 1 and (words > 2 or run > 6))


def _is_slug(address: Address) -> bool:
    return _count(address.last) >= 4 and (len(address.segments) > 1 or len(address.last) > 24)


def _has_long_slug(address: Address) -> bool:
    return any(len(segment) > 10 and _count(segment) > 4 for segment in address.segments[:-1])


def _is_below_article(address: Address) -> bool:
    if address.segments[-2:-1] and address.segments[-2] in ARTICLES and _count(address.last) > 1:
        return True
    return any(word in ARTICLES and _DIGIT.search(after) for word, after in pairwise(address.segments))


def _always(_: Address) -> bool:
    return True


class Rule(NamedTuple):
    """One line of the table.

    Attributes:
        name: what `explain` calls it.
        shape: what a URL is that it fits.
        needs: the features without which it is not tried.
        test: whether it fits.
    """

    name: str
    shape: Shape
    needs: int
    test: Callable[[Address], object]


RULES: tuple[Rule, ...] = (
    Rule("other-scheme", Shape.NEITHER, ODD, _always),
    Rule("media-file", Shape.NEITHER, ENDING, lambda a: a.ending in _MEDIA),
    Rule("query-id", Shape.ARTICLE, QUERY | DIGIT*0, lambda a: _QUERY_ID.search(a.query)),
    Rule("script-id", Shape.ARTICLE, QUERY | ENDING, lambda a: a.ending in _SCRIPTS and _SCRIPT_ID.search(a.query)),
    Rule("front-page", Shape.NEITHER, EMPTY, _always),
    Rule("dated", Shape.ARTICLE, DIGIT, lambda a: _DATED.search(a.path)),
    Rule("tag", Shape.NEITHER, WORD, _below(TAGS)),
    Rule("utility", Shape.NEITHER, WORD, _is_utility),
    Rule("category", Shape.SECTION, WORD, _below(CATEGORIES)),
    Rule("utility-slug", Shape.NEITHER, 0, _is_utility_slug),
    Rule("page", Shape.NEITHER, DIGIT, lambda a: _PAGE.search(a.path)),
    Rule("date-archive", Shape.NEITHER, DIGIT, lambda a: a.last.isdigit() and _DATE_ALONE.search(a.path) and not _has_title(a)),
    Rule("number", Shape.ARTICLE, DIGIT, lambda a: _NUMBER.match(a.last)),
    Rule("id", Shape.ARTICLE, DIGIT, _has_id),
    Rule("slug", Shape.ARTICLE, 0, _is_slug),
    Rule("date", Shape.ARTICLE, DIGIT, lambda a: _DATE.search(a.path)),
    Rule("opaque-id", Shape.ARTICLE, DIGIT, lambda a: _OPAQUE.match(a.last)),
    Rule("below-article", Shape.ARTICLE, WORD, _is_below_article),
    Rule("numbered-page", Shape.ARTICLE, DIGIT | ENDING, lambda a: _NUMBERED.match(a.last)),
    Rule("long-slug", Shape.ARTICLE, 0, _has_long_slug),
    Rule("deep", Shape.NEITHER, 0, lambda a: len(a.segments) > 5),
    Rule("section", Shape.SECTION, 0, _always),
)

_BY_FEATURES = tuple(tuple((rule.test, rule) for rule in RULES if rule.needs & ~has == 0) for has in range(2 * WORD))


# ------------------------------------------------------------------------------------------ what others call


def _decide(url: str) -> Rule:
    address = Address(url)
    for test, rule in _BY_FEATURES[address.has]:
        if test(address):
            return rule
    return RULES[-1]


def explain(url: str) -> ShapeVerdict:
    """Say what a URL looks like and which rule decided.

    Args:
        url: an absolute URL or a bare path.

    Returns:
        The verdict; any text gets one.
    """
    rule = _decide(url)
    return ShapeVerdict(shape=rule.shape, rule=rule.name)


def looks_like_article(url: str) -> bool:
    """Say whether a URL looks like one article's.

    Args:
        url: an absolute URL or a bare path.
    """
    return _decide(url).shape is Shape.ARTICLE


def looks_like_section(url: str) -> bool:
    """Say whether a URL looks like that of a page listing articles.

    Args:
        url: an absolute URL or a bare path.
    """
    return _decide(url).shape is Shape.SECTION


def shares(urls: Iterable[str]) -> Shares:
    """Count the article-shaped and the section-shaped among some URLs.

    Args:
        urls: absolute URLs or bare paths.
    """
    shapes = Counter(_decide(url).shape for url in urls)
    return Shares(count=shapes.total(), article=shapes[Shape.ARTICLE], section=shapes[Shape.SECTION])


def dominant_segment(urls: Iterable[str], share: float = 0.6) -> str | None:
    """Return the first path segment that most URLs have in common.

    Args:
        urls: absolute URLs or bare paths, usually of articles.
        share: how many must share it, 0 to 1.

    Returns:
        The segment, decoded and in lower case, or None.
    """
    firsts = [segments[0] if len(segments) > 1 else "" for segments in _segments(urls)]
    segment, count = Counter(firsts).most_common(1)[0] if firsts else ("", 0)
    return segment if segment and count >= share * len(firsts) else None


def _segments(urls: Iterable[str]) -> Iterator[list[str]]:
    return (Address(url).segments for url in urls)
