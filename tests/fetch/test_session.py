"""What `get` and `stream` do with answers; the web is in a dict, and nobody waits."""

from __future__ import annotations

import gzip
import pickle
import zlib

import pytest

from sitediscover.errors import (
    BlockedAddress,
    BudgetSpent,
    CrawlDelayTooLong,
    DeadlineExceeded,
    NoConnection,
    RateLimited,
    RobotsDisallow,
    TlsFailure,
    TooManyRedirects,
    Unreachable,
    UnsupportedUrl,
)
from sitediscover.fetch import Hop, Ledger
from sitediscover.testing import Answer, FakeWeb, redirect

SITE = "https://news.example"
OPEN = {"/robots.txt": Answer(status=404)}


def web_of(paths=None, **others):
    hosts = {SITE: {**OPEN, **(paths or {})}}
    hosts |= {f"https://{name.replace('_', '.')}": {**OPEN, **web} for name, web in others.items()}
    return FakeWeb(hosts)


def answers(*replies):
    """Answer one after the other, the last one for ever."""
    left = list(replies)
    return lambda call: left.pop(0) if len(left) > 1 else left[0]


def paths_of(web):
    return [url.removeprefix(SITE) for url in web.requests]


# Answers.


def test_page_tells_where_it_came_from_and_what_it_is():
    web = web_of({"/a": Answer(body="hello", headers={"Content-Type": "text/html; Charset='UTF-8'", "ETag": '"1"'})})
    page = web.session().get("HTTPS://NEWS.example/a#top")
    assert (page.url, page.final_url, page.status, page.body) == (f"{SITE}/a", f"{SITE}/a", 200, b"hello")
    assert (page.hops, page.truncated, page.moved, page.gone, page.not_modified) == ((), False, None, False, False)
    assert page.charset == "UTF-8"
    assert page.headers["etag"] == page.headers["ETag"] == '"1"'
    assert set(page.headers) >= {"Content-Type", "ETag"}
    with pytest.raises(KeyError):
        page.headers["X-None"]
    assert pickle.loads(pickle.dumps(page)) == page
    assert "Content-Type" in repr(page.headers)


@pytest.mark.parametrize("status", [200, 202, 206, 300, 305, 401, 403, 404, 410, 418, 429, 451, 500, 502, 503, 999])
def test_every_status_is_a_page(status):
    page = web_of({"/a": Answer(status=status, body="x")}).session().get(f"{SITE}/a")
    assert (page.status, page.body, page.gone) == (status, b"x", status == 410)


def test_header_values_hold_no_control_characters():
    page = web_of({"/a": Answer(headers={"X": "a\r\n b\x00c"})}).session().get(f"{SITE}/a")
    assert page.headers["X"] == "a  b c"


def test_only_our_own_headers_are_sent():
    web = web_of({"/a": "x"})
    http = web.mount(__import__("requests").Session())
    http.auth, http.cookies["a"], http.headers["Authorization"] = ("me", "secret"), "b", "Basic x"
    web.session(http=http, user_agent="acme/1 (+https://acme.example)").get(f"{SITE}/a")
    for call in web.calls:
        assert dict(call.headers) == {
            "User-Agent": "acme/1 (+https://acme.example)",
            "Accept": "*/*",
            "Accept-Encoding": "gzip",
        }


def test_cookies_are_not_kept():
    web = web_of({"/a": Answer(headers={"Set-Cookie": "a=b; Path=/"})})
    session = web.session()
    session.get(f"{SITE}/a")
    session.get(f"{SITE}/a")
    assert all("Cookie" not in call.headers for call in web.calls)


def test_charset_is_none_where_none_is_named():
    assert web_of({"/a": Answer(headers={"Content-Type": "text/html"})}).session().get(f"{SITE}/a").charset is None


# Order, pauses, budget.


def test_robots_file_is_asked_first_once_and_everything_paused():
    web = web_of({"/a": "x", "/b": "y"})
    session = web.session(pause=2)
    session.get(f"{SITE}/a")
    session.get(f"{SITE}/b")
    assert paths_of(web) == ["/robots.txt", "/a", "/b"]
    assert web.clock.slept == [2.0, 2.0]


