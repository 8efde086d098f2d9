"""The work behind `follow`: a source of any kind, document by document, as articles."""

from __future__ import annotations

import logging
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

from sitediscover.errors import BadStatus, BudgetSpent, FetchError, UnreadableSource
from sitediscover.fetch import Ledger, PoliteSession
from sitediscover.identity import article_key
from sitediscover.judge import best_child_first
from sitediscover.model import Discovery, Section, Source, SourceKind
from sitediscover.parse.feed import sniff_feed
from sitediscover.parse.sitemap import SitemapKind, parse_sitemap
from sitediscover.reading import Reading, as_article, read_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitediscover.fetch import Page, Stream
    from sitediscover.model import Article

STEP = "follow"
"""The step of these requests in the log."""

_log = logging.getLogger("sitediscover.follow")

_SITEMAPS = (SourceKind.NEWS_SITEMAP, SourceKind.ARTICLE_SITEMAP)


def articles_of(
    source: Source | Discovery | str, session: PoliteSession | None, since: datetime | timedelta | None
) -> Iterator[Article]:
    """Check what is asked for, and return the articles that a source lists now; see `follow`.

    Args:
        source: what is followed.
        session: the door to the network; None for one of its own.
        since: articles known to be older are left out; a timedelta counts from now.

    Raises:
        ValueError: a discovery that found nothing, or a datetime without a zone.
    """
    if isinstance(source, Discovery):
        if source.best is None:
            raise ValueError(f"{source.site} has nothing to follow: {source.outcome}")
        source = source.best
    if isinstance(since, datetime) and since.tzinfo is None:
        raise ValueError("since needs a time zone")
    return _articles(source, session, since)


def _articles(
    source: Source | str, session: PoliteSession | None, since: datetime | timedelta | None
) -> Iterator[Article]:
    with ExitStack() as stack:
        door = session or stack.enter_context(closing(PoliteSession()))
        if isinstance(since, timedelta):
            since = datetime.fromtimestamp(door.clock.time(), UTC) - since
        follower = _Follower(door, since)
        seen: set[str] = set()
        for article in follower.address(source) if isinstance(source, str) else follower.source(source):
            key = article_key(article.url)
            if key not in seen and not follower.is_old(article.published or article.modified):
                seen.add(key)
                yield article


@dataclass(slots=True)
class _Follower:
    """One reading of one source."""

    session: PoliteSession
    since: datetime | None
    ledger: Ledger = field(init=False)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.session.max_requests)

    def is_old(self, date: datetime | None) -> bool:
        return self.since is not None and date is not None and date < self.since

    def address(self, url: str) -> Iterator[Article]:
        """Follow an address of which nothing is known: what it is, its content tells."""
        page = self.session.get(url, ledger=self.ledger, step=STEP)
        kind = _kind_of(page)
        yield from self._read(Source(kind=kind, url=url), _reading(kind, page, page.body), url)

    def source(self, source: Source) -> Iterator[Article]:
        if source.kind is SourceKind.SECTIONS:
            yield from self._sections(source)
        else:
            yield from self._read(source, self._document(source.kind, source.url), source.url)

    def _read(self, source: Source, reading: Reading, url: str) -> Iterator[Article]:
        for entry in reading.articles:
            yield as_article(entry, found_on=url, language=source.language)
        moved = [child for child in best_child_first(reading.children) if not self.is_old(child.modified)]
        yield from self._each(source, [child.url for child in moved if child.url != url])

    def _each(self, source: Source, urls: list[str]) -> Iterator[Article]:
        """Read documents one after another; what goes wrong with one costs only that one."""
        for position, url in enumerate(urls):
            try:
                reading = self._document(source.kind, url)
            except BudgetSpent:
                _log.warning(
                    "%s: %d of %d documents not read: the budget is spent", source.url, len(urls) - position, len(urls)
                )
                return
            except FetchError as error:
                _log.warning("%s: left out: %s", source.url, error)
                continue
            yield from self._read(source, replace(reading, children=()), url)

    def _sections(self, source: Source) -> Iterator[Article]:
        sections = self._moved_sections(source) or (Section(url=source.url),)
        yield from self._each(source, [section.url for section in sections if not self.is_old(section.modified)])

    def _moved_sections(self, source: Source) -> tuple[Section, ...]:
        """Return the sections, the last moved first, their lastmod as the sections sitemap tells it now."""
        told = {section.url: section.modified for section in source.sections}
        if self.since is not None and any(told.values()):
            try:
                sitemap = self._document(SourceKind.ARTICLE_SITEMAP, source.url)
                told |= {entry.url: entry.modified for entry in sitemap.articles if entry.url in told}
            except FetchError as error:
                _log.warning("%s: its sections are all read: %s", source.url, error)
                told = dict.fromkeys(told)
        ordered = sorted(told.items(), key=lambda item: item[1].timestamp() if item[1] else 0.0, reverse=True)
        return tuple(Section(url=url, modified=modified) for url, modified in ordered)

    def _document(self, kind: SourceKind, url: str) -> Reading:
        if kind in _SITEMAPS:
            with self.session.stream(url, ledger=self.ledger, step=STEP) as stream:
                return _reading(kind, stream, stream)
        page = self.session.get(url, ledger=self.ledger, step=STEP)
        return _reading(kind, page, page.body)


def _reading(kind: SourceKind, answer: Page | Stream, body: bytes | Iterable[bytes]) -> Reading:
    if answer.status != HTTPStatus.OK:
        raise BadStatus(answer.url, f"HTTP {answer.status}", answer.status)
    reading = read_document(kind, body, answer.final_url, content_type=answer.headers.get("Content-Type"))
    if not reading.readable:
        raise UnreadableSource(answer.url, reading.error or f"not a {kind}")
    return reading


def _kind_of(page: Page) -> SourceKind:
    if sniff_feed(page.body) is not None:
        return SourceKind.FEED
    kind = parse_sitemap(page.body, page.final_url).kind
    return SourceKind.SECTIONS if kind in (SitemapKind.ERROR, SitemapKind.FEED) else SourceKind.ARTICLE_SITEMAP
