"""Which links of a page are feeds, wherever they stand and however they are written."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.parse.feedlinks import FeedLink, looks_like_feed
from sitediscover.parse.html import parse_page
from sitediscover.parse.linkheader import parse_link_header

PAGE = "https://news.example/"


def found(html, page=PAGE, **options):
    return parse_page(html.encode(), page, **options).feeds


def urls(html, page=PAGE, **options):
    return [feed.url.removeprefix("https://news.example") for feed in found(html, page, **options)]


@pytest.mark.parametrize(
    "attributes",
    [
        'rel="alternate" type="application/rss+xml"',
        "type=application/atom+xml rel=alternate",
        "REL='ALTERNATE' TYPE='Application/RDF+XML'",
        'rel="home alternate" type="application/feed+json"',
        'rel=" alternate\n" type=" application/atom+xml ; charset=utf-8"',
        'rel="alternate" type="application/&#114;ss+xml"',
        'rel="alternate" type="text/rss+xml"',
        'rel="alternate" type="application/x-atom+xml"',
        'rel="alternate" type="application/x.atom+xml"',
        'rel="feed" type="application/rss+xml"',
        'type="application/rss+xml"',
    ],
)
def test_a_link_with_a_feeds_type_is_a_feed_whatever_its_address(attributes):
    [feed] = found(f'<link {attributes} href="/whatever">')
    assert (feed.url, feed.certain, feed.found_in) == ("https://news.example/whatever", True, "link")


@pytest.mark.parametrize(
    "attributes",
    [
        'rel="stylesheet" type="application/rss+xml"',
        'rel="alternate stylesheet" type="application/rss+xml"',
        'rel="notalternate" type="application/rss+xml"',
        'rel="blogroll" type="text/xml"',
        'rel="alternate" type="application/ rss+xml"',
        'rel="alternate" type="application/json+oembed"',
        'rel="alternate" type="text/xml+oembed"',
        'rel="alternate" type="text/html"',
        'rel="alternate" type="application/activity+json"',
        'rel="alternate" hreflang="fr"',
        'rel="search" type="application/opensearchdescription+xml"',
    ],
)
def test_other_relations_and_types_are_no_feeds(attributes):
    assert urls(f'<link {attributes} href="/feed">') == []


@pytest.mark.parametrize("media_type", ["", "application/json", "text/xml", "application/xml"])
@pytest.mark.parametrize(
    "address, is_feed",
    [
        ("/feed", True),
        ("/feeds/json/", True),
        ("/blog/rss.xml", True),
        ("/index.xml", True),
        ("/posts.atom", True),
        ("/?feed=rss2", True),
        ("https://feeds.host.example/x", True),
        ("/m/", False),
        ("/wp-json/wp/v2/feed", False),
        ("/?rest_route=/feed", False),
        ("/feed.html", False),
        ("/feedback", False),
        ("/sitemap.xml", False),
        ("android-app://org.example/feed", False),
    ],
)
def test_doubtful_types_are_feeds_where_the_address_looks_like_one(media_type, address, is_feed):
    feeds = found(f'<link rel=alternate type="{media_type}" href="{address}">')
    assert [feed.certain for feed in feeds] == [False] * is_feed


@pytest.mark.parametrize("href", ["", " ", "http://[", "mailto:x@y.example", "https://user:pass@news.example/feed"])
def test_an_address_that_cannot_be_asked_is_none(href):
    assert urls(f'<link rel=alternate type="application/rss+xml" href="{href}">') == []


@pytest.mark.parametrize(
    "href", ["feed:https://other.example/f", "feed://other.example/f", " //other.example/f ", "&#x2F;/other.example/f"]
)
def test_feed_schemes_and_character_references_in_an_address_are_read(href):
    assert urls(f'<link rel=alternate type="application/rss+xml" href="{href}">') == ["https://other.example/f"]


def test_title_type_and_language_are_kept():
    html = '<link rel=alternate type="application/RSS+xml; x=1" hreflang="de-AT" title=" Alle\n Artikel " href="/f">'
    assert found(html) == (
        FeedLink(
            url="https://news.example/f", title="Alle Artikel", media_type="application/rss+xml", language="de-AT"
        ),
    )


def test_one_address_under_two_types_is_one_feed_that_knows_what_both_told():
    html = """<link rel=alternate href="/feed"><link rel=alternate type="application/rss+xml" title="All" href="/feed">
    <link rel=alternate type="application/atom+xml" title="Again" href="/feed">"""
    [feed] = found(html)
    assert (feed.title, feed.media_type, feed.certain) == ("All", "application/rss+xml", True)


# --- anchors -------------------------------------------------------------------------------------------------------


def test_an_anchor_that_declares_itself_an_alternate_counts_beside_links():
    html = """<link rel=alternate type="application/rss+xml" href="/a">
    <a rel=alternate type="application/atom+xml" href="/b">Atom</a>"""
    assert [(feed.title, feed.found_in, feed.certain) for feed in found(html)] == [
        (None, "link", True),
        ("Atom", "anchor", True),
    ]


def test_feed_like_anchors_count_only_where_nothing_is_declared():
    anchor = '<a href="/rss">RSS</a>'
    assert urls(anchor) == ["/rss"]
    assert urls(f'{anchor}<link rel=alternate type="application/rss+xml" href="/declared">') == ["/declared"]
    assert urls(anchor, link_header='</header>; rel=alternate; type="application/atom+xml"') == ["/header"]


@pytest.mark.parametrize(
    "anchor, is_feed",
    [
        ('<a href="/feed.atom"></a>', True),
        ('<a href="/xml">RSS</a>', True),
        ('<a href="/xml">Data</a>', False),
        ('<a href="/export.php?id=3">RSS 2.0</a>', True),
        ('<a href="/about/rss.html">RSS</a>', False),
        ('<a href="https://feeds.feedburner.com/name">Subscribe</a>', True),
        ('<a href="https://blog.news.example/feed/">Blog</a>', True),
        ('<a href="https://elsewhere.example.org/feed/">a colleague</a>', False),
        ('<a href="https://feedly.com/i/subscription/feed/https://news.example/rss.xml">Feedly</a>', False),
        ('<a href="/feedback/">Feedback</a>', False),
        ('<a href="/buzzfeed-quiz">x</a>', False),
        ('<a href="feed:https://news.example/x.rss">x</a>', True),
        ('<a href="mailto:rss@news.example">RSS</a>', False),
    ],
)
def test_anchors_are_judged_by_address_and_text(anchor, is_feed):
    feeds = found(anchor)
    assert [(feed.found_in, feed.certain) for feed in feeds] == [("anchor", False)] * is_feed


def test_a_page_is_not_its_own_feed():
    assert urls('<a href="/rss">RSS</a>', "https://news.example/rss") == []


@pytest.mark.parametrize(
    "url", ["https://x.example/feed", "https://x.example/a/rss/world.xml", "https://rss.x.example/top"]
)
def test_usual_addresses_look_like_feeds(url):
    assert looks_like_feed(url)


@pytest.mark.parametrize(
    "url", ["https://x.example/", "https://x.example/atomic", "https://x.example/feed.css", "no url"]
)
def test_others_do_not(url):
    assert not looks_like_feed(url)


# --- Link headers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value, expected",
    [
        ('</f>; rel="alternate"; type="application/rss+xml"', ["/f"]),
        ('</f>;rel=alternate;type=application/rss+xml;title="A, B; \\"C\\""', ["/f"]),
        (
            '</api>; rel="https://api.w.org/", </f> ; rel = "x Alternate" ; type="application/atom+xml"',
            ["/f"],
        ),
        (
            '</a,b>; rel=alternate; type="application/rss+xml", </c>; rel=alternate; type="application/rss+xml"',
            ["/a,b", "/c"],
        ),
        ('</f>; rel=alternate; rel=stylesheet; type="application/rss+xml"', ["/f"]),
        ('</f>; anchor="/other"; rel=alternate; type="application/rss+xml"', []),
        ('</f>; type="application/rss+xml"', []),
        ("</style.css>; rel=preload; as=style", []),
        ('garbage, "quoted, comma" </x>, </f>; rel=alternate; type="application/rss+xml"', ["/f"]),
        ('</f>; rel="alternate; type="application/rss+xml', []),
        ("<", []),
        ("", []),
    ],
)
def test_link_headers_are_read_as_rfc_8288_writes_them(value, expected):
    feeds = found("", link_header=value)
    assert [feed.url.removeprefix("https://news.example") for feed in feeds] == expected
    assert all(feed.found_in == "header" for feed in feeds)


def test_a_headers_title_may_be_encoded_and_its_address_ignores_the_base():
    header = "<f>; rel=alternate; type=application/rss+xml; title=plain; title*=UTF-8''caf%c3%a9; hreflang=fr"
    [feed] = found("<base href='https://cdn.example/'>", link_header=header)
    assert (feed.url, feed.title, feed.language) == ("https://news.example/f", "café", "fr")


@given(st.text(alphabet='<>;,="\\ arel*ntype/', max_size=80))
def test_any_header_ends(value):
    assert all(isinstance(candidate.href, str) for candidate in parse_link_header(value))


@pytest.mark.parametrize("piece", ["<a>;", '<a>; b="', "<a>; b", ",", "<,", " ", '"', "\\"])
def test_a_long_header_is_read_in_time(piece):
    started = time.process_time()
    assert len(list(parse_link_header(piece * 60_000))) <= 65_536
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "piece", ["rss-", "a-", "/", "/rss", "feed.", "/-/", "%2f", "?feed=", "/2026/", "-", "rss.xml/"]
)
def test_endless_addresses_are_judged_in_time(piece):
    started = time.process_time()
    anchors = "".join(f'<a href="/{n}{piece * (8_000 // len(piece))}">RSS</a>' for n in range(100))
    link = f'<link rel=alternate type="application/rss+xml" href="/x{piece * (8_000 // len(piece))}">'
    assert len(found(anchors)) <= 100
    assert len(found(link)) == 1
    assert time.process_time() - started < 3


def test_endless_texts_are_judged_in_time():
    started = time.process_time()
    assert urls(f'<a href="/about">RSS {"1.11 " * 190}!</a><a title="{"comment " * 500}" href="/x">x</a>') == []
    assert time.process_time() - started < 2


# --- what peers' users have reported -----------------------------------------------------------------------------------


@pytest.mark.parametrize("href", ["/rss.xml", "/DailyRSS.xml", "/getrss.aspx?id=3", "/feed"])
def test_a_link_that_says_nothing_of_itself_is_known_by_its_address(href):
    [feed] = found(f'<link href="{href}">')
    assert (feed.url, feed.certain) == (PAGE[:-1] + href, False)


def test_microdata_is_no_feed_whatever_its_address():
    assert urls('<link itemprop="url" href="/feed"><link href="/about">') == []


@pytest.mark.parametrize("href", ["|wget x.example", " | date", "/feed>\n<p class="])
def test_a_command_and_an_unclosed_quote_are_no_addresses(href):
    assert urls(f'<link rel="alternate" type="application/rss+xml" href="{href}">') == []


def test_an_anchor_with_a_feeds_type_may_be_one_where_nothing_is_declared():
    anchor = '<a type="application/rss+xml" href="/syndicate/7">Follow us</a>'
    [feed] = found(anchor)
    assert (feed.url, feed.title, feed.certain, feed.found_in) == (f"{PAGE}syndicate/7", "Follow us", False, "anchor")
    assert urls('<link rel="alternate" type="application/rss+xml" href="/all">' + anchor) == ["/all"]
    assert urls('<a type="text/xml" href="/data/7">x</a><a type="button" href="/y">y</a>') == []


def test_a_declared_anchor_counts_beside_a_link():
    anchor = '<a rel="alternate" href="/world/feed">World</a>'
    assert urls('<link rel="alternate" type="application/rss+xml" href="/rss">' + anchor) == ["/rss", "/world/feed"]


@pytest.mark.parametrize(
    "header",
    [
        "/f.atom; rel=alternate; type=application/atom+xml",
        '</next>; rel=next, /f.atom; rel="alternate"; type="application/atom+xml"',
        "</f.atom>; rel='alternate home'; type='application/atom+xml', </x>; rel=next",
        '</f.atom>; rel=alternate; type=application/atom+xml; anchor=""',
        '</f.atom>; rel=alternate; type=application/atom+xml; anchor="https://news.example/#top"',
    ],
)
def test_link_headers_in_the_spellings_of_the_wild(header):
    expected = [] if "#top" in header else ["/f.atom"]
    assert urls("", link_header=header) == expected