def test_crawl_delay_longer_than_the_pause_is_kept():
    web = web_of({"/robots.txt": "User-agent: *\nCrawl-delay: 30", "/a": "x"})
    web.session().get(f"{SITE}/a")
    assert web.clock.slept == [30.0]


def test_crawl_delay_shorter_than_the_pause_is_not_used():
    web = web_of({"/robots.txt": "User-agent: *\nCrawl-delay: 0.5", "/a": "x"})
    web.session().get(f"{SITE}/a")
    assert web.clock.slept == [1.0]


def test_crawl_delay_over_thirty_seconds_ends_it():
    web = web_of({"/robots.txt": "User-agent: *\nCrawl-delay: 31", "/a": "x"})
    with pytest.raises(CrawlDelayTooLong, match="31 s"):
        web.session().get(f"{SITE}/a")
    assert paths_of(web) == ["/robots.txt"]


def test_pauses_are_not_taken_off_the_deadline():
    web = web_of(
        {"/robots.txt": "User-agent: *\nCrawl-delay: 29", "/a": redirect("/b"), "/b": redirect("/c"), "/c": "x"}
    )
    assert web.session().get(f"{SITE}/a").body == b"x"
    assert web.clock.slept == [29.0] * 3


def test_robots_file_itself_is_always_allowed_and_asked_once():
    web = web_of({"/robots.txt": "User-agent: *\nDisallow: /"})
    assert web.session().get(f"{SITE}/robots.txt").status == 200
    assert paths_of(web) == ["/robots.txt"]


def test_closed_path_is_not_asked_however_it_is_written():
    web = web_of({"/robots.txt": "User-agent: *\nDisallow: /private/"})
    session = web.session()
    for path in ("/private/", "/open/../private/x", "/open/%2e%2e/private/x", "/%70rivate/x", "/./private/"):
        with pytest.raises(RobotsDisallow):
            session.get(SITE + path)
    assert paths_of(web) == ["/robots.txt"]


def test_rules_are_chosen_by_product_token():
    web = web_of({"/robots.txt": "User-agent: AcmeNews\nDisallow: /\n\nUser-agent: *\nDisallow:"})
    with pytest.raises(RobotsDisallow, match="AcmeNews"):
        web.session(user_agent="Mozilla/5.0 (compatible; AcmeNews/2.1; +https://a.example)").get(f"{SITE}/a")
    assert web.session().get(f"{SITE}/a").status == 404


def test_ledger_has_every_request_in_order_with_its_size_and_time():
    web = web_of({"/a": redirect("/b", 302), "/b": Answer(body="hello", delay=0.5)})
    ledger = Ledger(9)
    web.session().get(f"{SITE}/a", ledger=ledger, step="front-page")
    assert [(r.step, r.url.removeprefix(SITE), r.status, r.size, r.note) for r in ledger.requests] == [
        ("robots", "/robots.txt", 404, 0, ""),
        ("front-page", "/a", 302, 0, "redirect to /b"),
        ("front-page", "/b", 200, 5, ""),
    ]
    assert [r.seconds for r in ledger.requests] == [0.0, 0.0, 0.5]


def test_budget_counts_hops_retries_and_robots_files_and_is_never_overdrawn():
    web = web_of({"/a": redirect("/b"), "/b": redirect("/c"), "/c": "x"})
    ledger = Ledger(3)
    with pytest.raises(BudgetSpent):
        web.session().get(f"{SITE}/a", ledger=ledger)
    assert len(web.requests) == len(ledger.requests) == 3


def test_answer_is_returned_where_no_request_is_left_for_a_retry():
    web = web_of({"/a": Answer(status=500)})
    ledger = Ledger(2)
    assert web.session().get(f"{SITE}/a", ledger=ledger).status == 500
    assert len(web.requests) == 2


def test_private_ledger_has_the_sessions_budget():
    web = web_of({"/a": redirect("/b"), "/b": "x"})
    with pytest.raises(BudgetSpent):
        web.session(max_requests=2).get(f"{SITE}/a")


# Redirects.


