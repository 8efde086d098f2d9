"""Tell by its URL alone whether a page is an article, a section, or neither. Pure.

An ordered table of named rules decides: the first that fits has the say. To add a rule, write one line into `RULES`;
docs/explanation/shapes.md says how to measure it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from sitediscover.paths import ANY_DIGIT, DIGIT, EMPTY, ENDING, ODD, QUERY, WORD, Address, count_words, path_of
from sitediscover.words import (
    ARTICLES,
    CATEGORIES,
    MEDIA,
    SCRIPTS,
    TAGS,
    UTILITIES,
    UTILITY_STARTS,
    UTILITY_WORDS,
    VIDEO_HUBS,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


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


_QUERY_ID = re.compile(
    # A key that names a story's number (?p=36250, ?idx=8723), a number alone (?241858, ?article68790), a UUID.
    r"(?:^|[&;])(?:(?:ar|article|content|doc|item|n|news|object|p|post|story)?_?id|p|idx|no|nota|article|key)=\d{4}"
    r"|^[a-z]{0,8}\d{5}|(?:^|[&;])(?:g|guid|uuid|id)=(?:\{|%7b)?[0-9a-f]{8}-[0-9a-f]{4}-",
    re.IGNORECASE,
)
_SCRIPT_ID = re.compile(r"(?:^|[&;])(?!cat|tag|page|author|utm|ref|year)[a-z_]{1,16}=[a-z0-9]{0,4}\d{4}", re.IGNORECASE)
_MONTH = r"(?:0?[1-9]|1[0-2]|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)"
_DATED = re.compile(rf"/(?:19|20)\d\d[/-](?:{_MONTH}|\d\d)/(?:(?:0?[1-9]|[12]\d|3[01])/)?[^/]*[^\d/]")
_DATE_ALONE = re.compile(
    rf"/(?:19|20)\d\d(?:/{_MONTH}(?:/\d\d?)?|[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12]\d|3[01]))?$"
)
_DATE = re.compile(
    r"(?<!\d)(?:(?:19|20)\d\d[-_./]?(?:0[1-9]|1[0-2])[-_./]?(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])[-_.]?"
    r"(?:0[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[-_.]?(?:19|20)\d\d)(?!\d)"
)
_PAGE = re.compile(r"/(?:page|pagina|seite|strana|sayfa)[/-]\d{1,4}(?:/|$)")
_NUMBER = re.compile(r"(?:[a-z]{0,3}|art|article|content|detail|doc|news|show|story|view)[-_,]?\d{5,}-?$")
_NUMBER_ABOVE = re.compile(r"/\d{7,}/")
_OPAQUE = re.compile(r"(?:^|\.)(?=[^-_]{7,64}$)[a-z]*\d+[a-z]+\d[a-z0-9]*$|^[0-9a-f]{24,}$")
_NUMBERED = re.compile(r"[a-z].*-1(?!00)\d\d$")
_DIGITS = re.compile(r"\d{4,}")
_YEAR = re.compile(r"(?:19|20)\d\d")

# Words that make a slug: of a whole title, of a slug in any segment, of the last one.
_TITLE, _LONG, _SLUG = 6, 5, 4
_LONE_SLUG = 25  # characters of a slug that is the whole path: shorter ones are as often a section's name
_SHORT_SLUG = 40  # characters: beyond them a word such as "privacy" stands in a headline
_SHORTEST_ID, _LONG_NUMBER = 8, 7  # characters of a last segment that holds an id; digits that need no slug beside them
_DEEPEST_SECTION = 5  # segments


def _has_title(address: Address) -> bool:
    return any(count_words(segment) >= _TITLE for segment in address.segments)


def _below(words: frozenset[str]) -> Callable[[Address], bool]:
    """Build a test: a segment before the last is one of these words, and none is a whole title."""
    return lambda address: not words.isdisjoint(address.segments[:-1]) and not _has_title(address)


def _is_utility(address: Address) -> bool:
    return address.last in UTILITIES or (address.segments[0] in UTILITIES and not _has_title(address))


def _is_utility_slug(address: Address) -> bool:
    if len(address.last) > _SHORT_SLUG:
        return False
    slug = address.last.replace("_", "-")
    return slug.startswith(UTILITY_STARTS) or not UTILITY_WORDS.isdisjoint(slug.split("-"))


def _is_date_alone(address: Address) -> bool:
    if not _DATE_ALONE.search(address.path) or _has_title(address):
        return False
    return not any(_NUMBER.match(segment) for segment in address.segments[:-1])


def _has_id(address: Address) -> bool:
    """Find a number of four digits or more, years aside, beside a slug; alone in a path beside a longer one."""
    last = address.last
    digits = max((len(run) for run in _DIGITS.findall(last) if not _YEAR.fullmatch(run)), default=0)
    if not digits or len(last) < _SHORTEST_ID or last.replace(",", "").isdigit():
        return False
    words = count_words(last)
    return words >= _SLUG or (len(address.segments) > 1 and (words == _SLUG - 1 or digits >= _LONG_NUMBER))


def _is_slug(address: Address) -> bool:
    return count_words(address.last) >= _SLUG and (len(address.segments) > 1 or len(address.last) >= _LONE_SLUG)


def _is_below_article(address: Address) -> bool:
    segments = address.segments
    if segments[-2:-1] and segments[-2] in ARTICLES and count_words(address.last) > 1:
        return True
    return any(word in ARTICLES and ANY_DIGIT.search(after) for word, after in pairwise(segments))


def _has_long_slug(address: Address) -> bool:
    for segment in address.segments[:-1]:  # noqa: SIM110 - tried on most URLs, and a generator costs twice as much
        if len(segment) > _LONG and count_words(segment) >= _LONG:
            return True
    return False


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


# The first rule that fits decides. In brackets: how many of 16,321 articles / of 9,211 other pages (sections, tags,
# pages about the site) end at the rule, of 3,395 hosts in all; then what leaving the rule out would do, in points of
# recall / of false positives, where it does anything. `nox -s bench -- shapes` counts it all again.
RULES: tuple[Rule, ...] = (
    # mailto:, javascript:, tel: among a page's links.
    Rule("other-scheme", Shape.NEITHER, ODD, _always),
    # [0 / 7] Pictures, film, PDF: whole sitemaps list nothing else.
    Rule("media-file", Shape.NEITHER, ENDING, lambda a: a.ending in MEDIA),
    # [141 / 1; -0.44 / -0.01] A number that the query names as a story's, or that is all of the query; 50 hosts.
    Rule("query-id", Shape.ARTICLE, QUERY, lambda a: _QUERY_ID.search(a.query)),
    # [29 / 1; -0.18 / -0.01] nota3.aspx?c=56312: a program says with any key which page it means.
    Rule("script-id", Shape.ARTICLE, QUERY | ENDING, lambda a: a.ending in SCRIPTS and _SCRIPT_ID.search(a.query)),
    # [5 / 18] The site itself.
    Rule("front-page", Shape.NEITHER, EMPTY, _always),
    # [3358 / 3; -0.25 / 0] Year and month, then something: before all words, for /columnists/name/2020/01/01/slug.
    Rule("dated", Shape.ARTICLE, DIGIT, lambda a: _DATED.search(a.path)),
    # [6 / 802; +0.01 / +0.31] Tags, topics, authors: they cut across sections, by the thousand.
    Rule("tag", Shape.NEITHER, WORD, _below(TAGS)),
    # [10 / 838; +0.02 / +0.08] About the site: its first segment or its last says so.
    Rule("utility", Shape.NEITHER, WORD, _is_utility),
    # [0 / 45] The site's page of videos, 45 hosts: it holds no stories to read.
    Rule("video-hub", Shape.NEITHER, WORD, lambda a: len(a.segments) == 1 and a.last in VIDEO_HUBS),
    # [8 / 732; +0.04 / +0.22] Below the word for a section: /category/sport.
    Rule("category", Shape.SECTION, WORD, _below(CATEGORIES)),
    # [0 / 124; 0 / +0.22] /impressum-98, /about-us-5499056: before the ids, which it looks like.
    Rule("utility-slug", Shape.NEITHER, 0, _is_utility_slug),
    # [1 / 5] /page/2: no new address to follow.
    Rule("page", Shape.NEITHER, DIGIT, lambda a: _PAGE.search(a.path)),
    # [3 / 33; +0.01 / +0.03] /2018/05, /2018-05-17: the past does not change any more.
    Rule("date-archive", Shape.NEITHER, DIGIT, _is_date_alone),
    # [2101 / 33; -6.27 / -0.20] Five digits or more, at any depth: many Arabic and Russian addresses show nothing else.
    Rule("number", Shape.ARTICLE, DIGIT, lambda a: _NUMBER.match(a.last)),
    # [9791 / 251; -20.91 / -1.89] Four words; 25 characters where they are the whole path (shorter ones: 7 / 28).
    Rule("slug", Shape.ARTICLE, 0, _is_slug),
    # [360 / 20; -0.37 / -0.17] One or two words and a number; two need seven digits, as short ones number topics too.
    Rule("id", Shape.ARTICLE, DIGIT, _has_id),
    # [54 / 5; -0.07 / -0.03] 20261106, 2026-11-06, 06-nov-2026 anywhere.
    Rule("date", Shape.ARTICLE, DIGIT, lambda a: _DATE.search(a.path)),
    # [128 / 0; -0.33 / 0] /c1xy2wz5qo: digits among letters, or 24 hexadecimal digits; 22 hosts.
    Rule("opaque-id", Shape.ARTICLE, DIGIT, lambda a: _OPAQUE.search(a.last)),
    # [35 / 5; -0.20 / -0.05] Below the word for an article: /article/two-words, /noticia/448256/anything.
    Rule("below-article", Shape.ARTICLE, WORD, _is_below_article),
    # [21 / 3; -0.13 / -0.03] /word-127.html, of a publishing system that counts so; -100 as often ends a section.
    Rule("numbered-page", Shape.ARTICLE, DIGIT | ENDING, lambda a: _NUMBERED.match(a.last)),
    # [49 / 1; -0.25 / -0.01] A slug of five words before the last segment: /five-words-or-more/1/
    Rule("long-slug", Shape.ARTICLE, 0, _has_long_slug),
    # [14 / 5; -0.09 / -0.05] /news/6354859/road-closure: seven digits; shorter numbers above a page hurt.
    Rule("number-above", Shape.ARTICLE, DIGIT, lambda a: _NUMBER_ABOVE.search(a.path)),
    # [2 / 2] Beyond five segments hardly anything that no rule above knows is a section.
    Rule("deep", Shape.NEITHER, 0, lambda a: len(a.segments) > _DEEPEST_SECTION),
    # [205 / 6277] What no rule above knows.
    Rule("section", Shape.SECTION, 0, _always),
)

# For each set of features the rules that can fit it; the last rule takes what they leave.
_BY_FEATURES = tuple(
    tuple((rule.test, rule) for rule in RULES[:-1] if rule.needs & ~features == 0) for features in range(2 * WORD)
)

_ARTICLE, _SECTION = Shape.ARTICLE, Shape.SECTION  # looking a member up costs as much as two rules


@lru_cache(maxsize=4_096)  # a sitemap's URLs are counted twice, once for each shape
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
    return _decide(url).shape is _ARTICLE


def looks_like_section(url: str) -> bool:
    """Say whether a URL looks like that of a page listing articles.

    Args:
        url: an absolute URL or a bare path.
    """
    return _decide(url).shape is _SECTION


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
        The segment as it is written, or None.
    """
    firsts = [path_of(url.partition("#")[0].partition("?")[0]).lstrip("/").partition("/")[0] for url in urls]
    segment, count = Counter(firsts).most_common(1)[0] if firsts else ("", 0)
    return segment if segment and count >= share * len(firsts) else None
