"""Sessions and transports of the caller's own."""

from __future__ import annotations

import gzip
import io
import ssl
import zlib

import pytest
import requests
import requests_cache
from requests.adapters import BaseAdapter, HTTPAdapter
from urllib3 import HTTPResponse

from sitediscover.errors import BlockedAddress, NoConnection, TooManyRedirects, Unreachable, UnsupportedUrl
from sitediscover.fetch import Ledger, PoliteSession
from sitediscover.fetch.door import Door, as_sent, prepared
from sitediscover.fetch.faults import fault, in_short
from sitediscover.testing import Answer, FakeWeb, redirect

SITE = "https://news.example"
HERE = {"pause": 0, "timeout": 1.0, "deadline": 2.0, "allow_private": True}


# requests-cache.


@pytest.fixture
def cached():
    with requests_cache.CachedSession(backend="memory", expire_after=3600, allowable_codes=(200, 301)) as http:
        yield http


def test_cached_answer_costs_no_request_no_pause_and_is_noted(cached):
    web = FakeWeb({SITE: {"/a": "x", "/b": redirect("/a")}})
    web.mount(cached)
    session, ledger = web.session(http=cached), Ledger(9)
    first = session.get(f"{SITE}/b", ledger=ledger)
    spent, slept, asked = ledger.spent, list(web.clock.slept), len(web.requests)
    again = session.get(f"{SITE}/b", ledger=ledger)
    assert (again.body, again.final_url, again.hops) == (first.body, first.final_url, first.hops)
    assert (ledger.spent, web.clock.slept) == (spent, slept)
    hits = [request.note for request in ledger.requests if request.note.startswith("from the cache")]
    assert len(hits) == len(ledger.requests) - spent == 2
    assert len(web.requests) == asked == spent


def test_cached_session_is_guarded_on_every_connection(cached, dns):
    dns["inside.example"] = ["127.0.0.1"]
    with PoliteSession(http=cached, pause=0) as session, pytest.raises(BlockedAddress):
        session.get("http://inside.example/")


def test_cached_session_takes_bodies_bounded_and_inflated(cached, serve):
    bomb = gzip.compress(b"\0" * 2**20, 9) * 200
    server = serve({"/a": lambda handler: handler.answer(200, bomb, [("Content-Encoding", "gzip")])})
    with PoliteSession(http=cached, **HERE, max_body=10_000) as session:
        for _ in range(2):  # from the server, then from the cache
            page = session.get(f"{server.url}/a")
            assert (page.body, page.truncated) == (b"\0" * 10_000, True)
        stream = session.stream(f"{server.url}/a")
        assert sum(map(len, stream)) == 10_000
        assert stream.truncated
    assert [path for path, *_ in server.seen] == ["/robots.txt", "/a"]


def test_mark_of_a_cut_is_not_believed_when_a_server_sends_it(cached, serve):
    server = serve({"/a": lambda handler: handler.answer(200, b"x", [("X-Sitediscover-Cut", "lie")])})
    for http in (cached, None):
        with PoliteSession(http=http, **HERE) as session:
            assert not session.get(f"{server.url}/a").truncated


def test_cached_session_never_reads_a_redirects_body(cached, serve):
    sent = []

    def bomb(handler):
        handler.send_response(302)
        handler.send_header("Location", "/a")
        handler.end_headers()
        try:
            while len(sent) < 4_000:
                handler.wfile.write(b"x" * 65_536)
                sent.append(65_536)
        except OSError:
            pass

    server = serve({"/a": bomb})
    with PoliteSession(http=cached, **HERE) as session, pytest.raises(TooManyRedirects):
        session.get(f"{server.url}/a")
    assert len(sent) < 200


def test_cached_session_does_not_keep_what_did_not_end(cached, serve):
    replies = [(b"Content-Encoding: br\r\n", b"\x00\x01"), (b"", b"ok")]

    def answer(handler):
        header, body = replies.pop(0)
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n%s\r\n%s" % (len(body), header, body))

    server = serve({"/a": answer})
    with PoliteSession(http=cached, **HERE) as session:
        with pytest.raises(Unreachable):
            session.get(f"{server.url}/a")
        assert session.get(f"{server.url}/a").body == b"ok"


def test_revalidated_answer_counts_as_a_request(serve):
    def answer(handler):
        fresh = handler.headers.get("If-None-Match") == '"1"'
        handler.answer(304 if fresh else 200, b"" if fresh else b"x", [("ETag", '"1"'), ("Cache-Control", "max-age=0")])

    server = serve({"/a": answer})
    with (
        requests_cache.CachedSession(backend="memory", cache_control=True) as http,
        PoliteSession(http=http, **HERE) as session,
    ):
        ledger = Ledger(9)
        assert session.get(f"{server.url}/a", ledger=ledger).body == b"x"
        assert session.get(f"{server.url}/a", ledger=ledger).body == b"x"
    assert ledger.spent == len(server.seen) == 3


# Other adapters.


class Odd(BaseAdapter):
    """Answers with whatever `make` puts into the response."""

    def __init__(self, make):
        super().__init__()
        self.make = make

    def send(self, request, **options):
        response = requests.Response()
        response.url, response.request, response.status_code, response.connection = request.url, request, 200, self
        if request.url.endswith("/robots.txt"):
            response.status_code, response.raw = 404, io.BytesIO(b"")
        else:
            self.make(response)
        return response

    def close(self):
        """There is nothing to close."""


def session_with(make, **options):
    http = requests.Session()
    http.mount("https://", Odd(make))
    return PoliteSession(http=http, pause=0, **options)