def test_redirects_are_followed_and_told():
    web = web_of(
        {"/a": redirect("b?c#d", 301), "/b?c": redirect("https://www.news.example/", 308)}, www_news_example={"/": "x"}
    )
    page = web.session().get(f"{SITE}/a")
    assert page.hops == (
        Hop(url=f"{SITE}/a", status=301, location=f"{SITE}/b?c"),
        Hop(url=f"{SITE}/b?c", status=308, location="https://www.news.example/"),
    )
    assert (page.url, page.final_url, page.moved) == (
        f"{SITE}/a",
        "https://www.news.example/",
        "https://www.news.example/",
    )


@pytest.mark.parametrize("status", [302, 303, 307])
def test_temporary_hop_means_not_moved(status):
    web = web_of({"/a": redirect("/b"), "/b": redirect("/c", status), "/c": "x"})
    assert web.session().get(f"{SITE}/a").moved is None


def test_permanent_redirect_to_an_error_means_not_moved():
    assert web_of({"/a": redirect("/b")}).session().get(f"{SITE}/a").moved is None


def test_redirect_is_returned_where_none_is_to_be_followed():
    web = web_of({"/a": redirect("/b"), "/b": "x"})
    page = web.session().get(f"{SITE}/a", allow_redirects=False)
    assert (page.status, page.headers["Location"], page.final_url) == (301, "/b", f"{SITE}/a")


def test_robots_of_another_host_is_read_and_obeyed_before_the_hop():
    web = web_of(
        {"/a": redirect("https://www.news.example/x")}, www_news_example={"/robots.txt": "User-agent: *\nDisallow: /x"}
    )
    with pytest.raises(RobotsDisallow) as caught:
        web.session().get(f"{SITE}/a")
    assert caught.value.url == "https://www.news.example/x"
    assert web.requests == [f"{SITE}/robots.txt", f"{SITE}/a", "https://www.news.example/robots.txt"]


def test_closed_path_of_the_same_host_is_no_hop():
    web = web_of({"/robots.txt": "User-agent: *\nDisallow: /x", "/a": redirect("/x")})
    with pytest.raises(RobotsDisallow):
        web.session().get(f"{SITE}/a")


def test_five_hops_are_made_and_no_sixth():
    web = web_of({f"/{n}": redirect(f"/{n + 1}") for n in range(9)})
    with pytest.raises(TooManyRedirects, match="more than 5"):
        web.session().get(f"{SITE}/0")
    assert paths_of(web)[-1] == "/5"
    assert web.session().get(f"{SITE}/4").status == 404


def test_no_hops_are_made_where_none_are_allowed():
    with pytest.raises(TooManyRedirects):
        web_of({"/a": redirect("/b")}).session(max_redirects=0).get(f"{SITE}/a")


def test_circle_ends_at_once():
    web = web_of({"/a": redirect("/b"), "/b": redirect("/a#x")})
    with pytest.raises(TooManyRedirects, match="circle"):
        web.session().get(f"{SITE}/a")
    assert paths_of(web) == ["/robots.txt", "/a", "/b"]


@pytest.mark.parametrize(
    "location,error",
    [
        ("http://169.254.169.254/latest/meta-data/", BlockedAddress),
        ("http://localhost/", BlockedAddress),
        ("http://[::ffff:10.0.0.1]/", BlockedAddress),
        ("file:///etc/passwd", UnsupportedUrl),
        ("https://me:secret@news.example/", UnsupportedUrl),
        ("https://news.example:8443/", UnsupportedUrl),
        ("http://[", UnsupportedUrl),
    ],
)
def test_hop_that_is_never_made_is_refused_typed(location, error):
    web = web_of({"/a": redirect(location)})
    with pytest.raises(error):
        web.session().get(f"{SITE}/a")
    assert len(web.requests) == 2


def test_no_login_of_a_url_stands_in_an_error_or_in_the_log(caplog):
    caplog.set_level("DEBUG")
    web, ledger = web_of({"/a": redirect("https://me:s3cret@news.example/")}), Ledger(5)
    for url in (f"{SITE}/a", "https://me:s3cret@news.example/", "ftp://me:s3cret@news.example/"):
        with pytest.raises(UnsupportedUrl) as caught:
            web.session().get(url, ledger=ledger)
        assert "s3cret" not in f"{caught.value}{caught.value!r}{ledger.requests}{caplog.text}"
    assert ledger.requests[-1].note == "redirect to https://...@news.example/"


