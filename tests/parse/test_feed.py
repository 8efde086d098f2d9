"""A body is a feed by its root element, whatever it is called."""

import gzip
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.parse.feed import MAX_JSON, MAX_PROLOGUE, FeedFormat, sniff_feed

RSS = '<rss version="2.0"><channel><title>é</title></channel></rss>'
ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><title>é</title></feed>'
RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel/></rdf:RDF>'


@pytest.mark.parametrize(
    "text, expected",
    [
        (RSS, "rss"),
        ("<rss/>", "rss"),
        ("<rss", "rss"),
        ("<RSS VERSION=0.91>", "rss"),
        ('<x:rss xmlns:x="http://backend.userland.com/rss2"/>', "rss"),
        (ATOM, "atom"),
        ("<feed></feed>", "atom"),
        ('<feed version="0.3" xmlns="http://purl.org/atom/ns#">', "atom"),
        ('<feed xmlns="http://purl.org/pie/" version="0.2">', "atom"),
        ('<feed xmlns="http://shop.example/products" version="2.1">', None),
        ("<b>Warning</b>: <html><body><pre><?xml version='1.0'?><rss>", None),
        ("<a:feed xmlns:a='http://www.w3.org/2005/Atom' xmlns='http://other.example/'>", "atom"),
        ('<feed xmlns:atom="http://www.w3.org/2005/Atom" xmlns="http://shop.example/products">', None),
        ('<feed xmlns="http://www.w3.org/2005/At', "atom"),
        (RDF, "rdf"),
        ('<rdf:RDF xmlns:rdf="x" xmlns="http://my.netscape.com/rdf/simple/0.9/"></rdf:RDF>', "rdf"),
        ("<RDF><channel>", "rdf"),
        ('<rdf:RDF xmlns:foaf="http://xmlns.com/foaf/0.1/"><foaf:Person/></rdf:RDF>', None),
        ("<rss-editor>", None),
        ("<rssfeed>", None),
        ("<feedback-form>", None),
        ("<feeds>", None),
        ("<channel><item/></channel>", None),
        ("<html><body>" + RSS, None),
        ("<!DOCTYPE html><html><link type='application/rss+xml'>", None),
        ("<urlset><url/></urlset>", None),
        ("<opml/>", None),
        ("var feed = '<rss version=\"2.0\">'", None),
        ("text <rss>", None),
        ("<", None),
        ("", None),
        ("   ", None),
    ],
)
def test_the_root_element_decides(text, expected):
    assert sniff_feed(text.encode()) == expected


@pytest.mark.parametrize(
    "prologue",
    [
        '<?xml version="1.0"?>',
        '\r\n \t<?xml version="1.0" encoding="bogus"?>\n',
        "<!-- <html> --> <!---->",
        '<?xml-stylesheet href="a>b.xsl"?><?php echo 1 ?>',
        '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://x.example/rss-0.91.dtd">',
        '<!doctype rss [ <!ENTITY a "]>"> <!-- \' ]> --> <!ELEMENT x ANY> %p; ]  >',
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://x.example/">',
        '<!DOCTYPE broken " >',
        "\0\0",
        "\ufeff\xef\xbb\xbf",
        "Notice: Undefined variable in /srv/x.php on line 3\n<?xml version='1.0'?>",
        "<br />\n<b>Warning</b>:  Undefined array key \"q\" in <b>/x.php</b> on line <b>3</b><br />\n<?xml version='1.0'?>",
        "Warning: Can't open 'x' in /x.php on line 3\n<?xml version='1.0'?>",
        "<?xml version='1.0' encoding='utf-8' >",
        "<!--" + "x" * 100_000 + "-->",
    ],
)
@pytest.mark.parametrize("body, expected", [(RSS, "rss"), (ATOM, "atom"), (RDF, "rdf"), ("<html>", None)])
def test_what_may_stand_before_the_root_says_nothing(prologue, body, expected):
    assert sniff_feed((prologue + body).encode()) == expected


