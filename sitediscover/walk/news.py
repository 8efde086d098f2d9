"""The news sitemaps of a whole tree, as soon as each is seen."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Self

from sitediscover.judge import judge
from sitediscover.model import SourceKind
from sitediscover.strategies.sitemaps import source_of
from sitediscover.survey import MAX_ENTRIES, SurveyedSitemap
from sitediscover.urls import same_site
from sitediscover.walk.base import Walk
from sitediscover.walk.children import Plan
from sitediscover.walk.names import WELL_KNOWN_NEWS, WELL_KNOWN_SITEMAPS

if TYPE_CHECKING:
    from sitediscover.fetch import PoliteSession
    from sitediscover.model import Source
    from sitediscover.walk.file import SitemapFile

FOUND_BY = "find-news-sitemaps"
"""The name that the sources carry."""

MAX_DEPTH = 5
"""Indexes above a file: the budget ends a search, not the depth."""

SAMPLE = 1_000
"""First entries without news tags after which no more are looked at: Google reads no more of a news sitemap."""


class NewsSearch(Walk):
    """An iterator over a site's news sitemaps; `reports`, `pending`, `stopped` and `failures` say what it has read."""

    def __init__(self, site: str, session: PoliteSession | None) -> None:
        super().__init__(site, session)
        self._tree.plan = Plan(max_depth=MAX_DEPTH, news_first=True)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Source:
        while self._open():
            file = self._file
            assert file is not None  # noqa: S101 - _open has told so; this tells mypy
            try:
                found = self._judge(file)
            except BaseException:  # interrupted: the file is still to be read
                self._put_back()
                raise
            self._finish(file)
            if found is not None:
                return found
        self.close()
        raise StopIteration

    def _begin(self) -> None:
        """Take what robots.txt names; guess the names of news sitemaps, and of sitemaps where it names none."""
        named = self._named()
        self._tree.add(named)
        guesses = WELL_KNOWN_NEWS if named else (*WELL_KNOWN_NEWS, *WELL_KNOWN_SITEMAPS)
        self._tree.add((f"{self._site.origin}{path}" for path in guesses), guess=True)

    def _judge(self, file: SitemapFile) -> Source | None:
        """Return a file as a source where it holds news, by its entries and not by what it declares."""
        entries = list(islice(file, SAMPLE))
        if any(entry.news is not None for entry in entries):
            entries += islice(file, MAX_ENTRIES - SAMPLE)
        own = tuple(entry for entry in entries if not entry.off_site or same_site(entry.url, self._site.origin))
        flags = ("truncated",) if file.truncated else ()
        verdict = judge(own, now=self._site.now(), flags=flags)
        if verdict.kind is not SourceKind.NEWS_SITEMAP:
            return None
        found = SurveyedSitemap(
            url=file.stream.moved or file.url,
            kind=verdict.kind,
            evidence=verdict.evidence,
            last_resort=verdict.last_resort,
            entries=own,
            found_on=self._found_on(file),
            siblings=self._tree.siblings(file),
        )
        return source_of(found, FOUND_BY, language=None)

    def _found_on(self, file: SitemapFile) -> str | None:
        task = file.task
        if task.parent is not None:
            return str(self._tree.reports[task.parent][0])
        return None if task.guess else f"{self._site.origin}/robots.txt"


def find_news_sitemaps(site: str, *, session: PoliteSession | None = None) -> NewsSearch:
    """Search the whole tree of a site's sitemaps for news sitemaps.

    The best names of the tree go first, then the newest, however deep they stand; `max_requests` of the session ends
    the search. What counts is what a file holds: articles with news tags. A file whose newest date is over 30 days old
    is yielded too, with `stale` among the flags of its evidence.

    Args:
        site: a host, or any URL of the site.
        session: the door to the network; None for one of its own.

    Returns:
        An iterator that yields each as a Source as soon as it is seen.

    Raises:
        InvalidSite: the text cannot name a site.
    """
    return NewsSearch(site, session)