@pytest.mark.parametrize("location", ["", "   "])
def test_redirect_to_nowhere_is_a_page_without_a_body(location):
    web = web_of({"/a": Answer(status=302, headers={"Location": location}, body="x")})
    ledger = Ledger(5)
    page = web.session().get(f"{SITE}/a", ledger=ledger)
    assert (page.status, page.body) == (302, b"")
    assert ledger.requests[-1].note == "redirect to nowhere"


@pytest.mark.parametrize(
    "url", ["ftp://news.example/", "https://me@news.example/", "news.example", "https://news.example:444/"]
)
def test_url_that_is_never_asked_costs_nothing(url):
    web = web_of()
    ledger = Ledger(5)
    for ask in (web.session().get, web.session().stream, web.session().robots):
        with pytest.raises(UnsupportedUrl):
            ask(url, ledger=ledger)
    assert web.requests == [] == list(ledger.requests)


def test_url_can_be_checked_without_asking_anything():
    web = web_of()
    assert web.session().check("HTTPS://News.example/a#b") == f"{SITE}/a"
    with pytest.raises(BlockedAddress):
        web.session().check("http://127.1/")
    assert web.requests == []


def test_special_host_is_not_asked_on_a_callers_adapter_either():
    web = FakeWeb({"http://192.168.7.9": {"*": "x"}})
    with pytest.raises(BlockedAddress):
        web.session().get("http://192.168.7.9/")
    assert web.session(allow_private=True).get("http://192.168.7.9/").body == b"x"


# Conditional requests.


def test_validators_are_sent_and_304_is_a_success():
    web = web_of({"/a": Answer(body="x", headers={"ETag": '"1"'})})
    page = web.session().get(f"{SITE}/a", etag='"1"', last_modified="Thu, 01 Jan 2026 00:00:00 GMT")
    assert (page.status, page.not_modified, page.body) == (304, True, b"")
    assert web.calls[-1].headers["If-None-Match"] == '"1"'
    assert web.calls[-1].headers["If-Modified-Since"] == "Thu, 01 Jan 2026 00:00:00 GMT"
    assert "If-None-Match" not in web.calls[0].headers


def test_304_that_nobody_asked_for_is_no_success():
    assert not web_of({"/a": Answer(status=304)}).session().get(f"{SITE}/a").not_modified


@pytest.mark.parametrize("etag", ['"a"\r\nX-Evil: 1', '"\x00"', '"\u65e5"', "", "  ", '"' + "a" * 5_000 + '"'])
def test_validator_that_can_be_no_header_is_not_sent(etag):
    web = web_of({"/a": "x"})
    assert web.session().get(f"{SITE}/a", etag=etag).body == b"x"
    assert "If-None-Match" not in web.calls[-1].headers


def test_blanks_around_a_validator_are_taken_off():
    web = web_of({"/a": "x"})
    web.session().get(f"{SITE}/a", etag=' "1" ')
    assert web.calls[-1].headers["If-None-Match"] == '"1"'


# Retries and rest.


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504])
def test_error_that_may_pass_is_asked_again_at_most_twice(status):
    web = web_of({"/a": Answer(status=status)})
    assert web.session().get(f"{SITE}/a").status == status
    assert paths_of(web) == ["/robots.txt", "/a", "/a", "/a"]
    assert sum(web.clock.slept) >= 1 + 0.5 + 1


def test_answer_after_a_retry_is_the_answer():
    web = web_of({"/a": answers(Answer(status=500), Answer(body="x"))})
    assert web.session().get(f"{SITE}/a").body == b"x"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 429, 451])
def test_refusal_is_never_asked_again(status):
    web = web_of({"/a": Answer(status=status)})
    web.session().get(f"{SITE}/a")
    assert paths_of(web) == ["/robots.txt", "/a"]


