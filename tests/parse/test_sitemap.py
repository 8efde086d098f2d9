from __future__ import annotations

import gzip
import itertools
import tracemalloc
from datetime import UTC, datetime

import pytest

from sitediscover.model import Alternate, NewsTags, Precision, SitemapImage, SitemapVideo
from sitediscover.parse.sitemap import ENOUGH, SitemapKind, names_sitemap, parse_sitemap

URL = "https://www.example.com/maps/sitemap.xml"
NEW_YEAR = datetime(2024, 1, 1, tzinfo=UTC)
NAMESPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml" '
    'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
)


def urlset(*entries: str, attributes: str = NAMESPACES) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {attributes}>{"".join(entries)}</urlset>'


def page(path: str, more: str = "") -> str:
    return f"<url><loc>https://www.example.com/{path}</loc>{more}</url>"


def parse(text: str | bytes, **options):
    return parse_sitemap(text.encode() if isinstance(text, str) else text, URL, **options)


def paths(text: str | bytes, **options) -> list[str]:
    return [entry.url.removeprefix("https://www.example.com/") for entry in parse(text, **options)]


def only(text: str | bytes):
    (entry,) = parse(text)
    return entry


@pytest.mark.parametrize(
    "text, kind",
    [
        (urlset(page("a")), "urlset"),
        (urlset(), "urlset"),
        ("<SiteMapIndex><Sitemap><LOC>/a.xml</LOC></Sitemap></SiteMapIndex>", "index"),
        ("<rss><channel><item><link>https://a.example/</link></item></channel></rss>", "feed"),
        ("<x:feed xmlns:x='urn:x'/>", "feed"),
        ("https://a.example/1\nhttps://a.example/2", "text"),
        ("\ufeff\n\thttps://a.example/1", "text"),
        (urlset(page("sitemap-1.xml"), page("deep/sitemap/2.xml.gz")), "index"),
        (urlset("<sitemap><loc>/a.xml</loc></sitemap>"), "index"),
        ("<sitemapindex><url><loc>/a</loc></url></sitemapindex>", "urlset"),
        ("<unknown><url><loc>/a</loc></url></unknown>", "urlset"),
        ("<!DOCTYPE html><html><urlset><url><loc>/a</loc></url></urlset></html>", "error"),
        ("<Error><Code>AccessDenied</Code></Error>", "error"),
        ("Not found", "error"),
        ('{"version": "https://jsonfeed.org/version/1.1"}', "error"),
        ("Sitemap: https://a.example/sitemap.xml", "error"),
        ("", "error"),
        (" \n", "error"),
    ],
)
def test_the_contents_decide_what_a_file_is(text, kind):
    parsed = parse(text)
    assert parsed.kind == kind
    entries = list(parsed)
    assert parsed.kind is SitemapKind(kind)
    assert (parsed.error is None) == (kind != "error")
    assert not (kind == "error" and entries)


def test_kind_is_known_before_and_after_iterating_and_costs_no_entry():
    parsed = parse(urlset(page("a"), page("b")))
    assert parsed.kind is SitemapKind.URLSET
    first = next(iter(parsed))
    assert [first.url[-1], *(entry.url[-1] for entry in parsed)] == ["a", "b"]
    assert list(parsed) == []


@pytest.mark.parametrize(
    "junk", ["\n \t", "<!-- cached -->", "Warning: x in y.php\n", "<br />\n<b>Notice</b>: z\n", "\ufeff\n", "\0"]
)
def test_what_comes_before_the_declaration_is_passed_over(junk):
    assert paths(junk + urlset(page("a"))) == ["a"]


@pytest.mark.parametrize("foreign", ["sitemap-image/1.1", "sitemap-video/1.1"])
@pytest.mark.parametrize("root", ["urlset", "pages"])
def test_what_the_root_calls_its_own_vocabulary_is_the_pages(foreign, root):
    url = "<url><loc>/a</loc><lastmod>2024-01-01</lastmod><image><loc>/i.jpg</loc><title>I</title></image></url>"
    entry = only(f'<{root} xmlns="http://www.google.com/schemas/{foreign}">{url}</{root}>')
    assert (entry.url, entry.modified, entry.title) == ("https://www.example.com/a", NEW_YEAR, None)
    assert entry.images == (SitemapImage(url="https://www.example.com/i.jpg", title="I"),)


