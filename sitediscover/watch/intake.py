"""What a person adds: a discovery, a source, a site, a URL; made into sources that can be polled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import islice
from typing import TYPE_CHECKING

from sitediscover.discoverer import Discoverer
from sitediscover.errors import BadStatus, NothingToFollow
from sitediscover.judge import judge
from sitediscover.model import Discovery, Section, Source, SourceKind
from sitediscover.parse.feed import sniff_feed
from sitediscover.parse.sitemap import SitemapKind, parse_sitemap
from sitediscover.urls import origin_of, parse_site

if TYPE_CHECKING:
    from sitediscover.fetch import Page, PoliteSession
    from sitediscover.parse.opml import OpmlLine

_JUDGED = 5_000  # entries of a sitemap that its kind is told by


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A source as it goes into the store.

    Attributes:
        origin: the site as a person knows it.
        source: what is polled first: a feed, a sitemap, an index, a page.
        children: documents of its tree that are known already.
    """

    origin: str
    source: Source
    children: tuple[Section, ...] = ()


def take(given: Discovery | Source) -> Taken:
    """Return what to store of a discovery, or of one of its sources.

    Args:
        given: what was found.

    Raises:
        NothingToFollow: nothing was.
    """
    if isinstance(given, Source):
        return _from_source(given, origin_of(given.found_on or given.url))
    if given.best is None:
        stopped = f", {given.stopped.reason}: {given.stopped.detail}" if given.stopped else ""
        reason = given.stopped.reason.value if given.stopped else ""
        raise NothingToFollow(f"{given.site} has nothing to follow ({given.outcome}{stopped})", reason)
    return _from_source(given.best, given.site)


def listed(line: OpmlLine) -> Taken:
    """Return what to store of a line of OPML; its page tells whose it is, and never that it is part of a tree.

    Args:
        line: as it was read.
    """
    source = Source(kind=SourceKind(line.kind), url=line.url, title=line.title)
    return Taken(origin=origin_of(line.page or line.url), source=source)


def _from_source(source: Source, origin: str) -> Taken:
    if source.kind is SourceKind.ARTICLE_SITEMAP and _is_index(source.found_on) and source.found_on:
        # The index tells of next month's file; this one only of its own articles.
        index = replace(source, url=source.found_on, articles=(), siblings=())
        return Taken(origin=origin, source=index, children=(Section(url=source.url),))
    if source.kind is SourceKind.SECTIONS:
        children = tuple(section for section in source.sections if section.url != source.url)
        return Taken(origin=origin, source=source, children=children)
    return Taken(origin=origin, source=source)


def _is_index(found_on: str | None) -> bool:
    """What a sitemap is found on is robots.txt, or the index that lists it."""
    return found_on is not None and not found_on.endswith("/robots.txt")


def look_up(text: str, session: PoliteSession) -> Taken:
    """Return what to store of a site, or of the address of a feed, a sitemap or a page.

    Args:
        text: a host, or a URL; a page's site is searched.
        session: the door to the network.

    Raises:
        InvalidSite: it names no site.
        NothingToFollow: nothing was found.
        FetchError: the address could not be asked.
    """
    site = parse_site(text)
    if site.path != "/":
        page = session.get(site.origin + site.path, step="add")
        if page.status != HTTPStatus.OK:
            raise BadStatus(page.url, f"HTTP {page.status}", page.status)
        kind = _kind_of(page, datetime.fromtimestamp(session.clock.time(), UTC))
        if kind is not None:
            return Taken(origin=origin_of(page.final_url), source=Source(kind=kind, url=page.moved or page.url))
    with Discoverer(session=session) as discoverer:
        return take(discoverer.discover(text))


def _kind_of(page: Page, now: datetime) -> SourceKind | None:
    if sniff_feed(page.body) is not None:
        return SourceKind.FEED
    sitemap = parse_sitemap(page.body, page.final_url, cut=page.truncated)
    if sitemap.kind in (SitemapKind.ERROR, SitemapKind.FEED):
        return None
    if sitemap.kind is SitemapKind.INDEX:
        return SourceKind.ARTICLE_SITEMAP
    return judge(list(islice(sitemap, _JUDGED)), now=now).kind or SourceKind.ARTICLE_SITEMAP