@pytest.mark.parametrize(
    "kind,error,requests",
    [("refused", NoConnection, 3), ("tls", TlsFailure, 1), ("timeout", DeadlineExceeded, 1)],
)
def test_no_answer_is_typed_and_only_a_refused_connection_tried_again(kind, error, requests):
    web = web_of({"/a": Answer(error=kind)})
    ledger = Ledger(9)
    with pytest.raises(error):
        web.session().get(f"{SITE}/a", ledger=ledger)
    assert len(web.requests) - 1 == requests
    assert all(r.status is None and r.note.startswith(error.__name__) for r in ledger.requests[1:])


def test_503_with_a_short_rest_is_waited_for():
    web = web_of({"/a": answers(Answer(status=503, headers={"Retry-After": "7"}), Answer(body="x"))})
    assert web.session().get(f"{SITE}/a").body == b"x"
    assert web.clock.slept == [1.0, 7.0]


def test_503_with_a_long_rest_skips_that_address_only():
    web = web_of({"/a": Answer(status=503, headers={"Retry-After": "3600"}), "/b": "x"})
    session = web.session()
    assert session.get(f"{SITE}/a").status == 503
    assert session.get(f"{SITE}/b").body == b"x"
    with pytest.raises(Unreachable, match="503 a while ago"):
        session.get(f"{SITE}/a")
    assert paths_of(web) == ["/robots.txt", "/a", "/b"]
    web.clock.advance(3600)
    session.get(f"{SITE}/a")
    assert paths_of(web)[-1] == "/a"


def test_429_with_a_short_rest_makes_the_host_wait():
    web = web_of({"/a": Answer(status=429, headers={"Retry-After": "9"}), "/b": "x"})
    session = web.session()
    assert session.get(f"{SITE}/a").status == 429
    assert session.get(f"{SITE}/b").body == b"x"
    assert web.clock.slept == [1.0, 9.0]


@pytest.mark.parametrize("header", [{"Retry-After": "600"}, {"Retry-After": "Thu, 01 Jan 2026 00:10:01 GMT"}, {}])
def test_429_with_a_long_rest_or_none_ends_the_host(header):
    web = web_of({"/a": Answer(status=429, headers=header), "/b": "x"})
    session = web.session()
    assert session.get(f"{SITE}/a").status == 429
    with pytest.raises(RateLimited) as caught:
        session.get(f"{SITE}/b")
    assert caught.value.retry_after == pytest.approx(600 if header else 60)
    web.clock.advance(601)
    assert session.get(f"{SITE}/b").body == b"x"


def test_deadline_bounds_all_hops_together():
    web = web_of({"/a": Answer(status=302, headers={"Location": "/b"}, delay=5), "/b": Answer(body="x", delay=6)})
    with pytest.raises(DeadlineExceeded):
        web.session(deadline=10).get(f"{SITE}/a")


def test_no_request_is_sent_once_the_deadline_is_over():
    web = web_of({"/robots.txt": Answer(status=404, delay=5), "/a": "x"})
    with pytest.raises(DeadlineExceeded):
        web.session(deadline=5).get(f"{SITE}/a")
    assert paths_of(web) == ["/robots.txt"]


def test_retry_that_would_end_after_the_deadline_is_not_made():
    web = web_of({"/a": Answer(status=500)})
    assert web.session(deadline=0.4).get(f"{SITE}/a").status == 500
    assert paths_of(web) == ["/robots.txt", "/a"]


def test_interrupted_request_stands_in_the_log_and_holds_nobody_up():
    def interrupt(call):
        raise KeyboardInterrupt

    web = web_of({"/a": interrupt, "/b": "x"})
    session, ledger = web.session(), Ledger(9)
    with pytest.raises(KeyboardInterrupt):
        session.get(f"{SITE}/a", ledger=ledger)
    assert ledger.requests[-1].note == "interrupted"
    assert session.get(f"{SITE}/b").body == b"x"


def test_interrupt_while_a_body_is_read_holds_nobody_up():
    class Interrupted:
        def read(self, size):
            raise KeyboardInterrupt

        def close(self):
            """There is nothing to close."""

    web = web_of({"/a": "x"})
    session, send = web.session(), web.adapter.send

    def interrupted(request, **options):
        response = send(request, **options)
        response.raw = Interrupted()
        return response

    session.robots(SITE)
    web.adapter.send = interrupted
    with pytest.raises(KeyboardInterrupt):
        session.get(f"{SITE}/a")
    web.adapter.send = send
    assert session.get(f"{SITE}/a").body == b"x"