@pytest.mark.parametrize(
    "names, kind",
    [
        (["sitemap.xml", "a"], "urlset"),
        ([*(f"sitemap-{n}.xml" for n in range(ENOUGH - 1)), "a"], "urlset"),
        ([*(f"sitemap-{n}.xml" for n in range(ENOUGH)), "a"], "index"),
        (["sitemap.xml"], "index"),
        (["a", "sitemap.xml"], "urlset"),
    ],
)
@pytest.mark.parametrize("extra", ["", "<x/>"])
def test_a_site_that_lists_its_own_sitemap_lists_pages(names, kind, extra):
    parsed = parse(urlset(*(page(name, extra) for name in names)))
    assert parsed.kind == kind
    assert [entry.url.rpartition("/")[2] for entry in parsed] == names


@pytest.mark.parametrize(
    "text, kind",
    [
        ("<sitemapindex><url><loc>/a</loc></url><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>", "index"),
        ("<sitemapindex><sitemap><loc>/b.xml</loc></sitemap><url><loc>/a</loc></url></sitemapindex>", "index"),
        ("<urlset><sitemap><loc>/b.xml</loc></sitemap><url><loc>/a</loc></url></urlset>", "urlset"),
        ("<urlset><sitemap><loc>/b.xml</loc></sitemap><sitemap><loc>/c.xml</loc></sitemap></urlset>", "index"),
    ],
)
@pytest.mark.parametrize("apart", ["", " " * 200_000])
def test_pages_among_sitemaps_are_judged_alike_wherever_the_file_is_cut(text, kind, apart):
    parsed = parse(text.replace("><url>", f">{apart}<url>").replace("><sitemap>", f">{apart}<sitemap>"))
    assert (parsed.kind, len(list(parsed))) == (kind, 2)


@pytest.mark.parametrize(
    "loc, url",
    [
        ("\u00a0\u200b https://www.example.com/A?b=C \n", "https://www.example.com/A?b=C"),
        ("<![CDATA[ https://www.example.com/?a=1&b=2 ]]>", "https://www.example.com/?a=1&b=2"),
        ("https://www.example.com/?a=1&amp;amp;b=2", "https://www.example.com/?a=1&b=2"),
        ("https://www.example.com/?a=1&amp;b=2", "https://www.example.com/?a=1&b=2"),
        ("https://www.example.com/?a=1&b=2&copy=3", "https://www.example.com/?a=1&b=2&copy=3"),
        ("https://www.example.com/&eacute;&#233;&#xE9;&bogus;", "https://www.example.com/\u00e9\u00e9\u00e9&bogus;"),
        ("https://www.example.com/a\x0bb", "https://www.example.com/ab"),
        ("https://www.example.com/a b", "https://www.example.com/a%20b"),
        ("https://www.example.com/caf\u00e9?q=\u00e4", "https://www.example.com/caf\u00e9?q=\u00e4"),
        ("https://www.example.com/a%20b%2F", "https://www.example.com/a%20b%2F"),
        ("https://www.example.com/a#part", "https://www.example.com/a"),
        ("https://www.example.com", "https://www.example.com"),
        ("HTTPS://WWW.Example.com:443/A", "https://www.example.com/A"),
        ("https:\\\\www.example.com\\a", "https://www.example.com/a"),
        ("/a", "https://www.example.com/a"),
        ("b", "https://www.example.com/maps/b"),
        ("//cdn.example.org/a", "https://cdn.example.org/a"),
        ('"https://www.example.com/a"', "https://www.example.com/a"),
        ("' https://www.example.com/a '", "https://www.example.com/a"),
        ("&lt;https://www.example.com/a&gt;", "https://www.example.com/a"),
        ("&lt;![CDATA[https://www.example.com/a]]&gt;", "https://www.example.com/a"),
        ("https://www.example.com/it's'", "https://www.example.com/it's'"),
        ("https://www.example.com/?a=1&amp;#038;b=2", "https://www.example.com/?a=1&b=2"),
        ("<![CDATA[https://www.example.com/?a=1&#x26;b=2]]>", "https://www.example.com/?a=1&b=2"),
        ("https://www.example.com/?a=1&amp;amp;amp;b=2", "https://www.example.com/?a=1&b=2"),
        ("https://www.example.com/\u043c\u0438\u0440/\x7f1", "https://www.example.com/\u043c\u0438\u0440/1"),
        ("https://www.example.com/\u043c\u0438\u0440\u200b", "https://www.example.com/\u043c\u0438\u0440"),
    ],
)
def test_addresses_are_resolved_and_kept_as_written(loc, url):
    assert only(urlset(f"<url><loc>{loc}</loc></url>")).url == url


