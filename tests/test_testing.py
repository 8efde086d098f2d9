"""FakeWeb answers like the web it describes, counts what is asked, and nobody waits."""

from __future__ import annotations

import gzip
import threading
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import pytest
import requests
from hypothesis import given
from hypothesis import strategies as st
from urllib3.util import Timeout

from sitediscover.model import Article
from sitediscover.parse.feed import sniff_feed
from sitediscover.parse.html import parse_page
from sitediscover.parse.sitemap import parse_sitemap
from sitediscover.testing import Answer, FakeClock, FakeWeb, feed, page, redirect, sitemap_index, urlset

HOST = "https://kiosk.example"
NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def ask(web: FakeWeb, url: str = f"{HOST}/", method: str = "GET", **options) -> requests.Response:
    with web.mount(requests.Session()) as session:
        return session.request(method, url, allow_redirects=False, **options)


def one(answer, **options) -> requests.Response:
    return ask(FakeWeb({HOST: {"/": answer}}), **options)


# -- which answer ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path, body",
    [
        ("/", "root"),
        ("", "root"),
        ("/page", "plain"),
        ("/page?n=2", "query"),
        ("/page?n=3", "rest"),
        ("/elsewhere", "rest"),
        ("/page#end", "plain"),
        ("/%E8%A8%98", "unquoted"),
    ],
)
def test_an_answer_is_found_by_path_and_query(path, body):
    web = {HOST: {"/": "root", "/page": "plain", "/page?n=2": "query", "/記": "unquoted", "*": "rest"}}
    assert ask(FakeWeb(web), HOST + path).text == body


def test_a_missing_path_answers_404_and_a_missing_host_refuses():
    web = FakeWeb({HOST: {}})
    assert ask(web).status_code == 404
    with pytest.raises(requests.ConnectionError):
        ask(web, "https://nobody.example/")
    with pytest.raises(requests.ConnectionError):
        ask(web, "http://kiosk.example/")


@pytest.mark.parametrize("url", ["https://kiosk.example:443/", "https://KIOSK.example/"])
def test_default_port_and_upper_case_are_the_same_host(url):
    assert ask(FakeWeb({HOST: {"/": "here"}}), url).text == "here"


def test_another_port_is_another_host():
    web = FakeWeb({HOST: {"/": "default"}, f"{HOST}:8443": {"/": "other"}})
    assert ask(web, f"{HOST}:8443/").text == "other"


def test_a_callable_sees_the_request():
    def answer(call):
        return f"{call.method} {call.url} {call.headers['x-ask']}"

    assert one(answer, headers={"X-Ask": "why"}).text == f"GET {HOST}/ why"


def test_a_callable_may_return_an_answer():
    assert one(lambda _: Answer(status=410)).status_code == 410


def test_the_dict_may_change_between_requests():
    paths = {"/": "before"}
    web = FakeWeb({HOST: paths})
    assert ask(web).text == "before"
    paths["/"] = "after"
    assert ask(web).text == "after"


@pytest.mark.parametrize("origin", ["kiosk.example", "https://kiosk.example/", "ftp://kiosk.example", "https://"])
def test_a_host_that_no_request_can_match_is_an_error(origin):
    with pytest.raises(ValueError, match="https://host"):
        FakeWeb({origin: {}})


def test_a_path_that_no_request_can_match_is_an_error():
    with pytest.raises(ValueError, match="slash"):
        FakeWeb({HOST: {"feed": ""}})


# -- how it answers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body, content_type",
    [
        ("<!doctype html><p>x", "text/html; charset=utf-8"),
        (feed([]), "application/rss+xml"),
        ("<feed xmlns='http://www.w3.org/2005/Atom'/>", "application/atom+xml"),
        (urlset([]), "application/xml"),
        ("<urlset/>", "application/xml"),
        ('{"version": ""}', "application/json"),
        ("User-agent: *", "text/plain; charset=utf-8"),
        (gzip.compress(b"x"), "application/gzip"),
    ],
)
def test_the_content_type_is_what_the_body_looks_like(body, content_type):
    assert one(body).headers["content-type"] == content_type


def test_headers_that_are_given_win():
    response = one(Answer(body="<p>", headers={"content-type": "text/plain; charset=latin-1", "Content-Length": "3"}))
    assert response.headers["Content-Type"] == "text/plain; charset=latin-1"
    assert response.encoding == "latin-1"


def test_an_empty_body_has_a_length_and_no_type():
    assert dict(one("").headers) == {"Content-Length": "0"}


def test_a_body_is_sent_as_it_is():
    packed = gzip.compress(b"inside")
    assert one(packed).content == packed
    assert one(Answer(body=packed, headers={"Content-Encoding": "gzip"})).content == b"inside"


