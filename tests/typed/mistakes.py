"""Mistakes that a type checker must see: each line is wrong, and mypy complains of an ignore that is not needed.

Nothing runs this file; `nox -s typecheck` reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitediscover import (
    Article,
    Discoverer,
    Discovery,
    Outcome,
    Site,
    SitemapWalk,
    Source,
    SourceKind,
    Watchlist,
    discover,
    discover_many,
    follow,
)
from sitediscover.testing import FakeWeb

if TYPE_CHECKING:
    from collections.abc import Iterator


class Nameless:
    """Lacks a name."""

    def discover(self, site: Site) -> Iterator[Source]:
        yield Source(kind=SourceKind.FEED, url=site.home)


@dataclass(frozen=True)
class YieldsTexts:
    """Yields something else than sources."""

    name: str = "texts"

    def discover(self, site: Site) -> Iterator[str]:
        yield site.home


def takes_nothing() -> Iterator[Source]:
    """A function that is given no site."""
    yield from ()


def strategies() -> None:
    Discoverer([Nameless()])  # type: ignore[list-item]
    Discoverer([YieldsTexts()])  # type: ignore[list-item]
    Discoverer([takes_nothing])  # type: ignore[list-item]
    Discoverer(order="random")  # type: ignore[arg-type]
    Discoverer(None, None)  # type: ignore[call-arg]


def results(found: Discovery, article: Article) -> None:
    found.best.to_dict()  # type: ignore[union-attr]
    found.outcome = Outcome.FEED  # type: ignore[misc]
    article.published.isoformat()  # type: ignore[union-attr]
    Source(SourceKind.FEED, "https://news.example/feed")  # type: ignore[call-arg]
    Source(kind=SourceKind.FEED)  # type: ignore[call-arg]
    found.sources.append(found.sources[0])  # type: ignore[attr-defined]


def calls() -> None:
    discover(b"news.example")  # type: ignore[arg-type]
    discover("news.example", pause=2.0)  # type: ignore[call-arg]
    discover_many("news.example", worker=3)  # type: ignore[call-arg]
    follow(None)  # type: ignore[arg-type]
    SitemapWalk("news.example", since="yesterday")  # type: ignore[arg-type]
    Watchlist("sqlite://").add(3)  # type: ignore[arg-type]
    FakeWeb({"https://news.example": {"/": 404}})  # type: ignore[dict-item]