@pytest.mark.parametrize(
    "inside",
    [
        "<url><![CDATA[https://www.example.com/a?b=1&c=2]]></url>",
        " <url>\n https://www.example.com/a?b=1&amp;c=2 </url> ",
        "<a href='x'>https://www.example.com/a?b=1&c=2</a>",
    ],
)
@pytest.mark.parametrize("size", [1, 5_000, 100_000])
@pytest.mark.parametrize("before", [0, 100])
def test_an_address_in_an_element_of_its_own_is_read(inside, size, before):
    entry = f"<url><loc>{inside}</loc><lastmod>2024-01-01</lastmod></url>"
    data = urlset(*(page(str(n)) for n in range(before)), entry, page("z")).encode()
    entries = list(parse_sitemap([data[at : at + size] for at in range(0, len(data), size)], URL))[before:]
    assert [entry.url for entry in entries] == ["https://www.example.com/a?b=1&c=2", "https://www.example.com/z"]
    assert entries[0].modified == NEW_YEAR


@pytest.mark.parametrize(
    "loc",
    [
        *("", " ", "mailto:a@example.com", "ftp://example.com/", "javascript:x", "https://u:p@example.com/", "http://"),
        *("https://", "https:", "https:///a", "https://?a=1", "HTTPS://#a", "''"),
    ],
)
def test_an_unusable_address_costs_its_entry_only(loc):
    parsed = parse(urlset(page("a"), f"<url><loc>{loc}</loc><lastmod>2024-01-01</lastmod></url>", page("b")))
    entries = list(parsed)
    assert [entry.url[-1] for entry in entries] == ["a", "b"]
    assert entries[1].modified is None
    assert parsed.dropped == 1


@pytest.mark.parametrize(
    "text, modified, precision",
    [
        ("2024-01-01T00:00:00Z", NEW_YEAR, Precision.SECOND),
        (" 2024-01-01T01:00:00+01:00\n", NEW_YEAR, Precision.SECOND),
        ("2024-01-01T00:00", NEW_YEAR, Precision.SECOND),
        ("Mon, 01 Jan 2024 00:00:00 GMT", NEW_YEAR, Precision.SECOND),
        ("2024-01-01", NEW_YEAR, Precision.DAY),
        ("2024", NEW_YEAR, Precision.YEAR),
        ("2024-13-01T00:00:00Z", None, None),
        ("yesterday", None, None),
        ("", None, None),
    ],
)
def test_a_date_is_read_or_left_out(text, modified, precision):
    entry = only(urlset(page("a", f"<lastmod>{text}</lastmod>")))
    assert (entry.modified, entry.modified_precision) == (modified, precision)


NEWS = (
    "<news:news><news:publication><news:name>The Example</news:name><news:language>en</news:language></news:publication>"
    "<news:publication_date>2024-01-01</news:publication_date><news:title>A &amp; B\n c</news:title>"
    "<news:keywords>x, y z,</news:keywords></news:news>"
)
TAGS = NewsTags(title="A & B c", publication="The Example", language="en", published=NEW_YEAR, keywords=("x", "y z"))