def test_head_gets_the_headers_only():
    response = one("four", method="HEAD")
    assert (response.content, response.headers["Content-Length"]) == (b"", "4")


def test_a_redirect_is_an_answer_like_any_other():
    web = FakeWeb({HOST: {"/": redirect("/new", 308), "/new": "there"}})
    assert (ask(web).status_code, ask(web).headers["Location"]) == (308, "/new")
    assert web.mount(requests.Session()).get(f"{HOST}/").text == "there"


@pytest.mark.parametrize(
    "error, raised",
    [
        ("timeout", requests.ReadTimeout),
        ("tls", requests.exceptions.SSLError),
        ("refused", requests.ConnectionError),
    ],
)
def test_an_error_is_raised_as_requests_does(error, raised):
    with pytest.raises(raised) as caught:
        one(Answer(error=error))
    assert type(caught.value) is raised
    assert caught.value.request.url == f"{HOST}/"


# -- asking again ---------------------------------------------------------------------------------------------

MAY, JUNE = "Mon, 04 May 2026 12:00:00 GMT", "Thu, 04 Jun 2026 12:00:00 GMT"


@pytest.mark.parametrize(
    "has, asked, status",
    [
        ({"ETag": '"a"'}, {"If-None-Match": '"a"'}, 304),
        ({"ETag": '"a"'}, {"If-None-Match": '"b", W/"a"'}, 304),
        ({"ETag": 'W/"a"'}, {"If-None-Match": '"a"'}, 304),
        ({"ETag": '"a"'}, {"If-None-Match": '"b"'}, 200),
        ({}, {"If-None-Match": '"a"'}, 200),
        ({"Last-Modified": MAY}, {"If-Modified-Since": MAY}, 304),
        ({"Last-Modified": MAY}, {"If-Modified-Since": JUNE}, 304),
        ({"Last-Modified": JUNE}, {"If-Modified-Since": MAY}, 200),
        ({"Last-Modified": "lately"}, {"If-Modified-Since": MAY}, 200),
        ({"Last-Modified": MAY}, {}, 200),
        ({"ETag": '"a"', "Last-Modified": MAY}, {"If-None-Match": '"b"', "If-Modified-Since": MAY}, 200),
    ],
)
def test_what_the_caller_has_already_answers_304(has, asked, status):
    response = one(Answer(body="body", headers=has), headers=asked)
    assert (response.status_code, response.text) == (status, "body" if status == 200 else "")


def test_only_a_200_can_become_a_304():
    answer = Answer(status=404, headers={"ETag": '"a"'})
    assert one(answer, headers={"If-None-Match": '"a"'}).status_code == 404


# -- what was asked, and when ---------------------------------------------------------------------------------


def test_requests_and_calls_tell_what_was_asked_in_order():
    web = FakeWeb({HOST: {"*": Answer(delay=2.0)}}, clock=FakeClock(NOON))
    ask(web, f"{HOST}/a")
    ask(web, f"{HOST}/b", method="HEAD")
    assert web.requests == [f"{HOST}/a", f"{HOST}/b"]
    assert [(call.method, call.at - NOON.timestamp()) for call in web.calls] == [("GET", 0.0), ("HEAD", 2.0)]


def test_what_was_refused_was_asked_too():
    web = FakeWeb({})
    with pytest.raises(requests.ConnectionError):
        ask(web)
    assert web.requests == [f"{HOST}/"]


@pytest.mark.parametrize("timeout", [3.0, (1.0, 3.0), Timeout(connect=1.0, read=3.0)])
def test_an_answer_later_than_the_caller_waits_never_comes(timeout):
    web = FakeWeb({HOST: {"/": Answer(delay=3.5)}}, clock=FakeClock(NOON))
    with pytest.raises(requests.ReadTimeout):
        ask(web, timeout=timeout)
    assert web.clock.now == NOON + timedelta(seconds=3)


def test_silence_lasts_as_long_as_the_caller_waits():
    web = FakeWeb({HOST: {"/": Answer(error="timeout")}}, clock=FakeClock(NOON))
    with pytest.raises(requests.ReadTimeout):
        ask(web, timeout=4)
    assert web.clock.now == NOON + timedelta(seconds=4)


def test_a_late_answer_within_the_timeout_comes():
    assert one(Answer(body="late", delay=3.0), timeout=4).text == "late"


# -- the clock ------------------------------------------------------------------------------------------------


def test_sleeping_moves_the_hands_and_is_noted():
    clock = FakeClock(NOON)
    before = clock.monotonic()
    clock.sleep(1.5)
    clock.advance(2.5)
    assert clock.slept == [1.5]
    assert clock.now == NOON + timedelta(seconds=4)
    assert clock.time() == NOON.timestamp() + 4
    assert clock.monotonic() - before == 4


