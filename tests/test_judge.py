from datetime import UTC, datetime, timedelta

import pytest

from sitediscover.judge import best_child_first, best_name_first, judge, says_news
from sitediscover.model import NewsTags, SitemapEntry, SourceKind

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
YESTERDAY = NOW - timedelta(days=1)


def story(number, *, at=YESTERDAY, tags=False):
    url = f"https://paper.example/2026/11/{number:02}/mayor-opens-the-new-library-{number}"
    return SitemapEntry(url=url, modified=at, news=NewsTags(title="Mayor") if tags else None)


def section(name):
    return SitemapEntry(url=f"https://paper.example/{name}/", modified=YESTERDAY)


SECTIONS = [section(name) for name in ("politics", "sport", "culture", "business", "world", "science", "travel")]


def test_a_sitemap_of_stories_with_news_tags_is_a_news_sitemap():
    verdict = judge([story(n, tags=True) for n in range(1, 11)], now=NOW)
    assert verdict.kind is SourceKind.NEWS_SITEMAP
    assert not verdict.last_resort
    assert (verdict.evidence.count, verdict.evidence.article_share, verdict.evidence.newest) == (10, 1.0, YESTERDAY)


def test_a_sitemap_of_dated_stories_is_an_article_sitemap():
    assert judge([story(n) for n in range(1, 11)], now=NOW).kind is SourceKind.ARTICLE_SITEMAP


def test_stories_without_dates_or_tags_are_of_no_use():
    assert judge([story(n, at=None) for n in range(1, 11)], now=NOW).kind is None


def test_sections_with_news_tags_are_sections_all_the_same():
    tagged = [SitemapEntry(url=entry.url, news=NewsTags(title="Politics")) for entry in SECTIONS]
    assert judge(tagged, now=NOW).kind is SourceKind.SECTIONS


def test_no_entries_are_of_no_use():
    assert judge([], now=NOW).kind is None


@pytest.mark.parametrize(
    "days, tags, last_resort", [(29, True, False), (31, True, True), (300, False, False), (400, False, True)]
)
def test_what_is_stale_is_a_last_resort(days, tags, last_resort):
    verdict = judge([story(n, at=NOW - timedelta(days=days), tags=tags) for n in range(1, 11)], now=NOW)
    assert verdict.last_resort is last_resort
    assert ("stale" in verdict.evidence.flags) is last_resort


def test_a_date_far_ahead_keeps_nothing_fresh():
    old = NOW - timedelta(days=400)
    mistyped = story(11, at=NOW + timedelta(days=9_000))
    verdict = judge([*(story(n, at=old) for n in range(1, 11)), mistyped], now=NOW)
    assert (verdict.evidence.newest, verdict.evidence.flags) == (old, ("stale",))
    soon = NOW + timedelta(hours=12)
    assert judge([story(n, at=soon) for n in range(1, 11)], now=NOW).evidence.newest == soon
    assert judge([mistyped] * 10, now=NOW).evidence.flags == ()


def test_stories_mixed_with_other_pages_are_a_last_resort():
    mixed = [*(story(n) for n in range(1, 7)), *SECTIONS]
    verdict = judge(mixed, now=NOW)
    assert (verdict.kind, verdict.last_resort, verdict.evidence.flags) == (SourceKind.ARTICLE_SITEMAP, True, ("mixed",))


def test_stories_mixed_with_files_are_of_no_use():
    files = [SitemapEntry(url=f"https://paper.example/files/{n}.pdf", modified=YESTERDAY) for n in range(8)]
    assert judge([*(story(n) for n in range(1, 9)), *files], now=NOW).kind is None


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/news-sitemap.xml",
        "https://a.example/sitemap.xml?type=news",
        "https://a.example/maps/googlenews",
        "https://a.example/sitemap/articles-48hrs.xml",
        "https://a.example/sitemap/latest-articles/",
    ],
)
def test_names_that_say_news(url):
    assert says_news(url)


@pytest.mark.parametrize("url", ["https://news.example/sitemap.xml", "https://a.example/newsletter-sitemap.xml"])
def test_names_that_do_not_say_news(url):
    assert not says_news(url)


def test_news_names_go_first_and_repeats_once():
    named = ["https://a.example/all.xml", "https://a.example/news.xml", "https://a.example/all.xml"]
    assert best_name_first(named) == ["https://a.example/news.xml", "https://a.example/all.xml"]


def test_children_go_by_news_name_then_newest_lastmod_then_order():
    children = [
        SitemapEntry(url="https://a.example/undated-1.xml"),
        SitemapEntry(url="https://a.example/old.xml", modified=NOW - timedelta(days=9)),
        SitemapEntry(url="https://a.example/new.xml", modified=NOW),
        SitemapEntry(url="https://a.example/undated-1.xml"),
        SitemapEntry(url="https://a.example/news.xml"),
        SitemapEntry(url="https://a.example/undated-2.xml"),
    ]
    names = [child.url.rpartition("/")[2] for child in best_child_first(children)]
    assert names == ["news.xml", "new.xml", "old.xml", "undated-1.xml", "undated-2.xml"]
