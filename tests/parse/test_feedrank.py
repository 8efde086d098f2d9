"""Which of a page's feeds is best."""

import pytest

from sitediscover.parse.feedlinks import FeedLink
from sitediscover.parse.feedrank import lesser
from sitediscover.parse.html import parse_page

PAGE = "https://news.example/"


def order(*feeds, page=PAGE, language=None, **options):
    """Return the addresses of feeds, given as an address or as (address, attributes), in their final order."""
    rows = [(feed, "") if isinstance(feed, str) else feed for feed in feeds]
    html = "".join(
        f'<link rel=alternate href="{url}" {"" if "type=" in more else "type=application/rss+xml"} {more}>'
        for url, more in rows
    )
    html = f"<html lang={language}>{html}" if language else html
    return [feed.url.removeprefix("https://news.example") for feed in parse_page(html.encode(), page, **options).feeds]


def test_feeds_stay_as_the_page_orders_them():
    assert order("/b/feed.xml", "/a/feed.xml", "/c/feed.xml") == ["/b/feed.xml", "/a/feed.xml", "/c/feed.xml"]
    assert order("/atom.xml", "/rss.xml") == ["/atom.xml", "/rss.xml"]


@pytest.mark.parametrize(
    "title",
    [
        "Comments Feed",
        "Kommentar-Feed",
        "Flux des commentaires",
        "Feed dei commenti",
        "Feed de los comentarios",
        "Reacties feed",
        "Канал комментариев",
        "コメントフィード",
        "评论 Feed",
        "Kanał z komentarzami: Komentarze",
        "Yorum beslemesi",
        "تغذية التعليقات: تعليقات",
        "Feed de comentários",
        "Kommenttien syöte",
        "댓글 피드",
        "Kommentarsflöde: Kommentarer",
        "Replies",
        "Site » Kommentarstrøm",
        "RSS komentářů",
        "komentarų RSS",
        "Kommentaaride RSS",
        "Flux comentarii",
        "Vir komentarjev",
        "迴響資訊提供",
        "Ροή Σχολίων",
    ],
)
def test_comment_feeds_go_last_in_any_language_and_are_not_dropped(title):
    assert order(("/c1/feed/", f'title="{title}"'), "/tag/x/feed/") == ["/tag/x/feed/", "/c1/feed/"]


@pytest.mark.parametrize(
    "address",
    [
        "/comments/feed/",
        "/feeds/comments/default",
        "/comments.rss",
        "/?feed=comments-rss2",
        "/kommentare/feed",
        "/rss_comments.xml",
    ],
)
def test_comment_feeds_are_known_by_their_address(address):
    assert order(address, "/feed/") == ["/feed/", address]


@pytest.mark.parametrize(
    "title", ["Commentary Magazine", "Recommended", "Kommentatorin", "Comentaristas", "Incident reports"]
)
def test_words_that_only_contain_comments_say_nothing(title):
    assert order(("/a.xml", f'title="{title}"'), "/b.xml")[0] == "/a.xml"


@pytest.mark.parametrize(
    "part",
    [
        "/category/sport/feed/",
        "/tag/x/rss",
        "/author/jane/feed/",
        "/?cat=3&feed=rss2",
        "/feeds/posts/default/-/Label",
        "/2026/11/some-story/feed/",
        "/a-long-story-title/feed/",
        "/?p=5&feed=rss2",
        "/rss/sport.xml",
        "/feed/best-of/",
        "/search/x/feed/",
    ],
)
def test_the_whole_site_goes_before_its_parts(part):
    assert order(part, "/feed/") == ["/feed/", part]


def test_parts_go_before_tags_and_tags_before_single_posts():
    assert order("/2026/11/x/feed/", "/tag/x/feed/", "/sport/feed/") == [
        "/sport/feed/",
        "/tag/x/feed/",
        "/2026/11/x/feed/",
    ]


def test_a_site_below_its_host_has_its_own_whole():
    page = "https://news.example/~jane/index.html"
    assert order("/~jane/tags/x.xml", "/~jane/feed.xml", page=page) == ["/~jane/feed.xml", "/~jane/tags/x.xml"]


def test_a_feed_on_another_host_is_not_taken_for_a_part():
    assert order("https://feeds.feedburner.com/Example", "/feed/") == ["https://feeds.feedburner.com/Example", "/feed/"]


def test_what_lies_under_the_asked_path_goes_first():
    feeds = ("/feed.xml", "/shop/feed.xml", "/blog/feed.xml")
    assert order(*feeds, asked_path="/blog/") == ["/blog/feed.xml", "/feed.xml", "/shop/feed.xml"]
    assert order(*feeds, asked_path="/blog/2026/a-story.html?x=1")[0] == "/blog/feed.xml"
    assert order(*feeds, asked_path="/")[0] == "/feed.xml"
    assert order(*feeds, asked_path="/blogger/")[0] == "/feed.xml"


def test_comments_under_the_asked_path_stay_last():
    assert order("/blog/comments/feed/", "/feed/", asked_path="/blog/") == ["/feed/", "/blog/comments/feed/"]


def test_rss_and_atom_go_before_json_of_the_same_thing():
    assert order(("/feed.json", "type=application/feed+json"), "/feed.xml") == ["/feed.xml", "/feed.json"]
    assert order(("/index.json", "type=application/json"), "/index.xml") == ["/index.xml", "/index.json"]


def test_json_of_the_whole_goes_before_rss_of_a_part():
    assert order("/tag/x/feed.xml", ("/feed.json", "type=application/feed+json")) == ["/feed.json", "/tag/x/feed.xml"]


@pytest.mark.parametrize(
    "podcast", ["/podcast/feed.xml", "https://anchor.fm/s/1/podcast/rss", ("/x.xml", 'title="Our Podcast"')]
)
def test_podcasts_go_behind_articles(podcast):
    assert order(podcast, "/sport/feed.xml")[0] == "/sport/feed.xml"


def test_the_pages_language_goes_first():
    german, english = ("/a.xml", "hreflang=de-AT"), ("/b.xml", "hreflang=en")
    assert order(english, german, language="de") == ["/a.xml", "/b.xml"]
    assert order(english, german, language="en-US") == ["/b.xml", "/a.xml"]
    assert order(english, german) == ["/b.xml", "/a.xml"]
    assert order("/fr/feed/", "/de/feed/", language="de") == ["/de/feed/", "/fr/feed/"]
    assert order("/uk/feed/", "/au/feed/", language="en") == ["/uk/feed/", "/au/feed/"]


def test_declared_feeds_go_before_those_that_only_look_like_one():
    assert order(("/feed", "type=text/xml"), "/rss") == ["/rss", "/feed"]


@pytest.mark.parametrize(
    "url, title, part",
    [
        ("https://news.example/comments/feed/", None, "comments"),
        ("https://news.example/feed/", "Kommentarer", "comments"),
        ("https://anchor.fm/s/1/podcast/rss", None, "podcast"),
        ("https://news.example/2026/11/story/feed/", None, "post"),
        ("https://news.example/feed/", "News", None),
        ("https://news.example/tag/x/feed/", None, None),
    ],
)
def test_a_feed_that_does_not_follow_the_site_says_what_it_follows(url, title, part):
    assert lesser(FeedLink(url=url, title=title)) == part
