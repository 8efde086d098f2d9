"""What a page links to, whatever shape it is in."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.parse import html, pagereader, tagsoup
from sitediscover.parse.html import Link, PageLinks, parse_page

PAGE = "https://news.example/world/index.html"
RSS = 'rel="alternate" type="application/rss+xml"'


def read(html, url=PAGE, **options) -> PageLinks:
    return parse_page(html.encode() if isinstance(html, str) else html, url, **options)


def feeds(html, url=PAGE, **options):
    return [feed.url for feed in read(html, url, **options).feeds]


def links(html, url=PAGE):
    return [link.url for link in read(html, url).links]


# --- base ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "head, expected",
    [
        ("", "https://news.example/world/story"),
        ('<base href="https://cdn.example/x/">', "https://cdn.example/x/story"),
        ('<base href="/y/">', "https://news.example/y/story"),
        ('<base target="_blank"><base href="/y/">', "https://news.example/y/story"),
        ('<base href="/y/"><base href="/z/">', "https://news.example/y/story"),
        ('<base href="javascript:void(0)"><base href="/z/">', "https://news.example/world/story"),
        ('<base href="">', "https://news.example/world/story"),
        ('<base href="http://[">', "https://news.example/world/story"),
        ('<template><base href="/t/"></template>', "https://news.example/world/story"),
    ],
)
def test_links_are_relative_to_the_first_base_with_an_href_or_to_the_final_url(head, expected):
    assert links(f"<head>{head}</head><a href=story>x</a>") == [expected]


def test_a_base_counts_for_links_before_it():
    assert links('<a href=story>x</a><base href="https://cdn.example/">') == ["https://cdn.example/story"]


def test_without_a_base_the_page_is_its_own():
    assert read("<p>").base == PAGE


# --- links ---------------------------------------------------------------------------------------------------------


def test_links_are_http_only_normalised_and_in_document_order():
    html = """<A HREF="HTTP://Other.Example:80/B#part"> two
    words </A><a href='mailto:x@y.example'>m</a><a href=javascript:void(0)>j</a><a name=x>none</a><a href="#top">t</a>
    <a href="/ a">spaced</a><a href="">self</a>"""
    assert read(html).links == (
        Link(url="http://other.example/B", text="two words"),
        Link(url="https://news.example/%20a", text="spaced"),
    )


def test_text_of_a_link_comes_from_its_words_its_image_or_its_label():
    html = """<a href=/1>One <b>bold</b><script>not()</script></a><a href=/2><img src=i alt="An image"><img src=j></a>
    <a href=/3 aria-label="A label"></a><a href=/4 title="A title"> </a><map><area href=/5 alt=Area></map>
    <a href=/6><svg><title>Icon</title></svg></a>"""
    assert [link.text for link in read(html).links] == ["One bold", "An image", "A label", "A title", "Area", "Icon"]


def test_a_link_that_is_not_closed_ends_where_the_next_begins():
    assert [(link.url[-2:], link.text) for link in read("<a href=/1>one<a href=/2>two").links] == [
        ("/1", "one"),
        ("/2", "two"),
    ]


@pytest.mark.parametrize(
    "html, place",
    [
        ("<nav><ul><li><a href=/x>x</a></ul></nav>", "nav"),
        ("<header><a href=/x>x</a></header>", "header"),
        ("<header><nav><a href=/x>x</a></nav></header>", "nav"),
        ("<footer><a href=/x>x</a></footer>", "footer"),
        ("<aside><a href=/x>x</a></aside>", "aside"),
        ("<main><article><header><a href=/x>x</a></header></article></main>", "main"),
        ("<article><footer><a href=/x>x</a></footer></article>", ""),
        ("<div role=navigation><a href=/x>x</a></div>", "nav"),
        ("<div role=contentinfo><a href=/x>x</a></div>", "footer"),
        ("<div id=sidebar><a href=/x>x</a></div>", "aside"),
        ("<div id=item-5><a href=/x>x</a></div>", ""),
        ("<nav></nav><a href=/x>x</a>", ""),
    ],
)
def test_a_link_knows_the_landmark_it_stands_in(html, place):
    assert read(html).links[0].place == place


def test_frames_count_as_links():
    assert links("<frameset><frame src=/menu><frame></frameset>") == ["https://news.example/menu"]


# --- what does not count -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "html",
    [
        f"<!-- <link {RSS} href=/f> -->",
        f"<script>x = '<link {RSS} href=/f>'</script>",
        f"<style><link {RSS} href=/f></style>",
        f"<template><link {RSS} href=/f><a href=/feed>RSS</a></template>",
        f"<textarea><link {RSS} href=/f></textarea>",
        f"<title><link {RSS} href=/f></title>",
    ],
)
def test_comments_scripts_and_templates_hold_no_feeds_and_no_links(html):
    page = read(f"{html}<a href=/after>x</a>")
    assert (page.feeds, [link.url for link in page.links]) == ((), ["https://news.example/after"])


def test_noscript_and_declarative_shadow_trees_are_part_of_the_page():
    html = f"<noscript><link {RSS} href=/n></noscript><template shadowrootmode=open><link {RSS} href=/t></template>"
    assert feeds(html) == ["https://news.example/n", "https://news.example/t"]


# --- about the page ------------------------------------------------------------------------------------------------


def test_a_page_tells_about_itself():
    html = """<html lang="pt-BR"><head><title> The
    title &amp; more</title><title>second</title><meta name=Generator content="WordPress 6.7">
    <link rel=canonical href="/c?x=1#y"><meta http-equiv=content-language content="en, fr"></head>"""
    page = read(html)
    assert (page.title, page.generator, page.language) == ("The title & more", "WordPress 6.7", "pt-BR")
    assert page.canonical == "https://news.example/c?x=1"


def test_language_falls_back_to_the_meta_tag_and_a_title_in_svg_is_an_icon():
    page = read("<svg><title>logo</title></svg><meta http-equiv=Content-Language content='en, fr'><title>Real</title>")
    assert (page.language, page.title) == ("en", "Real")


@pytest.mark.parametrize(
    "content, target",
    [
        ("0; url=/new", "https://news.example/new"),
        ("0;URL='/new'", "https://news.example/new"),
        ('5 ; Url = "/new"', "https://news.example/new"),
        ("0;/new", "https://news.example/new"),
        ("0, /new", "https://news.example/new"),
        ("0;url=/q?a=1;b=2", "https://news.example/q?a=1;b=2"),
        (".5; url=/new", "https://news.example/new"),
        ("300", None),
        ("3", None),
        ("0", None),
        ("0; url=", None),
        ("300; url=/new", None),
        ("0; url=javascript:x", None),
        (f"0; url={PAGE}", None),
        ("9" * 400 + ";url=/new", None),
    ],
)
def test_a_meta_refresh_with_a_short_delay_and_a_target_is_told(content, target):
    quote = "'" if '"' in content else '"'
    assert read(f"<meta http-equiv=refresh content={quote}{content}{quote}>").refresh == target


def test_a_refresh_for_browsers_without_scripts_is_not_followed():
    assert read('<noscript><meta http-equiv=refresh content="0;url=/nojs"></noscript>').refresh is None


# --- bot walls -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "html, name",
    [
        ("<title>Just a moment...</title><p>Enable JavaScript</p>", "cloudflare"),
        ("<title>x.example</title><script>window._cf_chl_opt={a:1}</script>", "cloudflare"),
        ('<p>Please enable JS</p><script src="https://ct.captcha-delivery.com/c.js"></script>', "datadome"),
        ("<title>Vercel Security Checkpoint</title>", "vercel"),
        (
            '<html><head><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F"></head></html>',
            "siteground",
        ),
        ("<title>Making sure you&#39;re not a bot!</title>", "anubis"),
    ],
)
def test_a_known_challenge_is_no_page(html, name):
    assert read(html).challenge == name


def test_a_page_that_writes_about_challenges_or_carries_their_script_is_a_page():
    story = "<title>Just a moment: how bot walls work</title><p>_cf_chl_opt</p>" + "<a href=/s>s</a>" * 11
    feed = f"<title>Just a moment...</title><link {RSS} href=/f>"
    assert (read(story).challenge, read(feed).challenge) == (None, None)


# --- encodings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data, charset",
    [
        ("<title>grün 日本</title>".encode(), None),
        ("<title>grün 日本</title>".encode("utf-8-sig"), "iso-8859-1"),
        ("<title>grün 日本</title>".encode(), "iso-8859-1"),
        ("<title>grün 日本</title>".encode("utf-16"), None),
        ("<title>grün 日本</title>".encode("utf-16-be"), None),
        ("\ufeff<title>grün 日本</title>".encode("utf-32-le"), None),
        ("<title>grün 日本</title>".encode("utf-32-be"), None),
        ("<title>grün 日本</title>".encode("gb18030"), "GB2312"),
        ("<title>grün 日本</title>".encode("gb18030"), "x-gbk"),
        ("<title>grün 日本</title>".encode("iso2022_jp_2"), "ISO-2022-JP-2"),
        (
            '<meta http-equiv=content-type content="text/html; charset=gbk"><title>grün 日本</title>'.encode("gb18030"),
            None,
        ),
    ],
)
def test_text_is_read_in_its_encoding(data, charset):
    assert read(data, charset=charset).title == "grün 日本"


@pytest.mark.parametrize(
    "charset", [None, "", "nonsense", "base64", "idna", "unicode_escape", "utf-16", "x\0y", "utf-8"]
)
def test_a_wrong_charset_costs_nothing_but_the_letters(charset):
    html = f"<title>caf\xe9 \x93q\x94</title><link {RSS} href=/f>".encode("latin-1")
    page = read(html, charset=charset)
    assert page.feeds[0].url == "https://news.example/f"
    assert charset == "utf-8" or page.title == "caf\xe9 \u201cq\u201d"


def test_zero_bytes_are_nothing():
    assert links("<a hr\0ef=/x>\0x</a>") == ["https://news.example/x"]


def test_xhtml_with_its_own_ways_is_read():
    html = f"""<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd">
    <html xmlns="http://www.w3.org/1999/xhtml" xml:lang="fr"><head><script src="x.js" /><title/>
    <link {RSS} href="f.xml" /></head><body><p><![CDATA[ x < y ]]></p>
    <a name="here" /><a href="/z">z</a></body></html>"""
    page = read(html)
    assert [feed.url for feed in page.feeds] == ["https://news.example/world/f.xml"]
    assert (page.language, page.links) == ("fr", (Link(url="https://news.example/z", text="z"),))


@pytest.mark.parametrize(
    "data", [b"", b" ", b"\0", b"plain text", b"%PDF-1.7\n\xff\xfe\0", b"\xff", b"<", b"<!--", b"</a>"]
)
def test_what_is_no_page_has_no_links(data):
    page = read(data)
    assert (page.feeds, page.links) == ((), ())


# --- hostile pages -------------------------------------------------------------------------------------------------

HOSTILE = {
    "nested": b"<div>" * 100_000,
    "nested and misclosed": b"<div>" * 50_000 + b"</p>" * 50_000,
    "never closed links": b"<a href=/x>" * 19_000,
    "attributes": b"<a " + b" ".join(b"a%d=%d" % (i, i) for i in range(1_000_000)) + b">",
    "attributes with brackets": b"<p " + b" ".join(b'a%d="<%d"' % (i, i) for i in range(300_000)) + b">",
    "title": b"<title>" + b"x" * 10_000_000 + b"</title>",
    "long comment": b"<!-- <b " + b"abc " * 50_000 + b"-->",
    "long script": b"<script>" + b"if(a<b) x();" * 20_000 + b"</script>",
    "entities": b"&amp;" * 200_000,
    "brackets": b"<" * 200_000,
    "doctypes": b"<!DOCTYPE x>" * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_links_behind_a_hostile_stretch_are_still_found_in_time(name):
    started = time.process_time()
    page = read(HOSTILE[name] + b"<p><a href=/last>x</a><link " + RSS.encode() + b" href=/feed>")
    assert page.links[-1].url == "https://news.example/last"
    assert [feed.url for feed in page.feeds] == ["https://news.example/feed"]
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "piece", [b"<a ", b'<a x="y" x="', b"<!-- ", b"<![CDATA[", b"</", b"<?", b"<!", b"<script>", b"<title>"]
)
def test_unfinished_markup_ends_in_time(piece):
    started = time.process_time()
    assert read(piece * 50_000).feeds == ()
    assert time.process_time() - started < 2


def test_caps_are_told(monkeypatch):
    monkeypatch.setattr(pagereader, "MAX_LINKS", 3)
    monkeypatch.setattr(pagereader, "MAX_CANDIDATES", 2)
    monkeypatch.setattr(pagereader, "MAX_TEXT", 5)
    html = "<title>123456</title>" + "".join(f"<a href=/{n}>x</a><link {RSS} href=/f{n}>" for n in range(5))
    page = read(html)
    assert page.capped == ("feeds", "links", "text")
    assert (len(page.links), len(page.feeds), page.title) == (3, 2, "12345")


def test_feed_like_anchors_have_a_cap_of_their_own(monkeypatch):
    monkeypatch.setattr(html, "MAX_ANCHOR_FEEDS", 2)
    anchors = "<a href=/1/feed>x</a><a href=/2/feed>x</a>"
    assert read(anchors).capped == ()
    page = read(anchors + "<a href=/3/feed>x</a>")
    assert (len(page.feeds), len(page.links), page.capped) == (2, 3, ("feeds",))


def test_a_tag_beyond_all_measure_is_left_out_and_told():
    image = '<img src="data:image/png;base64,' + "A" * (tagsoup.MAX_TAG + 1) + '">'
    page = read(f"<a href=/1>x</a>{image}<a href=/2>y</a>")
    assert (len(page.links), page.capped) == (2, ("tag",))


def test_an_ordinary_page_reaches_no_cap():
    assert read("<title>t</title>" + "<a href=/x>x</a>" * 500).capped == ()


@given(st.binary(max_size=400), st.text(max_size=12), st.text(max_size=60))
def test_no_bytes_make_it_raise(data, charset, header):
    page = parse_page(data, PAGE, charset, link_header=header)
    assert all(link.url.startswith(("http://", "https://")) for link in (*page.links, *page.feeds))


TAGS = st.sampled_from(
    ["a", "base", "link", "meta", "title", "svg", "template", "nav", "script", "noscript", "area", "p", "html"]
)
NAMES = st.sampled_from(
    ["href", "rel", "type", "content", "name", "http-equiv", "id", "role", "lang", "title", "src", "alt"]
)
VALUES = st.sampled_from(
    ["alternate", "application/rss+xml", "/feed", "refresh", "0;url=x", "generator", "main", "http://[", "de"]
)
MARKUP = st.one_of(
    st.builds("</{}>".format, TAGS),
    st.builds(
        lambda tag, name, value, text: f'<{tag} {name}="{value}" {text}>',
        TAGS,
        NAMES,
        st.one_of(VALUES, st.text(max_size=8)),
        st.text(max_size=4),
    ),
    st.text(max_size=8),
)


@given(st.lists(MARKUP, max_size=30), st.text(max_size=20))
def test_no_markup_makes_it_raise(pieces, url):
    for address in (PAGE, url):
        page = read("".join(pieces).encode("utf-8", "surrogatepass"), address)
        assert all(link.url.startswith(("http://", "https://")) for link in (*page.links, *page.feeds))