@pytest.mark.parametrize(
    "news, attributes",
    [
        (NEWS, NAMESPACES),
        (NEWS, ""),
        (NEWS.replace("news:", "n:"), 'xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"'),
        (NEWS.replace("news:", ""), NAMESPACES),
        (NEWS.replace("<news:news>", "").replace("</news:news>", ""), NAMESPACES),
        (NEWS.replace("A &amp; B", "<![CDATA[A & B]]>"), NAMESPACES),
        (NEWS.replace("The Example", "&lt;![CDATA[The Example ]]&gt;"), NAMESPACES),
    ],
)
@pytest.mark.parametrize("before", ["", page("other")])
def test_news_tags_are_read_whatever_their_prefix(news, attributes, before):
    parsed = parse(urlset(before, page("a", news), attributes=attributes))
    entry = list(parsed)[-1]
    assert entry.news == TAGS
    assert (entry.title, entry.language, entry.published) == (TAGS.title, "en", NEW_YEAR)
    assert parsed.has_news


def test_a_declared_namespace_is_no_news():
    parsed = parse(urlset(page("a", "<news:news><news:title> </news:title></news:news>")))
    assert [entry.news for entry in parsed] == [None]
    assert "http://www.google.com/schemas/sitemap-news/0.9" in parsed.declared_namespaces
    assert not parsed.has_news


def test_images_videos_and_alternates_are_kept_apart_from_the_page():
    entry = only(
        urlset(
            "<url><image:image><image:loc>/i.jpg</image:loc><image:title>I</image:title></image:image>"
            "<video:video><video:title>V</video:title><video:content_loc>/v.mp4</video:content_loc>"
            "<video:thumbnail_loc>/t.jpg</video:thumbnail_loc><video:publication_date>2024-01-01</video:publication_date>"
            "</video:video><image:loc>/stray.jpg</image:loc><loc>/a</loc><priority>High</priority>"
            "<changefreq>DAILY</changefreq><xhtml:link rel='alternate' hreflang='de' href='/de?a=1&amp;b=2'/>"
            "<xhtml:link rel='stylesheet' href='/style.css'/><xhtml:link/><xhtml:link REL='Alternate' HREF='/m'/></url>"
        )
    )
    assert (entry.url, entry.title) == ("https://www.example.com/a", None)
    assert entry.images == (SitemapImage(url="https://www.example.com/i.jpg", title="I"),)
    assert entry.videos == (
        SitemapVideo(
            url="https://www.example.com/v.mp4",
            thumbnail="https://www.example.com/t.jpg",
            title="V",
            published=NEW_YEAR,
        ),
    )
    assert entry.alternates == (
        Alternate(url="https://www.example.com/de?a=1&b=2", language="de"),
        Alternate(url="https://www.example.com/m"),
    )
    assert (entry.priority, entry.changefreq) == ("High", "DAILY")


def test_an_image_without_its_holder_is_not_the_page():
    assert paths(urlset("<url><image:loc>/i.jpg</image:loc></url>", page("a"))) == ["a"]


@pytest.mark.parametrize("broken", ["", "<&>"])
def test_several_addresses_in_one_entry_do_not_share_their_dates(broken):
    entries = list(
        parse(
            f"<sitemapindex>{broken}<sitemap><loc>/a.xml</loc><lastmod>2024-01-01</lastmod><loc>/b.xml</loc><loc>/b.xml</loc>"
            "<loc>/c.xml</loc><lastmod>2023</lastmod></sitemap><sitemap>https://www.example.com/d.xml</sitemap></sitemapindex>"
        )
    )
    years = [(entry.url[-5], entry.modified and entry.modified.year) for entry in entries]
    assert years == [("a", 2024), ("b", None), ("c", 2023), ("d", None)]


def test_entries_know_whether_they_are_off_site():
    text = urlset(page("a"), "<url><loc>https://m.example.com/</loc></url><url><loc>https://example.org/</loc></url>")
    assert [(entry.off_site, entry.sitemap) for entry in parse(text)] == [(False, URL), (False, URL), (True, URL)]