@pytest.mark.parametrize(
    "encoding",
    ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "latin-1", "cp037", "cp500", "cp1026"],
)
def test_every_encoding_of_xml_is_seen(encoding):
    assert sniff_feed(f'<?xml version="1.0" encoding="{encoding}"?><!-- ! -->{RSS}'.encode(encoding)) is FeedFormat.RSS


def test_gzip_is_seen_through_also_when_cut():
    packed = gzip.compress((ATOM + "<entry/>" * 10_000).encode())
    assert sniff_feed(packed) is sniff_feed(packed[:-20]) is sniff_feed(gzip.compress(packed)) is FeedFormat.ATOM
    assert sniff_feed(gzip.compress(b"\0" * 50_000_000)) is None


# --- JSON Feed -----------------------------------------------------------------------------------------------------

VERSION = "https://jsonfeed.org/version/1.1"


@pytest.mark.parametrize(
    "document, expected",
    [
        ({"version": VERSION, "items": []}, "json"),
        ({"version": "http://jsonfeed.org/version/1"}, "json"),
        ({"items": [{"id": i, "version": 1, "text": '{["'} for i in range(1_000)], "version": VERSION}, "json"),
        ({"version": "1"}, None),
        ({"version": 1}, None),
        ({"items": [{"version": VERSION}]}, None),
        ({"meta": {"version": VERSION}}, None),
        ({"text": f'"version": "{VERSION}"'}, None),
        ({"openapi": "3.1", "info": {"version": VERSION}, "version": "2"}, None),
        ({"info": {"version": VERSION}, "version": VERSION}, "json"),
        ([{"version": VERSION}], None),
        (VERSION, None),
        ({}, None),
    ],
)
@pytest.mark.parametrize("prefix", ["", "\ufeff", "\n\t "])
def test_a_json_feed_tells_its_version_at_the_top(document, expected, prefix):
    assert sniff_feed((prefix + json.dumps(document)).encode()) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        (r'{"version":"https:\/\/jsonfeed.org\/version\/1","items":[', "json"),
        ('{\n\t"version" : "https://jsonfeed.org/version/1",\n', "json"),
        ('{"version":"https://jsonfeed.org/ver', None),
        ("{/}", None),
        ("{", None),
    ],
)
def test_cut_and_broken_json_is_judged_by_what_it_holds(text, expected):
    assert sniff_feed(text.encode()) == expected


def test_json_in_utf_16_is_read():
    assert sniff_feed(json.dumps({"version": VERSION}).encode("utf-16")) is FeedFormat.JSON


# --- bounds --------------------------------------------------------------------------------------------------------


def test_only_the_first_part_is_looked_at():
    assert sniff_feed(b" " * MAX_PROLOGUE + RSS.encode()) is None
    late = f', "version": "{VERSION}"}}'.encode()
    assert sniff_feed(b'{"a": "' + b"x" * (MAX_JSON // 2) + b'"' + late) is FeedFormat.JSON
    assert sniff_feed(b'{"a": "' + b"x" * MAX_JSON + b'"' + late) is None


@pytest.mark.parametrize(
    "piece",
    [
        "<!--",
        "<!-- -->",
        "<?",
        "<!DOCTYPE a [",
        "<!DOCTYPE a [<!--",
        "<!DOCTYPE ",
        "<!",
        "<",
        "[",
        '"',
        "'",
        "<a b='",
        "\\",
        " ",
        "x ",
        "<rdf ",
        '{"version":"',
        '{"a":',
        '{"',
        '"version":"jsonfeed.org",',
        "[[",
        "{[",
        "<rss x=",
        "<feed xmlns",
    ],
)
@pytest.mark.parametrize("head", ["", "{", "<!DOCTYPE x [", "<feed "])
def test_endless_repetition_ends_in_time(piece, head):
    started = time.process_time()
    sniff_feed((head + piece * (2_000_000 // len(piece))).encode())
    assert time.process_time() - started < 2


MARKUP = st.text(alphabet='<>!?-[]{}":/\\ rsfedRDFxmln=', max_size=120)


@given(st.one_of(st.binary(max_size=300), MARKUP.map(str.encode)))
def test_no_bytes_make_it_raise(data):
    assert sniff_feed(data) in {None, *FeedFormat}