# Bodies.


def test_body_is_cut_at_its_limit_and_says_so():
    web = web_of({"/a": "x" * 3000, "/b": gzip.compress(b"x" * 3000)})
    session, ledger = web.session(max_body=2048), Ledger(9)
    for path in ("/a", "/b"):
        page = session.get(SITE + path, ledger=ledger)
        assert (len(page.body), page.truncated) == (2048, True)
        assert ledger.requests[-1].note == "cut at 2 KiB"
    assert len(session.get(f"{SITE}/a", max_bytes=10).body) == 10
    assert session.get(f"{SITE}/a", max_bytes=3000).truncated is False


@pytest.mark.parametrize(
    "coding,pack",
    [
        ("gzip", gzip.compress),
        ("x-gzip", gzip.compress),
        ("GZIP", gzip.compress),
        ("identity", bytes),
        ("", gzip.compress),
        ("gzip", bytes),
        ("deflate", zlib.compress),
        ("deflate", lambda data: zlib.compress(data, wbits=-15)),
        ("gzip", lambda data: gzip.compress(gzip.compress(data))),
        ("gzip, gzip", lambda data: gzip.compress(gzip.compress(data))),
        ("deflate, gzip", lambda data: gzip.compress(zlib.compress(data))),
        ("deflate", lambda data: zlib.compress(gzip.compress(data))),
        ("utf-8", bytes),
    ],
)
def test_body_is_inflated_by_what_it_is(coding, pack):
    body = b"<urlset>" * 20_000
    web = web_of({"/a": Answer(body=pack(body), headers={"Content-Encoding": coding})})
    page = web.session().get(f"{SITE}/a")
    assert page.body == body
    assert not page.truncated
    with web.session().stream(f"{SITE}/a") as stream:
        assert b"".join(stream) == body


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, br", "gzip, gzip, gzip"])
def test_coding_that_was_not_asked_for_is_unreachable_never_garbage(coding):
    web = web_of({"/a": Answer(body="x", headers={"Content-Encoding": coding})})
    with pytest.raises(Unreachable, match="coding"):
        web.session().get(f"{SITE}/a")
    stream = web.session().stream(f"{SITE}/a")
    assert (list(stream), stream.truncated, type(stream.error)) == ([], True, Unreachable)


def test_refusal_in_a_foreign_coding_is_still_a_refusal():
    web = web_of({"/a": Answer(status=403, body="x", headers={"Content-Encoding": "br"})})
    page = web.session().get(f"{SITE}/a")
    assert (page.status, page.body, page.truncated) == (403, b"", True)


def test_third_layer_of_gzip_is_unreachable():
    body = gzip.compress(gzip.compress(gzip.compress(b"x")))
    with pytest.raises(Unreachable, match="2 layers"):
        web_of({"/a": body}).session().get(f"{SITE}/a")


def test_gzip_that_ends_early_gives_what_it_held():
    body = gzip.compress(b"".join(b"%d," % n for n in range(9999)))[:-200]
    page = web_of({"/a": body}).session().get(f"{SITE}/a")
    assert page.body.startswith(b"0,1,2,3,")
    assert page.truncated


def test_deflate_is_read_whole_broken_cut_and_capped():
    plain = b"".join(b"%d," % number for number in range(99_999))
    whole = zlib.compress(plain)
    cases = {"/whole": whole, "/cut": whole[:-500], "/broken": whole[:9000] + b"\xff" * 9000}
    headers = {"Content-Encoding": "deflate"}
    session = web_of({path: Answer(body=body, headers=headers) for path, body in cases.items()}).session()
    pages = {path: session.get(SITE + path) for path in cases}
    assert pages["/whole"].body == plain
    assert {path: page.truncated for path, page in pages.items()} == {
        "/whole": False,
        "/cut": True,
        "/broken": True,
    }
    assert plain.startswith(pages["/cut"].body)
    capped = session.get(f"{SITE}/whole", max_bytes=300_000)
    assert (capped.body, capped.truncated) == (plain[:300_000], True)


