"""What the names of sitemaps tell."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sitediscover.walk.model import SitemapStub
from sitediscover.walk.names import best_first, date_in_name, is_sitemap_url


@pytest.mark.parametrize(
    "path, date",
    [
        ("/sitemap-2024-05-03.xml", (2024, 5, 3)),
        ("/sitemap_2024_5.xml.gz", (2024, 5, 0)),
        ("/2024/05/sitemap.xml", (2024, 5, 0)),
        ("/sitemaps/20240503.xml", (2024, 5, 3)),
        ("/posts-202405.xml", (2024, 5, 0)),
        ("/sitemap.xml?yyyy=2024&mm=05&dd=03", (2024, 5, 3)),
        ("/sitemap.xml?year=2024", (2024, 0, 0)),
        ("/sitemap-2024.xml", (2024, 0, 0)),
        ("/sitemap-2024-13.xml", (2024, 0, 0)),
        ("/sitemap-12024.xml", (0, 0, 0)),
        ("/sitemap7.xml", (0, 0, 0)),
        ("/sitemap.xml", (0, 0, 0)),
    ],
)
def test_a_name_tells_its_date(path, date):
    assert date_in_name(f"https://a.example{path}") == date


def test_the_date_of_the_host_is_no_date():
    assert date_in_name("https://paris2024.example/sitemap.xml") == (0, 0, 0)


@pytest.mark.parametrize(
    "path",
    [
        "/sitemap.xml",
        "/sitemap_index.xml",
        "/a/news.xml.gz",
        "/sitemap.txt",
        "/sitemap",
        "/sitemap.php?type=news",
        "/rss.xml",
        "/atom.rdf",
    ],
)
def test_the_address_of_a_sitemap_is_known_by_its_end(path):
    assert is_sitemap_url(path)


@pytest.mark.parametrize("path", ["/", "/blog/", "/news", "/sitemap.html", "/sitemap.aspx", "/sitemap/", "/robots.txt"])
def test_any_other_address_is_a_page_of_the_site(path):
    assert not is_sitemap_url(path)


def stubs(*names, modified=None):
    return [SitemapStub(url=f"https://a.example/{name}", modified=modified) for name in names]


def order(children):
    return [child.url.rpartition("/")[2] for child in best_first(children)]


def test_news_names_go_first_then_the_newest_lastmod_then_the_newest_name():
    (old,) = stubs("old.xml", modified=datetime(2020, 1, 1, tzinfo=UTC))
    (new,) = stubs("new.xml", modified=datetime(2024, 1, 1, tzinfo=UTC))
    named = stubs("posts-2023-11.xml", "posts-2024-02.xml", "google-news.xml", "posts-2024-01.xml")
    assert order([old, *named, new]) == [
        "google-news.xml",
        "new.xml",
        "old.xml",
        "posts-2024-02.xml",
        "posts-2024-01.xml",
        "posts-2023-11.xml",
    ]


def test_what_names_and_dates_leave_open_stays_in_its_order():
    assert order(stubs("b.xml", "a.xml", "c.xml")) == ["b.xml", "a.xml", "c.xml"]


def test_years_are_dates_where_most_names_tell_one():
    assert order(stubs("s-2022.xml", "s-2024.xml", "pages.xml", "s-2023.xml"))[:2] == ["s-2024.xml", "s-2023.xml"]


def test_a_number_among_many_is_no_year():
    numbered = [f"s-{number}.xml" for number in range(1, 2200)]
    assert order(stubs(*numbered)) == numbered
