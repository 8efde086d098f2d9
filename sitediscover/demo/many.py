"""Many small sites of different kinds, for runs over hundreds of them. Pure.

Served over plain http: no certificate can stand for all of `*.example`.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sitediscover.demo.hosts import Host, robots
from sitediscover.demo.words import slug, stories
from sitediscover.model import Article, Outcome
from sitediscover.testing import Answer, Call, Web, feed, page, sitemap_index, urlset

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

_STORIES = 30


def build_many(count: int, now: datetime) -> tuple[Web, Mapping[str, Outcome]]:
    """Return many small sites of eight kinds in turn, each with stories of its own.

    Bodies are made when they are asked for, so ten thousand sites cost little memory.

    Args:
        count: how many sites.
        now: an aware time of day; every date in the web is relative to it.

    Returns:
        The web, and the verdict that is right for each of its sites, by its address, which begins with http.
    """
    web: dict[str, Host] = {}
    verdicts: dict[str, Outcome] = {}
    for number in range(count):
        site = _Site(number, now)
        build, verdict = _KINDS[number % len(_KINDS)]
        web[site.url], verdicts[site.url] = build(site), verdict
    return web, verdicts


class _Site:
    """Makes the bodies of one site, each when it is asked for."""

    def __init__(self, number: int, now: datetime) -> None:
        self.url, self.title = f"http://site-{number:04}.example", f"Site {number}"
        self._number, self._now = number, now

    def stories(self) -> list[Article]:
        return stories(_STORIES, self._now, timedelta(hours=24), self._address)

    def _address(self, number: int, date: datetime) -> str:
        return f"{self.url}/{date:%Y/%m}/{slug(self._number + number)}-{number}/"

    def front(self, _: Call) -> str:
        return page((story.url for story in self.stories()), title=self.title)

    def front_with_feed(self, _: Call) -> str:
        return page((story.url for story in self.stories()), feeds=["/news.rss"], title=self.title)

    def feed(self, _: Call) -> str:
        return feed(self.stories(), title=self.title)

    def news(self, _: Call) -> str:
        return urlset(self.stories(), news=self.title)

    def articles(self, _: Call) -> str:
        return urlset(self.stories())


def _advertised(site: _Site) -> Host:
    return {"/": site.front_with_feed, "/news.rss": site.feed}


def _guessed(site: _Site) -> Host:
    return {"/": site.front, "/feed": site.feed}


def _news(site: _Site) -> Host:
    return {"/robots.txt": robots(f"{site.url}/news-sitemap.xml"), "/": site.front, "/news-sitemap.xml": site.news}


def _articles(site: _Site) -> Host:
    return {
        "/robots.txt": robots(f"{site.url}/sitemap.xml"),
        "/": site.front,
        "/sitemap.xml": sitemap_index([f"{site.url}/post-sitemap.xml"]),
        "/post-sitemap.xml": site.articles,
    }


def _sections(site: _Site) -> Host:
    sections = ("/harbour/", "/council/", "/sport/")
    return {"/": page(sections, title=site.title), **dict.fromkeys(sections, site.front)}


def _nothing(site: _Site) -> Host:
    return {"/": page(["/imprint.html"], title=site.title)}


def _refused(_: _Site) -> Host:
    return {"/robots.txt": robots(), "*": Answer(status=403, body="<!doctype html><title>Forbidden</title>")}


def _closed(site: _Site) -> Host:
    return {"/robots.txt": robots(closed="/"), "/": site.front}


_KINDS: tuple[tuple[Callable[[_Site], Host], Outcome], ...] = (
    (_advertised, Outcome.FEED),
    (_guessed, Outcome.FEED),
    (_news, Outcome.NEWS_SITEMAP),
    (_articles, Outcome.ARTICLE_SITEMAP),
    (_sections, Outcome.SECTIONS),
    (_nothing, Outcome.NOTHING),
    (_refused, Outcome.STOPPED),
    (_closed, Outcome.STOPPED),
)