def test_a_clock_starts_where_it_is_set():
    assert FakeClock(1_000.0).time() == 1_000.0
    assert FakeClock().now == datetime(2026, 1, 1, tzinfo=UTC)


def test_monotonic_is_no_time_of_day():
    assert FakeClock(NOON).monotonic() == FakeClock(0.0).monotonic()


@given(st.lists(st.floats(allow_nan=False, max_value=1e6), max_size=8))
def test_the_hands_never_go_back(sleeps):
    clock, shown = FakeClock(), []
    for seconds in sleeps:
        clock.sleep(seconds)
        shown.append(clock.monotonic())
    assert shown == sorted(shown)


def test_no_sleep_is_lost_between_threads():
    clock = FakeClock(0.0)
    threads = [threading.Thread(target=lambda: [clock.sleep(1) for _ in range(200)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (clock.time(), len(clock.slept)) == (800, 800)


# -- the polite session ---------------------------------------------------------------------------------------


def test_its_session_is_on_the_web_and_waits_on_its_clock_only():
    web = FakeWeb({HOST: {"*": "here"}})
    with web.session(pause=3_600) as session:
        session.get(f"{HOST}/a")
        assert session.get(f"{HOST}/b").body == b"here"
    assert web.requests[-2:] == [f"{HOST}/a", f"{HOST}/b"]
    assert sum(web.clock.slept) >= 3_600


def test_its_session_takes_the_options_of_any_other():
    web = FakeWeb({HOST: {"*": "here"}})
    with web.session(user_agent="kiosk-test/1") as session:
        session.get(f"{HOST}/")
    assert web.calls[-1].headers["User-Agent"] == "kiosk-test/1"


# -- bodies ---------------------------------------------------------------------------------------------------

AMPERSAND = "https://kiosk.example/a?b=1&c=<2>"
STORY = Article(url=AMPERSAND, title="Salt & <pepper>", published=NOON, modified=NOON, summary="Both", language="cy")


def test_a_page_advertises_its_feeds_and_has_its_links():
    html = page(["/one", AMPERSAND], feeds=["/f?a=1&b=2"], title="A & B", language="cy", head='<meta name="x">')
    read = parse_page(html.encode(), f"{HOST}/")
    assert [link.url for link in read.feeds] == [f"{HOST}/f?a=1&b=2"]
    assert read.links[0].url == f"{HOST}/one"
    assert len(read.links) == 2
    assert read.language == "cy"
    assert '<meta name="x">' in html


def test_a_feed_is_one():
    assert sniff_feed(feed([]).encode()) == "rss"
    item = ET.fromstring(feed([STORY], title="Salt")).find("channel/item")
    assert {child.tag: child.text for child in item} == {
        "title": "Salt & <pepper>",
        "link": AMPERSAND,
        "pubDate": "Mon, 04 May 2026 12:00:00 +0000",
        "description": "Both",
    }


def test_a_feed_leaves_out_what_a_story_does_not_tell():
    item = ET.fromstring(feed([Article(url="https://kiosk.example/")])).find("channel/item")
    assert [child.tag for child in item] == ["link"]


def test_a_urlset_gives_its_entries_back():
    read = parse_sitemap(urlset(["https://kiosk.example/a", STORY]).encode(), f"{HOST}/sitemap.xml")
    entries = list(read)
    assert read.kind == "urlset"
    assert (entries[0].url, entries[0].modified, entries[0].news) == (f"{HOST}/a", None, None)
    assert (entries[1].modified, entries[1].published) == (NOON, None)


def test_a_news_urlset_gives_titles_dates_and_languages():
    (entry,) = parse_sitemap(urlset([STORY], news="The Kiosk").encode(), f"{HOST}/news.xml")
    assert (entry.title, entry.published, entry.language) == ("Salt & <pepper>", NOON, "cy")
    assert entry.news is not None
    assert entry.news.publication == "The Kiosk"


def test_a_news_urlset_takes_bare_addresses():
    (entry,) = parse_sitemap(urlset([f"{HOST}/a"], news="The Kiosk").encode(), f"{HOST}/news.xml")
    assert (entry.url, entry.published) == (f"{HOST}/a", None)


def test_an_index_gives_its_children_back():
    xml = sitemap_index([f"{HOST}/a.xml", (f"{HOST}/b.xml", NOON)])
    read = parse_sitemap(xml.encode(), f"{HOST}/index.xml")
    assert [(entry.url, entry.modified) for entry in read] == [(f"{HOST}/a.xml", None), (f"{HOST}/b.xml", NOON)]
    assert read.kind == "index"
