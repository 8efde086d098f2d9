"""The miniature web is made as the real sites were found to be."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest

from sitediscover.demo import SITES, build_web
from sitediscover.demo.words import headline, slug, stories
from sitediscover.parse.html import parse_page
from sitediscover.parse.robots import parse_robots
from sitediscover.parse.sitemap import parse_sitemap
from sitediscover.shapes import looks_like_article, looks_like_section, shares
from sitediscover.testing import Call, respond

NOW = datetime(2026, 11, 30, 5, 20, tzinfo=UTC)
WEB = build_web(NOW)
NIKKEI = "https://www.nikkei.example"
CLASSIC = [
    *("/feed", "/feed/", "/rss", "/rss.xml", "/feed.xml", "/atom.xml", "/index.xml", "/feeds/posts/default"),
    "/rss/index.xml",
]


def get(url):
    return respond(WEB, Call(url=url))


def sitemap_entries(url):
    return list(parse_sitemap(get(url).body, url))


def links_of(url):
    found = {link.url for link in parse_page(get(url).body, url).links}
    return {link for link in found if urlsplit(link).hostname == urlsplit(url).hostname}


@pytest.mark.parametrize("site", [site for site in SITES if site.outcome != "stopped"], ids=lambda site: site.name)
def test_every_sitemap_that_robots_txt_names_is_there(site):
    rules = parse_robots(get(f"https://{site.host}/robots.txt").body, "any")
    assert [get(url).status for url in rules.sitemaps] == [200] * len(rules.sitemaps)


@pytest.mark.parametrize("host", ["www.yomiuri.example", "www.nikkei.example"])
def test_nothing_is_at_the_nine_addresses(host):
    assert [get(f"https://{host}{path}").status for path in CLASSIC] == [404] * 9


def test_asahi_refuses_one_of_the_nine_addresses():
    answers = {path: get(f"https://www.asahi.example{path}").status for path in CLASSIC}
    assert answers == {**dict.fromkeys(CLASSIC, 404), "/rss": 403}


@pytest.mark.parametrize("index", ["www.yomiuri.example/sitemap.xml", "www.asahi.example/sitemaps/news/index.xml"])
def test_an_index_names_files_that_are_there_and_hold_what_they_say(index):
    for child in sitemap_entries(f"https://{index}"):
        entries = sitemap_entries(child.url)
        assert entries
        assert len({entry.url for entry in entries}) == len(entries)
        if "news" in child.url:
            assert all(entry.published and entry.title and looks_like_article(entry.url) for entry in entries)


def test_the_sections_sitemap_wears_the_clothes_of_a_news_sitemap():
    url = f"{NIKKEI}/sections_sitemap.xml"
    read = parse_sitemap(get(url).body, url)
    entries = list(read)
    assert any("sitemap-news" in namespace for namespace in read.declared_namespaces)
    assert len(entries) == 187
    assert sum(looks_like_section(entry.url) for entry in entries) == 184
    assert sum((NOW - entry.modified).total_seconds() < 86_400 for entry in entries) == 157


def test_the_other_sitemap_is_of_no_use():
    found = shares(entry.url for entry in sitemap_entries(f"{NIKKEI}/documents_sitemap.xml"))
    assert (found.article, found.section) == (0, 0)


def test_a_section_page_has_271_links_of_its_host_20_of_them_stories():
    for entry in sitemap_entries(f"{NIKKEI}/sections_sitemap.xml")[:184:61]:
        links = links_of(entry.url)
        assert len(links) == 271
        assert sum("/article/" in link for link in links) == 20
        assert sum(looks_like_article(link) for link in links) == 25


def test_every_section_has_stories_of_its_own():
    sections = sitemap_entries(f"{NIKKEI}/sections_sitemap.xml")[:184:8]
    seen = [link for entry in sections for link in links_of(entry.url) if "/article/" in link]
    assert len(seen) == len(set(seen)) == 23 * 20


def test_the_same_moment_gives_the_same_web():
    again = build_web(NOW)
    for origin, paths in WEB.items():
        for path in paths:
            if path != "*":
                call = Call(url=origin + path)
                assert respond(again, call).body == respond(WEB, call).body


def test_itmedia_writes_shift_jis():
    answer = get("https://www.itmedia.example/")
    with pytest.raises(UnicodeDecodeError):
        answer.body.decode()
    assert "ミニチュア" in answer.body.decode("shift_jis")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_headlines_repeat_late(language):
    assert len({headline(number, language) for number in range(210)}) == 210


def test_a_slug_is_article_shaped():
    assert all(looks_like_article(f"https://kiosk.example/news/{slug(number)}") for number in range(210))


def test_stories_go_back_from_the_newest_and_stay_in_their_span():
    start = datetime(2026, 1, 1, tzinfo=UTC)
    dates = [story.published for story in stories(7, NOW, NOW - start, lambda n, _: f"https://kiosk.example/{n}")]
    assert dates == sorted(dates, reverse=True)
    assert start < dates[-1]
    assert dates[0] < NOW