def test_rss_items_give_link_title_and_date():
    entries = list(
        parse(
            "<rss xmlns:media='http://search.yahoo.com/mrss/' xmlns:a='http://www.w3.org/2005/Atom'><channel><title>T</title>"
            "<link>/</link><image><url>/i.png</url></image><item><a:link rel='self' href='/self'/><title>A <b>b</b></title>"
            "<media:title>M</media:title><link>/a</link><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate></item>"
            "<item><guid isPermaLink='true'>/x</guid></item><item><guid>post-7</guid></item>"
            "<item><guid> https://www.example.com/b</guid></item>"
            "<item><guid isPermaLink='false'>https://www.example.com/?p=c</guid></item></channel></rss>"
        )
    )
    assert [entry.url[-2:] for entry in entries] == ["/a", "/b", "=c"]
    assert (entries[0].title, entries[0].published, entries[0].modified) == ("A b", NEW_YEAR, NEW_YEAR)


def test_atom_entries_prefer_the_link_without_relation():
    entry = only(
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link rel='edit' href='/e'/><link rel='alternate' href='/b'/>"
        "<link href='/a'/><updated>2024-01-01</updated><published>2023-01-01</published>"
        "<source><title>Other</title></source><title>T</title></entry></feed>"
    )
    assert (entry.url, entry.title) == ("https://www.example.com/a", "T")
    assert (entry.modified, entry.published.year) == (NEW_YEAR, 2023)


@pytest.mark.parametrize(
    "text, found",
    [
        (urlset(page("a"), "<url><loc>https://www.example.com/bro"), ["a"]),
        (urlset(page("a"), "<url><loc>/b</loc><lastmod>20")[:-9], ["a"]),
        (urlset(page("a"), "<url><loc>/b</loc></wrong>"), ["a"]),
        (urlset(page("a"), "<url><loc>/b</loc></wrong></url>"), ["a", "b"]),
        (urlset(page("a"), "<url><loc>/x</url>", page("b")), ["a", "b"]),
        (urlset(page("a"), "<url><loc>/b</loc>", page("c")), ["a", "b", "c"]),
        (urlset(page("a"), "<url><loc>/x<lastmod>2024</lastmod></loc></url>", page("c")), ["a", "c"]),
        (urlset(page("a")) + "<script>if (1<2) x</script>", ["a"]),
        (urlset("<url><loc>/a</loc><!-- - -- --></url>", page("b")), ["a", "b"]),
        (urlset(page("a"), "<!-- never closed <url>", page("b")), ["a", "b"]),
        (
            urlset("<url><loc>/a</loc><x><![CDATA[x]></x></url>", page("b", "<x><![CDATA[y]]></x>"), page("c")),
            ["a", "b", "c"],
        ),
        (urlset(page("a"), "<?php echo <url>", page("b"), "<? x ?>"), ["a", "b"]),
        (urlset(page("a"), page("b", "<x a=1>&</x>"), page("c", "<y>1 < 2</y>")), ["a", "b", "c"]),
        (urlset(page("a"), page("b", "<LASTMOD>2024</lastmod>"), "<URL><loc>/c</loc></url>"), ["a", "b", "c"]),
    ],
)
def test_broken_files_give_every_whole_entry_and_no_cut_one(text, found):
    parsed = parse(text)
    assert [entry.url.removeprefix("https://www.example.com/") for entry in parsed] == found
    assert parsed.error or parsed.dropped


def test_a_child_of_an_index_is_kept_where_its_address_is_whole():
    start = "<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>202"
    parsed = parse(start)
    assert [(entry.url[-5:], entry.modified) for entry in parsed] == [("a.xml", None)]
    assert parsed.truncated
    assert paths("<sitemapindex><sitemap>https://www.example.com/cu") == []


