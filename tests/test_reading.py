from datetime import UTC, datetime, timedelta

import pytest

from sitediscover.model import Article, SourceKind
from sitediscover.reading import read_document
from sitediscover.testing import feed, page, sitemap_index, urlset

URL = "https://paper.example/x"
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def story(number, **more):
    return Article(
        url=f"https://paper.example/2026/11/30/mayor-opens-library-{number}", title=f"Story {number}", **more
    )


@pytest.mark.parametrize("kind", [SourceKind.FEED, SourceKind.NEWS_SITEMAP, SourceKind.ARTICLE_SITEMAP])
def test_entries_come_newest_first_and_the_undated_after_them(kind):
    listed = [
        story(1),
        story(2, published=NOON - timedelta(days=2), modified=NOON - timedelta(days=2)),
        story(3, published=NOON, modified=NOON),
    ]
    body = feed(listed) if kind is SourceKind.FEED else urlset(listed)
    assert [entry.url[-1] for entry in read_document(kind, body.encode(), URL).articles] == ["3", "2", "1"]


def test_a_page_gives_its_article_links_with_their_texts():
    body = page([story(n).url for n in range(4)], title="Politics", language="de").encode()
    found = read_document(SourceKind.SECTIONS, body, URL)
    assert [entry.url for entry in found.articles] == [story(n).url for n in range(4)]
    assert (found.title, found.language) == ("Politics", "de")


def test_an_index_gives_its_children():
    body = sitemap_index([("https://paper.example/a.xml", NOON)]).encode()
    found = read_document(SourceKind.ARTICLE_SITEMAP, [body], URL)
    assert [(child.url, child.modified) for child in found.children] == [("https://paper.example/a.xml", NOON)]
    assert found.articles == ()


def test_a_news_sitemap_tells_its_publication():
    assert (
        read_document(SourceKind.NEWS_SITEMAP, urlset([story(1)], news="The Paper").encode(), URL).title == "The Paper"
    )


@pytest.mark.parametrize("kind", [SourceKind.FEED, SourceKind.NEWS_SITEMAP])
def test_what_is_no_document_of_its_kind_is_not_readable(kind):
    found = read_document(kind, page().encode(), URL)
    assert (found.readable, found.articles) == (False, ())
    assert found.error


def test_the_charset_of_a_page_comes_from_its_header():
    body = '<a href="/2026/11/30/a-b-c-d">caf\xe9 au lait</a>'.encode("latin-1")
    found = read_document(SourceKind.SECTIONS, body, URL, content_type='text/html; charset="iso-8859-1"')
    assert found.articles[0].title == "caf\xe9 au lait"