def set_content(response):
    response._content, response._content_consumed = b"hello", True


def set_file(response):
    response.raw = io.BytesIO(gzip.compress(b"hello"))


class OnlyRead:
    def __init__(self, data):
        self.data = data
        self.closed_by_us = False

    def read(self, size):
        piece, self.data = self.data[:size], self.data[size:]
        return piece

    def close(self):
        self.closed_by_us = True


def set_reader(response):
    response.raw = OnlyRead(b"hello")


def set_urllib3(response):
    response.headers["Content-Encoding"] = "gzip"
    response.raw = HTTPResponse(
        body=io.BytesIO(gzip.compress(b"hello")), headers=response.headers, status=200, preload_content=False
    )


@pytest.mark.parametrize("make", [set_content, set_file, set_reader, set_urllib3])
def test_body_is_read_however_an_adapter_gives_it(make):
    with session_with(make) as session:
        assert session.get(f"{SITE}/a").body == b"hello"


def test_answer_without_a_body_at_all_is_empty():
    with session_with(lambda response: None) as session:
        assert session.get(f"{SITE}/a").body == b""


def test_adapter_that_takes_too_long_over_its_body_is_ended():
    class Slow(OnlyRead):
        def read(self, size):
            clock.advance(3)
            return b"x"

    clock = FakeWeb({}).clock
    with (
        session_with(lambda response: setattr(response, "raw", Slow(b"")), clock=clock) as session,
        pytest.raises(Unreachable, match="within 30 s"),
    ):
        session.get(f"{SITE}/a")


def test_programming_error_of_an_adapter_is_not_hidden():
    def fail(response):
        raise ZeroDivisionError

    with session_with(fail) as session, pytest.raises(ZeroDivisionError):
        session.get(f"{SITE}/a")


def test_own_kind_of_http_adapter_is_used_as_it_is(serve):
    class Counting(HTTPAdapter):
        count = 0

        def send(self, *args, **options):
            Counting.count += 1
            return super().send(*args, **options)

    server = serve({"/a": b"x"})
    with requests.Session() as http:
        http.mount("http://", Counting())
        with PoliteSession(http=http, **HERE) as session:
            ledger = Ledger(5)
            assert session.get(f"{server.url}/a", ledger=ledger).body == b"x"
    assert Counting.count == ledger.spent == 2


def test_transports_error_is_translated_and_its_text_kept_short():
    web = FakeWeb({})
    with pytest.raises(NoConnection) as caught:
        web.session().get(f"{SITE}/a")
    assert len(caught.value.detail) < 200


def test_text_from_outside_is_one_short_line():
    assert in_short("a\r\nb\x00\x9b\u202e") == "a  b   "
    assert len(in_short("x" * 5000)) == 120
    assert in_short(ValueError()) == "ValueError"


def test_unknown_error_is_unreachable_and_not_tried_again():
    found, again = fault(ValueError("odd"), SITE)
    assert (type(found), again) == (Unreachable, False)


def test_chain_of_causes_that_is_a_circle_ends():
    one, other = ValueError("one"), ValueError("other")
    one.__cause__, other.__cause__ = other, one
    assert fault(one, SITE)[0].detail.endswith("other")


@pytest.mark.parametrize("handled", [ssl.SSLError("another"), TimeoutError("another"), KeyboardInterrupt()])
def test_what_the_caller_is_handling_is_no_cause(handled):
    web = FakeWeb({SITE: {"/a": Answer(error="refused")}})
    try:
        raise handled  # noqa: TRY301 - a caller's
    except BaseException:  # noqa: BLE001 - the same
        with pytest.raises(NoConnection, match="refused"):
            web.session().get(f"{SITE}/a")


def test_interrupt_that_a_library_takes_for_a_fault_on_the_wire_is_one():
    def send(*args, **options):
        try:
            raise KeyboardInterrupt
        finally:
            raise requests.ConnectionError("the pool is in disorder")

    web = FakeWeb({SITE: {"/a": "x"}})
    session, ledger = web.session(), Ledger(5)
    session.robots(SITE)
    web.adapter.send = send
    with pytest.raises(KeyboardInterrupt):
        session.get(f"{SITE}/a", ledger=ledger)
    assert ledger.requests[-1].note == "interrupted"


@pytest.mark.parametrize("error", [zlib.error("bad block"), EOFError("no more")])
def test_error_that_an_adapters_reader_raises_is_translated(error):
    class Breaks:
        def read(self, size):
            raise error

        def close(self):
            """There is nothing to close."""

    def send(request, **options):
        response = requests.Response()
        response.status_code, response.url, response.raw = 200, request.url, Breaks()
        return response

    web = FakeWeb({SITE: {"/a": "x"}})
    session = web.session()
    session.robots(SITE)
    web.adapter.send = send
    with pytest.raises(Unreachable):
        session.get(f"{SITE}/a")


def test_url_that_requests_refuses_is_unsupported():
    with pytest.raises(UnsupportedUrl):
        as_sent("https://*.example/")


def test_answer_in_time_is_whole_on_a_slow_clock():
    web = FakeWeb({SITE: {"/a": Answer(body="x", delay=29)}})
    assert web.session(timeout=30).get(f"{SITE}/a").body == b"x"


def test_a_proxy_that_the_environment_names_later_is_used_from_then_on(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    door, request = Door(None, None), prepared("http://paper.example/", {})
    assert door._settings(request)["proxies"] == {}
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example:3128")
    assert door._settings(request)["proxies"]["http"] == "http://proxy.example:3128"
    monkeypatch.setenv("no_proxy", "paper.example")
    assert door._settings(request)["proxies"] == {}
    door.close()
