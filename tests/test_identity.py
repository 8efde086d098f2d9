import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.errors import InvalidUrl
from sitediscover.identity import article_key, once, without_amp, without_tracking


@pytest.mark.parametrize(
    "url, expected",
    [
        ("https://a.example/x?utm_source=rss&id=7&fbclid=1", "https://a.example/x?id=7"),
        ("https://a.example/x?UTM_Medium=mail", "https://a.example/x"),
        ("https://a.example/x?id=7", "https://a.example/x?id=7"),
        ("https://a.example/x", "https://a.example/x"),
        ("https://a.example/x?ref=home&b=2&a=1", "https://a.example/x?ref=home&b=2&a=1"),
    ],
)
def test_only_tracking_parameters_go_and_the_others_keep_their_order(url, expected):
    assert without_tracking(url) == expected


@pytest.mark.parametrize("url", ["HTTPS://A.Example:443/x#top", "https://a.example/x?gclid=3", " https://a.example/x "])
def test_one_article_has_one_key(url):
    assert article_key(url) == "https://a.example/x"


@pytest.mark.parametrize(
    "one, other",
    [
        ("https://a.example/x", "https://a.example/x/"),
        ("https://a.example/x", "http://a.example/x"),
        ("https://a.example/x", "https://www.a.example/x"),
        ("https://a.example/x", "https://a.example/X"),
    ],
)
def test_what_only_looks_alike_is_never_merged(one, other):
    assert article_key(one) != article_key(other)


def test_a_key_of_no_url_raises():
    with pytest.raises(InvalidUrl):
        article_key("urn:uuid:1")


@pytest.mark.parametrize(
    "url, expected",
    [
        ("https://a.example/x/amp/", "https://a.example/x/"),
        ("https://a.example/amp/x", "https://a.example/x"),
        ("https://amp.a.example/x", "https://a.example/x"),
        ("https://a.example/x.amp.html", "https://a.example/x.html"),
        ("https://a.example/x?amp=1&p=2", "https://a.example/x?p=2"),
        ("https://a.example/camp/x", "https://a.example/camp/x"),
        ("https://a.example/ampere", "https://a.example/ampere"),
    ],
)
def test_marks_of_amp_are_known(url, expected):
    assert without_amp(url) == expected


@pytest.mark.parametrize(
    "twin", ["https://www.a.example/x/amp", "https://amp.a.example/x", "https://www.a.example/x?amp"]
)
def test_of_amp_twins_the_canonical_one_wins(twin):
    for urls in ([twin, "https://www.a.example/x"], ["https://www.a.example/x", twin]):
        assert once(urls, str) == ("https://www.a.example/x",)


def test_an_amp_page_without_a_twin_stays():
    assert once(["https://a.example/x/amp"], str) == ("https://a.example/x/amp",)


def test_the_first_mention_stays():
    urls = ["https://a.example/x?utm_source=1", "https://a.example/y", "https://a.example/x"]
    assert once(urls, str) == ("https://a.example/x?utm_source=1", "https://a.example/y")


@given(st.text(alphabet="abAB/?&=#._-%1:utm ", max_size=60))
def test_a_key_is_its_own_key(rest):
    try:
        key = article_key(f"https://a.example/{rest}")
    except InvalidUrl:
        return
    assert article_key(key) == key


def test_other_views_of_an_article_count_once_where_the_article_is_linked_too():
    story = "https://a.example/news/the-mayor-opens-it-1234"
    assert once([f"{story}/comments", story, f"{story}/print/"], str) == (story,)
    assert once([f"{story}/comments", "https://a.example/print"], str) == (
        f"{story}/comments",
        "https://a.example/print",
    )
