import gzip
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.parse.entries import MAX_SUMMARY, parse_feed
from sitediscover.parse.feed import FeedFormat

URL = "https://paper.example/feeds/all.xml"
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def rss(items, channel=""):
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>Paper</title>{channel}{items}</channel></rss>'.encode()


def first(body):
    return parse_feed(body, URL).entries[0]


def test_an_rss_item_is_an_entry():
    entry = first(
        rss(
            "<item><title>Mayor &amp;amp; council</title><link>/news/1</link><guid isPermaLink='false'>g-1</guid>"
            "<pubDate>Mon, 30 Nov 2026 13:00:00 +0100</pubDate><description>&lt;p&gt;All &lt;b&gt;of&lt;/b&gt; it&lt;/p&gt;</description></item>",
            "<language>en-GB</language>",
        )
    )
    assert (entry.url, entry.guid, entry.published, entry.language) == (
        "https://paper.example/news/1",
        "g-1",
        NOON,
        "en-GB",
    )
    assert (entry.title, entry.summary) == ("Mayor & council", "All of it")


def test_an_atom_entry_tells_both_dates():
    body = f"""<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Blatt</title>
    <entry><id>tag:1</id><title type="html">Kurz &lt;i&gt;und&lt;/i&gt; gut</title><link href="../a"/>
    <published>{NOON.isoformat()}</published><updated>2026-11-30T15:00:00Z</updated></entry></feed>"""
    entry = first(body.encode())
    assert (entry.url, entry.title, entry.language) == ("https://paper.example/a", "Kurz und gut", "de")
    assert (entry.published, entry.modified) == (NOON, datetime(2026, 11, 30, 15, tzinfo=UTC))


def test_an_entry_without_a_modification_has_none_made_up():
    assert first(rss("<item><link>/1</link><pubDate>Mon, 30 Nov 2026 12:00:00 GMT</pubDate></item>")).modified is None


@pytest.mark.parametrize("date", ["30/11/2026", "yesterday", "--11-30", ""])
def test_a_date_that_cannot_be_read_is_none_and_never_filled_from_today(date):
    assert first(rss(f"<item><link>/1</link><pubDate>{date}</pubDate></item>")).published is None