def test_single_bytes_that_are_no_utf8_are_read_as_windows_1252():
    text = urlset(page("caf\u00e9", "<news:title>\u201cq\u201d</news:title>"), page("b")).encode("windows-1252")
    first, second = parse(text)
    assert (first.url[-4:], first.title, second.url[-1]) == ("caf\u00e9", "\u201cq\u201d", "b")


@pytest.mark.parametrize(
    "encoding, declared, word",
    [
        ("iso-8859-1", "ISO-8859-1", "caf\u00e9"),
        ("windows-1251", "cp1251", "\u043c\u0438\u0440"),
        ("gbk", "GBK", "\u65b0\u95fb"),
        ("gb18030", "gb2312", "\u9555"),
        ("cp932", "Windows-31J", "\u65e5\u672c\u2460"),
        ("cp932", "x-sjis", "\u65e5\u672c"),
        ("iso-2022-jp", "ISO-2022-JP", "\u65e5\u672c"),
        ("cp874", "windows-874", "\u0e02\u0e48\u0e32\u0e27"),
        ("utf-8", "x-none", "caf\u00e9"),
    ],
)
@pytest.mark.parametrize("before", [0, 3_000])
def test_a_declared_encoding_is_honoured(encoding, declared, word, before):
    text = urlset(*(page(str(n)) for n in range(before)), page(word), page("x"))
    assert paths(text.replace("UTF-8", declared).encode(encoding))[-2:] == [word, "x"]


@pytest.mark.parametrize("declared", ["ISO-8859-1", "GBK", "cp037", "UTF-7", "UTF-16", "rot13"])
@pytest.mark.parametrize("before", [0, 3_000])
def test_what_is_utf8_is_read_as_that_whatever_it_declares(declared, before):
    word = "caf\u00e9-\u65e5\u672c"
    text = urlset(*(page(str(n)) for n in range(before)), page(word), page("x"))
    assert paths(text.replace("UTF-8", declared).encode())[-2:] == [word, "x"]


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE urlset [<!ENTITY x "y">]>',
        '<!DOCTYPE urlset [<!ENTITY % x SYSTEM "http://a.example/x.dtd"> %x;]>',
        '<!DOCTYPE urlset SYSTEM "http://a.example/x.dtd">',
        '<br><!DOCTYPE urlset [<!ENTITY x "y">]>',
    ],
)
def test_entities_and_external_declarations_are_refused(doctype):
    parsed = parse(doctype + urlset(page("a", "<x>&x;</x>")).partition("?>")[2])
    assert (list(parsed), parsed.kind) == ([], SitemapKind.ERROR)
    assert parsed.error.startswith("refused")


@pytest.mark.parametrize(
    "doctype",
    [
        "<!DOCTYPE urlset>",
        "<!DOCTYPE urlset [<!ELEMENT urlset ANY>]>",
        '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://example.com/rss-0.91.dtd">',
        "<&><!DOCTYPE urlset [<!ELEMENT urlset ANY>]>",
    ],
)
def test_a_harmless_doctype_is_not(doctype):
    entry = page("a", "<news:title>x&nbsp;y</news:title>")
    assert [found.title for found in parse(doctype + urlset(entry).partition("?>")[2])] == ["x y"]


def test_text_gives_one_address_a_line():
    assert paths(
        "intro\r\nhttps://www.example.com/a\rhttps://www.example.com/b c\n\nftp://x\nhttps://www.example.com/e<br>\n"
        " https://www.example.com/d"
    ) == [
        "a",
        "d",
    ]


def test_the_last_line_of_a_cut_text_is_left_out():
    text = "https://www.example.com/a\nhttps://www.example.com/bro"
    assert paths(text, cut=True) == ["a"]

    class Chunks(list):
        truncated = True

    parsed = parse_sitemap(Chunks([text.encode()]), URL)
    assert (len(list(parsed)), parsed.truncated) == (1, True)


