"""The miniature web gives the figures of the table, in both orders."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from sitediscover.demo import SITES, build_web
from sitediscover.demo.report import ORDERS, Row, Run, describe, discover_in
from sitediscover.model import Outcome, SourceKind, StopReason
from sitediscover.testing import FakeClock, FakeWeb

NOW = datetime(2026, 11, 30, 5, 20, tzinfo=UTC)
WEB = build_web(NOW)
DAY = timedelta(hours=24)
BY_NAME = {site.name: site for site in SITES}


def discover(name, order):
    web = FakeWeb(WEB, clock=FakeClock(NOW))
    with web.session() as session:
        return discover_in(order, BY_NAME[name].host, session), web


@pytest.fixture(params=ORDERS)
def order(request):
    return request.param


# The table of the README: site, requests in listed order, requests in adaptive order at most, outcome.
TABLE = [
    ("The Verge", 2, 2, Outcome.FEED),
    ("TechCrunch", 2, 2, Outcome.FEED),
    ("ITmedia", 2, 2, Outcome.FEED),
    ("Yomiuri", 13, 4, Outcome.NEWS_SITEMAP),
    ("Asahi", 13, 4, Outcome.NEWS_SITEMAP),
    ("Nikkei", 14, 5, Outcome.SECTIONS),
    ("AP", 2, 2, Outcome.STOPPED),
    ("Reuters", 1, 1, Outcome.STOPPED),
]


def test_the_demo_shows_the_sites_of_the_table():
    assert [(site.name, site.listed, site.adaptive, site.outcome) for site in SITES] == TABLE


@pytest.mark.parametrize("name, listed, adaptive, outcome", TABLE)
def test_a_site_costs_what_the_table_says(name, listed, adaptive, outcome):
    (in_list, asked), (adapted, fewer) = discover(name, "listed"), discover(name, "adaptive")
    assert (in_list.outcome, adapted.outcome) == (outcome, outcome)
    assert (len(in_list.requests), len(asked.calls)) == (listed, listed)
    assert len(adapted.requests) == len(fewer.calls) <= adaptive


@pytest.mark.parametrize("name", BY_NAME)
def test_what_is_found_reads_as_the_demo_prints_it(name, order):
    found, _ = discover(name, order)
    assert describe(found, NOW) == BY_NAME[name].found


@pytest.mark.parametrize("name", BY_NAME)
def test_robots_txt_goes_first_and_the_front_page_second(name, order):
    _, web = discover(name, order)
    root = f"https://{BY_NAME[name].host}/"
    assert web.requests[:2] == [f"{root}robots.txt", root][: len(web.requests)]


def test_an_advertised_feed_may_live_on_another_host(order):
    found, _ = discover("ITmedia", order)
    assert found.best.url == "https://rss.itmedia.example/rss/2.0/news.xml"


def test_a_comment_feed_comes_after_the_feed(order):
    found, _ = discover("TechCrunch", order)
    assert [source.url.partition(".example")[2] for source in found.sources][:2] == ["/feed/", "/comments/feed/"]
    assert not [source for source in found.sources if "wp-json" in source.url]


def test_listed_order_asks_the_nine_classic_addresses():
    _, web = discover("Asahi", "listed")
    assert [url.removeprefix("https://www.asahi.example") for url in web.requests[2:11]] == [
        *("/feed", "/feed/", "/rss", "/rss.xml", "/feed.xml", "/atom.xml", "/index.xml", "/feeds/posts/default"),
        "/rss/index.xml",
    ]


def test_the_newspaper_with_one_news_sitemap_has_340_articles_of_the_last_day(order):
    best = discover("Yomiuri", order)[0].best
    assert best.kind is SourceKind.NEWS_SITEMAP
    assert len({article.url for article in best.articles}) == 340
    assert all(timedelta(0) < NOW - article.published < DAY for article in best.articles)
    assert all(article.title for article in best.articles)


def test_the_newspaper_split_by_desk_gives_one_desk_and_names_the_others(order):
    best = discover("Asahi", order)[0].best
    fresh = [article for article in best.articles if NOW - article.published < DAY]
    assert best.url == "https://www.asahi.example/sitemaps/news/national.xml"
    assert (len({article.url for article in best.articles}), len(fresh), len(best.siblings)) == (61, 36, 7)


def test_the_sections_are_those_of_the_sitemap_and_the_front_page(order):
    found, web = discover("Nikkei", order)
    sections = found.best.sections
    assert found.best.url == "https://www.nikkei.example/sections_sitemap.xml"
    assert len({section.url for section in sections}) == 185
    assert "https://www.nikkei.example/" in {section.url for section in sections}
    assert sum(section.modified is not None and NOW - section.modified < DAY for section in sections) == 157
    assert not [section for section in sections if "/info/" in section.url]
    assert web.requests[-1] in {section.url for section in sections}


def test_only_the_stories_of_a_section_page_count(order):
    found, _ = discover("Nikkei", order)
    assert found.best.articles
    assert not [article.url for article in found.best.articles if "/article/" not in article.url]


@pytest.mark.parametrize(
    "name, reason", [("AP", StopReason.FRONT_PAGE_REFUSED), ("Reuters", StopReason.ROBOTS_DISALLOW)]
)
def test_a_refusal_says_why(name, reason, order):
    found, _ = discover(name, order)
    assert found.stopped.reason is reason
    assert found.best is None


@pytest.mark.parametrize("hour", [0, 9, 15, 23])
def test_the_figures_are_the_same_at_any_hour(hour):
    now = datetime(2028, 3, 1, hour, 30, 12, 345_678, tzinfo=UTC)
    for name in ("Yomiuri", "Asahi", "Nikkei"):
        web = FakeWeb(build_web(now), clock=FakeClock(now))
        with web.session() as session:
            assert describe(discover_in("adaptive", BY_NAME[name].host, session), now) == BY_NAME[name].found


def test_a_row_with_other_figures_is_not_as_expected():
    (verge, _), (yomiuri, _) = discover("The Verge", "listed"), discover("Yomiuri", "listed")
    right, wrong = Run(found=verge, seconds=0.0), Run(found=yomiuri, seconds=0.0)
    site = BY_NAME["The Verge"]
    assert Row(site=site, listed=right, adaptive=right).as_expected(NOW)
    assert not Row(site=site, listed=wrong, adaptive=right).as_expected(NOW)
    assert not Row(site=site, listed=right, adaptive=wrong).as_expected(NOW)
    assert not Row(site=BY_NAME["Yomiuri"], listed=wrong, adaptive=wrong).as_expected(NOW)