def test_an_rdf_feed_has_its_items_outside_the_channel():
    body = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>T</title></channel>
    <item rdf:about="https://paper.example/1"><title>One</title><link>https://paper.example/1</link>
    <dc:date>2026-11-30T12:00:00Z</dc:date></item></rdf:RDF>"""
    found = parse_feed(body, URL)
    assert (found.format, found.entries[0].url, found.entries[0].modified or found.entries[0].published) == (
        FeedFormat.RDF,
        "https://paper.example/1",
        NOON,
    )


def test_a_json_feed_item_is_an_entry():
    item = {"id": 7, "url": "/j/1", "title": "J", "date_published": NOON.isoformat(), "content_html": "<p>x</p>"}
    body = json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "Js", "items": [item, "junk"]}).encode()
    found = parse_feed(body, URL)
    assert (found.format, found.title, found.dropped) == (FeedFormat.JSON, "Js", 0)
    entry = found.entries[0]
    assert (entry.url, entry.title, entry.published, entry.summary) == ("https://paper.example/j/1", "J", NOON, "x")


def test_a_json_id_is_an_address_only_where_it_is_written_as_one():
    items = [{"id": "https://paper.example/by-id"}, {"id": "17"}, {"external_url": "https://other.example/x"}]
    body = json.dumps({"version": "https://jsonfeed.org/version/1", "items": items}).encode()
    found = parse_feed(body, URL)
    assert [entry.url for entry in found.entries] == ["https://paper.example/by-id", "https://other.example/x"]
    assert found.dropped == 1


@pytest.mark.parametrize(
    "item, url",
    [
        ("<guid>https://paper.example/by-guid</guid>", "https://paper.example/by-guid"),
        ("<guid>urn:1</guid><enclosure url='https://paper.example/a.mp3'/>", "https://paper.example/a.mp3"),
        (
            (
                "<link>https://counter.example/1</link><f:origLink xmlns:f='http://rssnamespace.org/feedburner/ext/1.0'>"
                "https://paper.example/real</f:origLink>"
            ),
            "https://paper.example/real",
        ),
    ],
)
def test_an_address_is_found_where_the_feed_hides_it(item, url):
    assert first(rss(f"<item>{item}</item>")).url == url


@pytest.mark.parametrize(
    "item", ["<title>no link</title>", "<link>javascript:alert(1)</link>", "<link>mailto:me@x.example</link>"]
)
def test_an_entry_without_an_http_address_is_dropped_and_counted(item):
    found = parse_feed(rss(f"<item>{item}</item><item><link>/ok</link></item>"), URL)
    assert ([entry.url for entry in found.entries], found.dropped) == (["https://paper.example/ok"], 1)


@pytest.mark.parametrize(
    "channel, seconds",
    [
        ("<ttl>30</ttl>", 1800.0),
        ("<ttl>soon</ttl>", None),
        ("<sy:updatePeriod xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'>daily</sy:updatePeriod>", 86400.0),
        (
            (
                "<sy:updatePeriod xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'>hourly</sy:updatePeriod>"
                "<sy:updateFrequency xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'>2</sy:updateFrequency>"
            ),
            1800.0,
        ),
        *((f"<ttl>{'9' * digits}</ttl>", None) for digits in (10, 400, 5000)),
        (
            (
                "<sy:updatePeriod xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'>daily</sy:updatePeriod>"
                "<sy:updateFrequency xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'>"
                f"{'9' * 5000}</sy:updateFrequency>"
            ),
            None,
        ),
        ("", None),
    ],
)
def test_a_feed_may_ask_for_a_pace(channel, seconds):
    assert parse_feed(rss("", channel), URL).refresh == seconds


def test_a_broken_feed_gives_what_can_be_read_and_says_so():
    found = parse_feed(rss("<item><link>/1</link><title>A & B</title></item><item><link>/2</link>")[:-20], URL)
    assert "https://paper.example/1" in [entry.url for entry in found.entries]
    assert found.error


@pytest.mark.parametrize(
    "reference", ["&#xD800;", "&#55296;", "&#x110000;", "&#99999999999;", f"&#{'9' * 5000};", f"&#x{'f' * 5000};"]
)
def test_a_reference_to_no_character_costs_only_itself(reference):
    found = parse_feed(
        rss(f"<item><link>/1</link><title>A{reference}B</title></item><item><link>/2</link></item>"), URL
    )
    assert [entry.title for entry in found.entries] == ["A\ufffdB", None]


@pytest.mark.parametrize("text", ["a\x00b\ud800c", "\udfffabc"])
def test_no_text_holds_what_cannot_be_written(text):
    body = {"version": "https://jsonfeed.org/version/1.1", "title": text, "items": [{"url": "/1", "title": text}]}
    found = parse_feed(json.dumps(body).encode(), URL)
    assert (found.title, found.entries[0].title) == ("abc", "abc")


def test_a_gzipped_feed_is_read():
    assert len(parse_feed(gzip.compress(rss("<item><link>/1</link></item>")), URL).entries) == 1


def test_what_is_no_feed_has_no_format():
    found = parse_feed(b"<!doctype html><title>x</title>", URL)
    assert (found.format, found.entries, found.error) == (None, (), "not a feed")


def test_a_broken_json_feed_says_so():
    found = parse_feed(b'{"version": "https://jsonfeed.org/version/1.1", "items": [', URL)
    assert found.format is FeedFormat.JSON
    assert found.error.startswith("unreadable")


def test_an_entry_whose_content_lives_elsewhere_leads_there():
    # RFC 4287, 4.1.1: with a content of its own it needs no alternate link.
    entry = '<entry><id>urn:x:1</id><content type="text/html" src="/report"/></entry>'
    [found] = parse_feed(f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}</feed>'.encode(), URL).entries
    assert found.url == "https://paper.example/report"


def test_a_less_than_sign_in_a_title_opens_no_tag():
    assert first(rss("<item><title>5 &lt; 6 and 8 &gt; 7</title><link>/a</link></item>")).title == "5 < 6 and 8 > 7"


def test_a_feed_behind_a_php_warning_is_read():
    warning = b"<br />\n<b>Warning</b>: Undefined key in <b>/x.php</b><br />\n<?xml version='1.0'?>"
    assert first(warning + rss("<item><link>/a</link></item>")).url == "https://paper.example/a"


def test_a_summary_is_text_and_bounded():
    entry = first(
        rss(f"<item><link>/1</link><description>{'word ' * 5000}&lt;script&gt;x&lt;/script&gt;</description></item>")
    )
    assert len(entry.summary) <= MAX_SUMMARY
    assert "script" not in entry.summary


@given(
    st.binary(max_size=300),
    st.sampled_from([b"<rss><channel><item>", b'{"version":"https://jsonfeed.org/version/1",', b"<feed>"]),
)
def test_no_bytes_make_it_raise(noise, start):
    parse_feed(start + noise, URL)
