"""The news sitemaps of a whole tree."""

from __future__ import annotations

from datetime import timedelta

import pytest

from sitediscover.errors import InvalidSite
from sitediscover.model import Article, SourceKind, StopReason
from sitediscover.testing import Answer, FakeClock, FakeWeb, redirect, sitemap_index, urlset
from sitediscover.walk import find_news_sitemaps

SITE = "https://paper.example"
NOW = FakeClock().now
DAY = timedelta(days=1)


def news(*slugs, age=timedelta(hours=3)):
    articles = (
        Article(url=f"{SITE}/2025/12/31/{slug}-is-a-story", title=f"About {slug}", published=NOW - age, language="en")
        for slug in slugs
    )
    return urlset(articles, news="The Paper")


def stories(*slugs):
    return urlset(Article(url=f"{SITE}/2025/12/31/{slug}-is-a-story", modified=NOW - DAY) for slug in slugs)


def paper(files, *named):
    lines = "".join(f"Sitemap: {SITE}{path}\n" for path in named)
    return FakeWeb({SITE: {"/robots.txt": lines, **files}})


def search(web, max_requests=25, **options):
    return find_news_sitemaps(SITE, session=web.session(max_requests=max_requests, **options))


def asked(web):
    return [url.removeprefix(SITE) for url in web.requests]


def test_a_news_sitemap_deep_in_the_tree_is_found_before_the_others_are_read():
    web = paper(
        {
            "/index.xml": sitemap_index([f"{SITE}/posts-{n}.xml" for n in range(50)] + [f"{SITE}/more.xml"]),
            "/posts-0.xml": stories("a"),
            "/top.xml": sitemap_index([f"{SITE}/google-news.xml"]),
            "/google-news.xml": news("storm", "vote"),
        },
        "/index.xml",
        "/top.xml",
    )
    found = next(search(web))
    assert (found.kind, found.url) == (SourceKind.NEWS_SITEMAP, f"{SITE}/google-news.xml")
    assert found.found_by == "find-news-sitemaps"
    assert found.found_on == f"{SITE}/top.xml"
    assert (found.title, found.language) == ("The Paper", "en")
    assert [article.title for article in found.articles] == ["About storm", "About vote"]
    assert (found.evidence.count, found.evidence.article_share) == (2, 1.0)
    assert "/posts-49.xml" not in asked(web)


def test_each_is_given_as_soon_as_it_is_seen():
    web = paper({"/news-1.xml": news("a"), "/news-2.xml": news("b")}, "/news-1.xml", "/news-2.xml")
    under_way = search(web)
    assert next(under_way).url == f"{SITE}/news-1.xml"
    assert "/news-2.xml" not in asked(web)
    assert [source.url for source in under_way] == [f"{SITE}/news-2.xml"]


def test_what_holds_no_news_is_no_source_whatever_its_name():
    web = paper(
        {
            "/news-posts.xml": stories("a", "b"),
            "/news-empty.xml": news(),
            "/news-sections.xml": urlset(
                [Article(url=f"{SITE}/{name}/", title=name) for name in "abc"], news="The Paper"
            ),
            "/x.xml": news("plain-name"),
        },
        "/news-posts.xml",
        "/news-empty.xml",
        "/news-sections.xml",
        "/x.xml",
    )
    assert [source.url for source in search(web)] == [f"{SITE}/x.xml"]


def test_newest_children_go_first_and_siblings_are_told():
    children = [(f"{SITE}/news-2024.xml", NOW - 700 * DAY), (f"{SITE}/news-2025.xml", NOW - DAY)]
    web = paper(
        {
            "/index.xml": sitemap_index([*children, f"{SITE}/pages.xml"]),
            "/news-2024.xml": news("old", age=700 * DAY),
            "/news-2025.xml": news("new"),
        },
        "/index.xml",
    )
    new, old = search(web)
    assert (new.url, old.url) == (f"{SITE}/news-2025.xml", f"{SITE}/news-2024.xml")
    assert new.evidence.flags == ()
    assert old.evidence.flags == ("stale",)
    assert set(new.siblings) == {f"{SITE}/news-2024.xml", f"{SITE}/pages.xml"}


def test_usual_names_are_guessed_where_robots_txt_names_no_news():
    web = paper({"/posts.xml": stories("a"), "/sitemap-news.xml": news("b")}, "/posts.xml")
    (found,) = search(web)
    assert (found.url, found.found_on) == (f"{SITE}/sitemap-news.xml", None)
    assert asked(web) == ["/robots.txt", "/news-sitemap.xml", "/sitemap-news.xml", "/posts.xml"]


def test_a_tree_that_nobody_names_is_searched_too():
    web = paper({"/sitemap.xml": sitemap_index([f"{SITE}/n.xml"]), "/n.xml": news("a")})
    assert [source.url for source in search(web)] == [f"{SITE}/n.xml"]


def test_a_sitemap_that_moved_for_good_is_polled_where_it_is_now():
    web = paper({"/news.xml": redirect("/new-news.xml"), "/new-news.xml": news("a")}, "/news.xml")
    assert next(search(web)).url == f"{SITE}/new-news.xml"


def test_the_budget_ends_a_search_and_says_so():
    children = [f"{SITE}/posts-{n}.xml" for n in range(50)]
    web = paper(
        {"/index.xml": sitemap_index(children), **{f"/posts-{n}.xml": stories(str(n)) for n in range(50)}}, "/index.xml"
    )
    under_way = search(web, max_requests=10)
    assert list(under_way) == []
    assert len(web.requests) == 10
    assert under_way.stopped.reason is StopReason.BUDGET_SPENT
    assert len(under_way.pending) + len(under_way.reports) == 50 + 1 + 2  # the children, the index, two guesses


def test_a_site_that_refuses_gives_nothing_and_says_why():
    under_way = search(FakeWeb({SITE: {"/robots.txt": Answer(status=503)}}))
    assert list(under_way) == []
    assert under_way.stopped.reason is StopReason.ROBOTS_UNREACHABLE


def test_an_interrupted_search_goes_on_with_the_same_file(monkeypatch):
    web = paper({"/news.xml": news("a")}, "/news.xml")
    under_way = search(web)
    with monkeypatch.context() as patch:
        patch.setattr(under_way, "_judge", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            next(under_way)
    assert [source.url for source in under_way] == [f"{SITE}/news.xml"]


def test_a_cut_file_is_flagged():
    web = paper({"/news.xml": news("a", "b")[:-60]}, "/news.xml")
    assert next(search(web)).evidence.flags == ("truncated",)


def test_a_text_that_names_no_site_is_an_error_at_once():
    with pytest.raises(InvalidSite):
        find_news_sitemaps("ftp://a.example")