@pytest.mark.parametrize("text", [urlset(*(page(str(n)) for n in range(999))), "https://www.example.com/abc\n" * 999])
def test_the_cap_on_inflated_bytes_is_flagged(text):
    parsed = parse_sitemap(gzip.compress(text.encode()), URL, max_inflated=5_000)
    entries = list(parsed)
    assert 0 < len(entries) < 999
    assert all(f"<loc>{entry.url}</loc>" in text or entry.url.endswith("/abc") for entry in entries)
    assert (parsed.capped, parsed.truncated) == (True, True)


HOSTILE = {
    "open tags": b"<a>" * 300_000,
    "open tags, broken": b"<&>" + b"<a>" * 150_000,
    "open entries": b"<url>" * 150_000,
    "less-than": b"<" * 500_000,
    "comments": b"<!--" * 300_000,
    "sections": b"<url><![CDATA[" * 100_000,
    "instructions": b"<?" * 250_000,
    "doctypes": b"<!DOCTYPE x [" * 50_000,
    "quotes": b"<url " + b"\"'" * 600_000,
    "long name": b"<&><url><" + b"x" * 900_000,
    "long end": b"<&><url></" + b"x" * 900_000 + b">",
    "long attribute": b"<&><url = " + b"x" * 900_000 + b">",
    "long value": b'<&><url a="' + b"x" * 900_000 + b">",
    "boxes": b"<&>" + b"<url><loc><a>https://x/" * 60_000,
    "long box": b"<&><url><loc><a>https://x/" + b" " * 900_000 + b"<b>",
    "attributes": b"<url " + b" ".join(b"a%d='1'" % number for number in range(200_000)) + b">",
    "stray ends": b"<&><url>" + b"<x>" * 900 + b"</y>" * 200_000,
    "names": b"".join(b"<a%d/>" % number for number in range(50_000)),
    "long text": b"<url><loc>" + b"x" * 5_000_000,
    "ampersands": b"<&><url><loc>" + b"&" * 3_000_000,
    "long comment": b"<!--" + b"x" * 3_000_000 + b"-->",
    "alternates": b"<url><loc>/x</loc>" + b"<xhtml:link rel='alternate' href='/y'/>" * 20_000 + b"</url>",
}


@pytest.mark.slow
@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files_end_in_bounded_memory(what):
    start = urlset()[: -len("</urlset>")].encode()
    tracemalloc.start()
    try:
        parsed = parse_sitemap(itertools.chain([start], [HOSTILE[what]]), URL)
        entries = list(parsed)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(entries) <= 1
    assert parsed.truncated or parsed.error
    assert peak < 32 * 2**20


def test_the_first_entry_takes_the_first_chunk_only():
    def endless():
        yield urlset()[: -len("</urlset>")].encode()
        for number in itertools.count():
            assert number < 500, "read on without need"
            yield page(str(number)).encode()

    assert next(iter(parse_sitemap(endless(), URL))).url.endswith("/0")


def test_memory_does_not_grow_with_the_file():
    def chunks():
        yield urlset()[: -len("</urlset>")].encode()
        for number in range(200):
            yield "".join(page(f"{number}/{part}", NEWS if part % 3 else "<x/>") for part in range(60)).encode()

    entries = iter(parse_sitemap(chunks(), URL))
    tracemalloc.start()
    try:
        for _ in range(1_000):
            next(entries)
        before, _ = tracemalloc.get_traced_memory()
        assert sum(1 for _ in entries) == 11_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak - before < 2 * 2**20


def test_an_error_of_the_stream_is_the_callers():
    def broken():
        yield urlset(page("a"))[: -len("</urlset>")].encode() * 100
        raise TimeoutError

    with pytest.raises(TimeoutError):
        list(parse_sitemap(broken(), URL))


@pytest.mark.parametrize(
    "url, named",
    [
        ("https://a.example/sitemap.xml", True),
        ("https://a.example/sitemap/news.xml?x=1", True),
        ("https://a.example/posts.xml.gz", True),
        ("https://a.example/page.xml", False),
        ("https://a.example/sitemap", False),
        ("https://a.example/?sitemap.xml", False),
    ],
)
def test_sitemaps_are_known_by_their_names(url, named):
    assert names_sitemap(url) is named