@pytest.mark.parametrize(
    "coding,body",
    [
        ("gzip", gzip.compress(b"hello")[:10]),
        ("", gzip.compress(b"hello")[:10]),
        ("gzip", zlib.compress(b"hello" * 99)),
        ("deflate", b"x"),
        ("deflate", b"\x00\x01\x02\x03"),
    ],
)
def test_compression_that_holds_nothing_is_no_empty_page(coding, body):
    session = web_of({"/a": Answer(body=body, headers={"Content-Encoding": coding})}).session()
    with pytest.raises(Unreachable):
        session.get(f"{SITE}/a")
    stream = session.stream(f"{SITE}/a")
    assert (list(stream), stream.truncated) == ([], True)


@pytest.mark.parametrize(
    "text", [b"hello, world", b"\xef\xbb\xbf<html>", "<p>caf\xe9".encode("latin-1"), b"\n\t<p>\n" * 99]
)
@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_text_that_is_called_compressed_is_text(coding, text):
    page = web_of({"/a": Answer(body=text, headers={"Content-Encoding": coding})}).session().get(f"{SITE}/a")
    assert (page.body, page.truncated) == (text, False)


@pytest.mark.parametrize("most", [0, -1])
def test_limit_that_makes_no_sense_is_refused(most):
    session = web_of({"/a": "x"}).session()
    for ask in (session.get, session.stream):
        with pytest.raises(ValueError, match="max_bytes"):
            ask(f"{SITE}/a", max_bytes=most)


def test_headers_can_be_counted():
    assert len(web_of({"/a": "x"}).session().get(f"{SITE}/a").headers) == 2


# Streams.


def test_stream_has_the_head_of_a_page_and_yields_chunks():
    web = web_of(
        {"/a": redirect("/b"), "/b": Answer(body=b"x" * 200_000, headers={"Content-Type": "text/xml; charset=x"})}
    )
    ledger = Ledger(9)
    stream = web.session().stream(f"{SITE}/a", ledger=ledger)
    assert (stream.url, stream.final_url, stream.status, stream.moved) == (f"{SITE}/a", f"{SITE}/b", 200, f"{SITE}/b")
    assert (stream.gone, stream.not_modified, stream.charset, len(stream.hops)) == (False, False, "x", 1)
    assert stream.headers["content-type"].startswith("text/xml")
    chunks = list(stream)
    assert max(map(len, chunks)) <= 65_536
    assert sum(map(len, chunks)) == ledger.requests[-1].size == 200_000
    assert (stream.truncated, stream.error, list(stream)) == (False, None, [])


def test_stream_is_cut_at_its_limit():
    web = web_of({"/a": b"x" * 5000})
    session = web.session(max_sitemap=3000)
    stream = session.stream(f"{SITE}/a")
    assert (sum(map(len, stream)), stream.truncated) == (3000, True)
    assert sum(map(len, session.stream(f"{SITE}/a", max_bytes=10))) == 10


def test_stream_that_is_dropped_half_read_leaves_no_file_open():
    web = web_of({"/a": b"x" * (3 * 2**20)})
    stream = web.session().stream(f"{SITE}/a")
    body = stream._body
    assert len(next(iter(stream))) == 65_536
    del stream
    assert body.closed


def test_stream_closes_itself_where_its_reader_fails():
    web = web_of({"/a": b"x" * (3 * 2**20)})
    with pytest.raises(LookupError), web.session().stream(f"{SITE}/a") as stream:
        raise LookupError
    assert stream._body.closed
    assert list(stream) == []


def test_host_can_be_asked_while_a_stream_of_it_is_open():
    web = web_of({"/a": b"x" * (3 * 2**20), "/b": "y"})
    session = web.session()
    with session.stream(f"{SITE}/a") as stream:
        next(iter(stream))
        assert session.get(f"{SITE}/b").body == b"y"


def test_stream_passes_validators_and_tells_what_is_gone():
    web = web_of({"/a": Answer(body="x", headers={"ETag": '"1"'}), "/b": Answer(status=410)})
    assert web.session().stream(f"{SITE}/a", etag='"1"').not_modified
    assert web.session().stream(f"{SITE}/b").gone
