"""Tell by its URL alone whether a page is an article, a section, or neither. Pure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

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
        """Return the share, 0 to 1, that is article-shaped."""
        return self.article / self.count if self.count else 0.0

    @property
    def section_share(self) -> float:
        """Return the share, 0 to 1, that is section-shaped."""
        return self.section / self.count if self.count else 0.0


_AUTHORITY = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?//[^/?#]*", re.IGNORECASE)
_YEAR_MONTH = re.compile(r"/(?:19|20)\d\d/(?:0?[1-9]|1[0-2])(?:/|$)")
_UTILITY = frozenset({"search", "login", "about", "privacy", "contact", "terms", "imprint", "impressum", "newsletter"})


class _Path:
    __slots__ = ("last", "segments", "text")

    def __init__(self, url: str) -> None:
        path = _AUTHORITY.sub("", url, count=1).partition("#")[0].partition("?")[0].strip()
        self.segments = [segment for segment in path.split("/") if segment]
        self.text = "/".join(["", *self.segments])
        self.last = self.segments[-1].removesuffix(".html").removesuffix(".htm") if self.segments else ""


_RULES: tuple[tuple[str, Shape, Callable[[_Path], bool]], ...] = (
    ("front page", Shape.NEITHER, lambda path: not path.segments),
    ("short-single", Shape.SECTION, lambda path: len(path.segments) == 1 and path.last.count("-") < 3),  # noqa: PLR2004
    ("date", Shape.ARTICLE, lambda path: len(path.last) > 5 and bool(_YEAR_MONTH.search(path.text))),  # noqa: PLR2004
    ("id", Shape.ARTICLE, lambda path: len(path.last) > 7 and any(c.isdigit() for c in path.last)),  # noqa: PLR2004
    ("slug", Shape.ARTICLE, lambda path: path.last.count("-") > 2),  # noqa: PLR2004
    ("utility", Shape.NEITHER, lambda path: not _UTILITY.isdisjoint(path.segments)),
    ("file", Shape.NEITHER, lambda path: "." in path.last),
    ("shallow", Shape.SECTION, lambda path: len(path.segments) < 4),  # noqa: PLR2004
)


def explain(url: str) -> ShapeVerdict:
    """Say what a URL looks like and which rule decided.

    Args:
        url: an absolute URL or a bare path.

    Returns:
        The verdict; any text gets one.
    """
    path = _Path(url)
    for name, shape, test in _RULES:
        if test(path):
            return ShapeVerdict(shape=shape, rule=name)
    return ShapeVerdict(shape=Shape.NEITHER, rule="nothing fits")


def looks_like_article(url: str) -> bool:
    """Say whether a URL looks like one article's.

    Args:
        url: an absolute URL or a bare path.
    """
    return explain(url).shape is Shape.ARTICLE


def looks_like_section(url: str) -> bool:
    """Say whether a URL looks like that of a page listing articles.

    Args:
        url: an absolute URL or a bare path.
    """
    return explain(url).shape is Shape.SECTION


def shares(urls: Iterable[str]) -> Shares:
    """Count the article-shaped and the section-shaped among some URLs.

    Args:
        urls: absolute URLs or bare paths.
    """
    shapes = Counter(explain(url).shape for url in urls)
    return Shares(count=shapes.total(), article=shapes[Shape.ARTICLE], section=shapes[Shape.SECTION])


def dominant_segment(urls: Iterable[str], share: float = 0.6) -> str | None:
    """Return the first path segment that most URLs have in common.

    Args:
        urls: absolute URLs or bare paths, usually of articles.
        share: how many must share it, 0 to 1.

    Returns:
        The segment as it is written, or None.
    """
    firsts = [path.segments[0] if path.segments else "" for path in map(_Path, urls)]
    if not firsts:
        return None
    segment, count = Counter(firsts).most_common(1)[0]
    return segment if segment and count >= share * len(firsts) else None
