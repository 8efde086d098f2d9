"""A program that uses the public face, typed as its users type theirs: `nox -s typecheck` holds every assert_type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, assert_type

import sitediscover
from sitediscover import (
    Article,
    Discoverer,
    Discovery,
    DiscoveryStrategy,
    Evidence,
    Failure,
    Forecast,
    Outcome,
    Page,
    PoliteSession,
    Registry,
    Request,
    Section,
    Site,
    SitemapEntry,
    SitemapWalk,
    Source,
    SourceKind,
    Stop,
    StopReason,
    Watchlist,
    discover,
    discover_many,
    find_news_sitemaps,
    follow,
)
from sitediscover.dates import Moment, parse_date
from sitediscover.parse.feed import FeedFormat, sniff_feed
from sitediscover.parse.html import PageLinks, parse_page
from sitediscover.parse.robots import Robots, parse_robots
from sitediscover.parse.sitemap import Sitemap, parse_sitemap
from sitediscover.shapes import looks_like_article
from sitediscover.testing import Answer, Call, FakeClock, FakeWeb, feed, page, urlset
from sitediscover.walk import NewsSearch, SitemapReport, SitemapStub
from sitediscover.watch import PollRecord, SourceInfo, SourceState, Stats

HOST = "news.example"
ROOT = f"https://{HOST}"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
STORIES = [Article(url=f"{ROOT}/2026/03/02/story-{number}", title="A story", published=NOON) for number in range(3)]


def a_web() -> FakeWeb:
    """Return a site with a feed and a sitemap."""
    return FakeWeb(
        {
            ROOT: {
                "/robots.txt": f"Sitemap: {ROOT}/news.xml",
                "/": page(feeds=["/feed"]),
                "/feed": lambda call: assert_type(call, Call).url and feed(STORIES),
                "/news.xml": Answer(body=urlset(STORIES, news="News")),
            }
        },
        clock=FakeClock(NOON + timedelta(hours=1)),
    )


# -- strategies: a class, a function, a frozen dataclass


class Latest:
    """A strategy as a plain class, with a plain attribute for its name."""

    name = "latest"

    def discover(self, site: Site) -> Iterator[Source]:
        assert_type(site.home, str)
        assert_type(site.robots.allows(f"{site.home}latest"), bool)
        found = site.get(f"{ROOT}/feed", step=self.name)
        assert_type(found, Page)
        yield Source(kind=SourceKind.FEED, url=found.final_url, found_by=self.name)


def latest(site: Site) -> Iterable[Source]:
    """A strategy as a function."""
    return [Source(kind=SourceKind.FEED, url=f"{site.home}feed", found_by="function")]


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestAt:
    """A strategy with options: a frozen dataclass, whose name cannot be set; it tells its chances too."""

    path: str
    name: str = "latest-at"

    def discover(self, site: Site) -> Iterator[Source]:
        yield Source(kind=SourceKind.FEED, url=f"{ROOT}{self.path}", found_by=self.name)

    def forecast(self, site: Site) -> Forecast:
        return Forecast(chance=0.9, requests=1.0)


def test_a_strategy_is_a_class_a_function_or_a_frozen_dataclass() -> None:
    strategies: list[DiscoveryStrategy] = [Latest(), LatestAt(path="/feed")]
    mixed: list[DiscoveryStrategy | str | Callable[[Site], Iterable[Source]]] = [*strategies, latest, "common-paths"]
    with a_web().session() as session, Discoverer(mixed, session=session, order="listed", thorough=True) as discoverer:
        found = assert_type(discoverer.discover(HOST), Discovery)
        assert_type(discoverer.strategies, tuple[DiscoveryStrategy, ...])
        assert assert_type(next(discoverer.iter(HOST)), Source).found_by == "latest"
    assert found.best is not None


def test_a_registration_leaves_what_it_registers_as_it_is() -> None:
    registry = Registry()
    assert_type(registry.register("latest", Latest), type[Latest])

    @registry.register("function")
    def function(site: Site) -> Iterator[Source]:
        yield from latest(site)

    assert_type(Discoverer([function]), Discoverer)
    assert assert_type(registry.get("latest"), DiscoveryStrategy).name == "latest"


# -- what is found, and following it


def test_a_discovery() -> None:
    found = assert_type(discover(HOST, session=a_web().session()), Discovery)
    assert_type(found.outcome, Outcome)
    assert_type(found.sources, tuple[Source, ...])
    assert_type(found.stopped, Stop | None)
    assert_type(found.failures, tuple[Failure, ...])
    assert_type(found.requests, tuple[Request, ...])
    source = assert_type(found.best, Source | None)
    assert source is not None
    assert_type(source.kind, SourceKind)
    assert_type(source.sections, tuple[Section, ...])
    assert_type(source.evidence, Evidence | None)
    again = assert_type(Discovery.from_dict(found.to_dict()), Discovery)
    assert again == found


def test_every_outcome_and_reason_is_known_to_the_checker() -> None:
    reason: StopReason = StopReason("robots_disallow")
    assert reason is StopReason.ROBOTS_DISALLOW
    outcome: Literal["feed"] = Outcome.FEED.value
    assert outcome == "feed"


def test_following() -> None:
    web = a_web()
    found = discover(HOST, session=web.session())
    for what in (found, found.sources[0], f"{ROOT}/news.xml"):
        articles = assert_type(follow(what, session=web.session(), since=timedelta(days=1)), Iterator[Article])
        article = assert_type(next(articles), Article)
        assert_type(article.published, datetime | None)
        assert_type(article.title, str | None)
        assert article.url.startswith(ROOT)


def test_a_walk_and_a_search() -> None:
    def newest(stubs: Iterable[SitemapStub]) -> list[SitemapStub]:
        return list(stubs)[:1]

    with a_web().session() as session:
        walk = SitemapWalk(HOST, session=session, since=NOON - timedelta(days=1), choose=newest)
        entry = assert_type(next(walk), SitemapEntry)
        assert_type(walk.pending, tuple[SitemapStub, ...])
        assert_type(walk.reports, tuple[SitemapReport, ...])
        resumed = assert_type(
            SitemapWalk.resume(assert_type(walk.state(), dict[str, object]), session=session), SitemapWalk
        )
        assert [each.url for each in (entry, *resumed)] == [story.url for story in STORIES]
        search = assert_type(find_news_sitemaps(HOST, session=session), NewsSearch)
        assert [assert_type(source, Source).url for source in search] == [f"{ROOT}/news.xml"]


def test_many_sites() -> None:
    session = a_web().session()
    answers = assert_type(discover_many([HOST], workers=1, session=session, order="listed"), Iterator[Discovery])
    assert [answer.outcome for answer in answers] == [Outcome.FEED]


def test_a_watchlist() -> None:
    web = a_web()
    with Watchlist("sqlite://", session=web.session()) as watch:
        info = assert_type(watch.add(HOST, max_age=timedelta(days=2), exclude=["/sport/"]), SourceInfo)
        assert_type(info.state, SourceState)
        assert_type(watch.poll(limit=5), Iterator[Article])
        assert_type(watch.polls(info.id), tuple[PollRecord, ...])
        assert_type(watch.stats(), Stats)
        assert [assert_type(each, SourceInfo).id for each in watch.sources()] == [info.id]


def test_a_web_in_a_dict() -> None:
    web = a_web()
    assert_type(web.session(pause=0.0), PoliteSession)
    assert_type(web.clock.now, datetime)
    assert assert_type(web.calls, list[Call]) == []
    assert assert_type(web.requests, list[str]) == []


# -- the pure functions


def test_the_parsers() -> None:
    assert assert_type(parse_robots(b"", "Bot"), Robots).allows(f"{ROOT}/")
    assert assert_type(parse_page(b"<a href='/x'>x</a>", ROOT), PageLinks).links[0].url == f"{ROOT}/x"
    assert assert_type(sniff_feed(b""), FeedFormat | None) is None
    assert assert_type(parse_sitemap([urlset(STORIES).encode()], ROOT), Sitemap).kind == "urlset"
    assert assert_type(parse_date("2026"), Moment | None) is not None
    assert assert_type(looks_like_article(STORIES[0].url), bool)


def test_every_public_name_is_there() -> None:
    for name in sitediscover.__all__:
        assert hasattr(sitediscover, name)
