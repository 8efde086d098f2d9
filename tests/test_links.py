import pytest

from sitediscover.links import article_links, furniture_of, is_headline, section_links, site_map_page
from sitediscover.parse.html import parse_page

HOME = "https://paper.example/"


def parsed(body, url=HOME):
    return parse_page(f"<html lang=en><body>{body}</body></html>".encode(), url)


def anchor(path, text="A story"):
    return f'<a href="{path}">{text}</a>'


def test_article_shaped_links_of_the_same_host_are_articles():
    found = parsed(
        anchor("/2026/11/30/mayor-opens-library") + anchor("https://other.example/2026/11/30/elsewhere-news")
    )
    assert [article.url for article in article_links(found, HOME)] == [
        "https://paper.example/2026/11/30/mayor-opens-library"
    ]


def test_one_article_linked_three_times_is_one_with_its_longest_text():
    path = "/2026/11/30/mayor-opens-library"
    found = parsed(
        anchor(path, "Read")
        + anchor(path + "#comments", "The mayor opens the library")
        + anchor(path + "?utm_source=x", "")
    )
    assert [(a.url, a.title) for a in article_links(found, HOME)] == [(HOME + path[1:], "The mayor opens the library")]


def test_where_most_articles_share_their_first_segment_only_those_count():
    own = [f"/news/2026/11/{n}/mayor-opens-library-{n}" for n in range(10, 20)]
    others = [f"/promo/2026/11/{n}/buy-one-get-one-free-{n}" for n in range(10, 14)]
    found = parsed("".join(map(anchor, [*own, *others])))
    assert [a.url for a in article_links(found, HOME)] == [HOME + path[1:] for path in own]


HEADLINE = "Mayor opens the new library after three years of work"


def test_a_headline_makes_an_article_of_an_address_that_says_nothing():
    assert [a.title for a in article_links(parsed(anchor("/x/7", HEADLINE)), HOME)] == [HEADLINE]
    assert article_links(parsed(f"<nav>{anchor('/x/7', HEADLINE)}</nav>"), HOME) == ()


def test_a_logo_is_no_headline_however_long_its_text():
    assert article_links(parsed(anchor("/", HEADLINE) + anchor("/magazine/", HEADLINE)), HOME) == ()


@pytest.mark.parametrize("place", ["nav", "footer"])
def test_furniture_is_no_article_unless_its_text_is_a_headline(place):
    path = "/2026/11/30/terms-of-our-newsletter"
    assert article_links(parsed(f"<{place}>{anchor(path, 'Terms')}</{place}>"), HOME) == ()
    assert len(article_links(parsed(f"<{place}>{anchor(path, HEADLINE)}</{place}>"), HOME)) == 1


def test_what_stands_in_the_navigation_of_other_pages_is_no_article():
    front = parsed(f"<nav>{anchor('/sport-football-results-45678', 'Results')}</nav>")
    section = parsed(anchor("/sport/football-results-page-two-45678") + anchor("/sport/mayor-opens-the-library-45679"))
    found = article_links(section, HOME, furniture=furniture_of(front))
    assert [article.url for article in found] == [HOME + "sport/mayor-opens-the-library-45679"]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Mayor opens the new library after three years", True),
        ("A short headline of six words", False),
        ("Averyveryverylongwordthatisnotaheadlineatallreally", False),
        (
            "\u5e02\u9577\u304c\u65b0\u3057\u3044\u56f3\u66f8\u9928\u3092\u958b\u9928\u3001\u4e09\u5e74\u3076\u308a\u306b",
            True,
        ),
        ("\u793e\u4f1a", False),
    ],
)
def test_headlines(text, expected):
    assert is_headline(text) is expected


def test_sections_of_the_navigation_go_first_and_each_once():
    found = parsed(f"{anchor('/sport')}<nav>{anchor('/politics/')}{anchor('/politics')}</nav>{anchor('/about')}")
    assert [link.url for link in section_links(found, HOME)] == [HOME + "politics/", HOME + "sport"]


@pytest.mark.parametrize(
    "link",
    [
        '<a href="/sitemap.html">All</a>',
        '<a href="/x">Plan du site</a>',
        '<a href="/y">\u30b5\u30a4\u30c8\u30de\u30c3\u30d7</a>',
    ],
)
def test_an_html_site_map_is_known_by_its_name_in_many_languages(link):
    found = parsed(link)
    assert site_map_page(found.links, HOME) == found.links[0].url


def test_an_xml_sitemap_is_no_html_site_map():
    assert site_map_page(parsed('<a href="/sitemap.xml">Sitemap</a>').links, HOME) is None


def test_a_picture_under_its_caption_is_no_article():
    caption = "The mayor cuts the ribbon before a large crowd of children on Friday"
    found = parsed(anchor("/2026/11/25/ribbon-48210.jpg", caption) + anchor("/2026/11/25/mayor-opens-library-48210"))
    assert [article.url for article in article_links(found, HOME)] == [f"{HOME}2026/11/25/mayor-opens-library-48210"]
