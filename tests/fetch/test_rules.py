"""robots.txt: when it is asked, how long it is kept, and what its answers mean (RFC 9309)."""

from __future__ import annotations

import gzip
import threading
import zlib

import pytest

from sitediscover.errors import (
    BlockedAddress,
    BudgetSpent,
    DeadlineExceeded,
    NoConnection,
    RateLimited,
    RobotsDisallow,
    RobotsUnreachable,
    TlsFailure,
    Unreachable,
    UnsupportedUrl,
)
from sitediscover.fetch import Ledger
from sitediscover.testing import Answer, FakeWeb, redirect

SITE = "https://news.example"
WWW = "https://www.news.example"
CLOSED = "User-agent: *\nDisallow: /\nSitemap: /map.xml\n"
HOUR = 3600


def web_of(robots, **others):
    web = {SITE: {"/robots.txt": robots, "/": "front"}}
    return FakeWeb(web | {f"https://{name.replace('_', '.')}": paths for name, paths in others.items()})


def closes(session, url=f"{SITE}/"):
    return not session.robots(url).allows(url)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 451])
def test_4xx_means_no_rules_whatever_its_body_says(status):
    session = web_of(Answer(status=status, body=CLOSED)).session()
    assert not closes(session)
    assert session.robots(SITE).sitemaps == ()


@pytest.mark.parametrize("status", [500, 502, 503, 504, 599, 999, 101])
def test_5xx_and_what_is_no_status_mean_stay_out(status):
    session = web_of(Answer(status=status)).session()
    with pytest.raises(RobotsUnreachable, match=str(status)):
        session.get(f"{SITE}/")


def test_429_means_stay_out_for_as_long_as_it_says():
    web = web_of(Answer(status=429, headers={"Retry-After": "100"}))
    session = web.session()
    with pytest.raises(RateLimited) as caught:
        session.get(f"{SITE}/")
    assert caught.value.retry_after == 100
    web.clock.advance(60)
    with pytest.raises(RateLimited) as caught:
        session.robots(SITE)
    assert caught.value.retry_after == pytest.approx(40)
    assert len(web.requests) == 1
    web.clock.advance(41)
    with pytest.raises(RateLimited):
        session.robots(SITE)
    assert len(web.requests) == 2


@pytest.mark.parametrize("kind,error", [("refused", NoConnection), ("tls", TlsFailure), ("timeout", DeadlineExceeded)])
def test_no_answer_means_stay_out(kind, error):
    session = web_of(Answer(error=kind)).session()
    for _ in range(2):
        with pytest.raises(error) as caught:
            session.get(f"{SITE}/")
        assert caught.value.url == f"{SITE}/robots.txt"


def test_page_in_place_of_rules_means_no_rules():
    page = "<!doctype html><title>app</title><p>User-agent: *\nDisallow: /"
    assert not closes(web_of(page).session())


def test_redirect_that_leads_to_4xx_means_no_rules():
    assert not closes(web_of(redirect("/missing")).session())


def test_redirect_that_leads_nowhere_means_no_rules():
    assert not closes(web_of(Answer(status=302)).session())


@pytest.mark.parametrize("location", ["http://10.0.0.1/robots.txt", "http://localhost/robots.txt"])
def test_redirect_to_a_special_address_means_stay_out(location):
    web = web_of(redirect(location))
    with pytest.raises(BlockedAddress):
        web.session().get(f"{SITE}/")
    assert len(web.requests) == 1


def test_redirect_that_is_never_followed_means_stay_out():
    with pytest.raises(UnsupportedUrl):
        web_of(redirect("ftp://news.example/robots.txt")).session().get(f"{SITE}/")


def test_five_hops_are_followed_and_a_sixth_means_no_rules():
    hops = {"/robots.txt": redirect("/1"), **{f"/{n}": redirect(f"/{n + 1}") for n in range(1, 5)}}
    five = FakeWeb({SITE: {**hops, "/5": CLOSED}})
    six = FakeWeb({SITE: {**hops, "/5": redirect("/6"), "/6": CLOSED}})
    assert closes(five.session())
    assert not closes(six.session())
    assert len(six.requests) == 6


def test_circle_of_redirects_means_no_rules():
    circle = FakeWeb({SITE: {"/robots.txt": redirect("/a"), "/a": redirect("/robots.txt")}})
    assert not closes(circle.session())
    assert len(circle.requests) == 2


def test_rules_behind_a_redirect_bind_the_first_host():
    web = web_of(
        redirect("https://host.example/tenants/news.txt"), host_example={"/tenants/news.txt": CLOSED, "/": "x"}
    )
    session = web.session()
    assert closes(session)
    assert session.robots(SITE).sitemaps == ("https://host.example/map.xml",)
    assert session.get("https://host.example/").body == b"x"  # its own file says nothing
    assert "https://host.example/robots.txt" in web.requests


def test_own_file_of_another_host_met_on_the_way_is_not_asked_again():
    web = web_of(redirect(f"{WWW}/robots.txt"), www_news_example={"/robots.txt": CLOSED})
    session = web.session()
    assert closes(session)
    assert closes(session, f"{WWW}/")
    assert web.requests == [f"{SITE}/robots.txt", f"{WWW}/robots.txt"]


def test_own_file_of_another_host_known_already_is_not_asked_again():
    web = web_of(redirect(f"{WWW}/robots.txt"), www_news_example={"/robots.txt": CLOSED})
    session = web.session()
    assert closes(session, f"{WWW}/")
    assert closes(session)
    assert web.requests == [f"{WWW}/robots.txt", f"{SITE}/robots.txt"]


def test_error_of_another_hosts_file_holds_for_both():
    web = web_of(redirect(f"{WWW}/robots.txt"), www_news_example={"/robots.txt": Answer(status=500)})
    session = web.session()
    for url in (SITE, WWW, SITE):
        with pytest.raises(RobotsUnreachable):
            session.robots(url)
    assert len(web.requests) == 4  # the redirect, and three tries


def test_rules_are_kept_for_a_day():
    web = web_of(CLOSED)
    session = web.session()
    assert closes(session)
    web.clock.advance(24 * HOUR - 1)
    assert closes(session)
    assert len(web.requests) == 1
    web.clock.advance(2)
    assert closes(session)
    assert len(web.requests) == 2


def test_file_known_by_way_of_another_host_is_not_kept_longer_for_it():
    web = web_of(redirect(f"{WWW}/robots.txt"), www_news_example={"/robots.txt": CLOSED})
    session = web.session()
    assert closes(session, f"{WWW}/")
    web.clock.advance(24 * HOUR - 60)
    assert closes(session)
    web.clock.advance(70)
    assert closes(session)
    assert web.requests.count(f"{WWW}/robots.txt") == 2


def test_5xx_is_kept_for_an_hour():
    web = web_of(Answer(status=500))
    session = web.session()
    for advance, requests in ((0, 3), (HOUR - 60, 3), (61, 6)):
        web.clock.advance(advance)
        with pytest.raises(RobotsUnreachable):
            session.robots(SITE)
        assert len(web.requests) == requests


def test_no_connection_is_kept_for_less_than_an_hour():
    web = web_of(Answer(error="refused"))
    session = web.session()
    for advance, requests in ((0, 3), (200, 3), (101, 6)):
        web.clock.advance(advance)
        with pytest.raises(NoConnection):
            session.robots(SITE)
        assert len(web.requests) == requests


def test_scheme_and_host_have_their_own_file():
    web = FakeWeb({SITE: {"/robots.txt": CLOSED}, "http://news.example": {}, WWW: {}})
    session = web.session()
    assert closes(session)
    assert not closes(session, "http://news.example/")
    assert not closes(session, f"{WWW}/")


def test_spent_budget_says_nothing_about_the_file():
    web = web_of("User-agent: *\nDisallow: /x")
    session, ledger = web.session(), Ledger(1)
    ledger.open("get", SITE)
    with pytest.raises(BudgetSpent):
        session.robots(SITE, ledger=ledger)
    assert session.get(f"{SITE}/").body == b"front"


def test_time_that_others_have_used_up_says_nothing_about_the_file():
    slow = {"/robots.txt": "", "/": Answer(status=302, headers={"Location": f"{WWW}/"}, delay=9)}
    web = FakeWeb({SITE: slow, WWW: {"/robots.txt": Answer(delay=5, body="Disallow:"), "/": "x"}})
    session = web.session(deadline=12.0)
    with pytest.raises(DeadlineExceeded):
        session.get(f"{SITE}/")
    assert session.get(f"{WWW}/").body == b"x"


def test_file_that_takes_the_whole_time_is_not_asked_for_again_and_again():
    web = web_of(Answer(delay=40))
    session = web.session(deadline=30.0)
    for _ in range(3):
        with pytest.raises(DeadlineExceeded):
            session.get(f"{SITE}/")
    assert len(web.requests) == 1


def test_host_that_rests_is_not_asked_for_its_file():
    web = FakeWeb({SITE: {"/robots.txt": "", "/": Answer(status=429)}, "http://news.example": {"/": "x"}})
    session = web.session()
    session.get(f"{SITE}/")
    with pytest.raises(RateLimited):
        session.get("http://news.example/")
    web.clock.advance(61)
    assert session.get("http://news.example/").body == b"x"


def test_file_is_read_up_to_512_kib_and_cut_at_a_line_end():
    filler = "#" * 1023 + "\n"
    rules = "User-agent: *\n" + filler * 511 + "Disallow: /a\nDisallow: /" + "b" * 2000 + "\nDisallow: /c\n"
    session = web_of(rules).session()
    robots = session.robots(SITE)
    assert [robots.allows(f"{SITE}/{path}") for path in ("a", "bb", "c")] == [False, True, True]


def test_file_in_a_foreign_coding_means_stay_out():
    with pytest.raises(Unreachable):
        web_of(Answer(body="x", headers={"Content-Encoding": "br"})).session().get(f"{SITE}/")


@pytest.mark.parametrize(
    "coding,body",
    [
        ("gzip", gzip.compress(CLOSED.encode())[:12]),
        ("gzip", gzip.compress(CLOSED.encode())[:10] + b"\xff" * 50),
        ("gzip", zlib.compress(CLOSED.encode())),
        ("deflate", b"\x00\x01\x02\x03"),
    ],
)
def test_file_that_cannot_be_inflated_means_stay_out(coding, body):
    with pytest.raises(Unreachable):
        web_of(Answer(body=body, headers={"Content-Encoding": coding})).session().get(f"{SITE}/")


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
@pytest.mark.parametrize("body", [CLOSED.encode(), gzip.compress(CLOSED.encode())])
def test_file_is_obeyed_whatever_its_coding_is_called(coding, body):
    assert closes(web_of(Answer(body=body, headers={"Content-Encoding": coding})).session())


def test_files_of_many_hosts_are_kept_up_to_a_number(monkeypatch):
    monkeypatch.setattr("sitediscover.fetch.rules._KEPT_ORIGINS", 2)
    hosts = [f"https://{n}.example" for n in range(3)]
    web = FakeWeb({host: {} for host in hosts})
    session = web.session()
    for host in (*hosts, hosts[0]):
        session.robots(host)
    assert len(web.requests) == 4


def test_threads_ask_for_one_file_once():
    started = threading.Event()

    def slow(call):
        started.wait(0.2)
        return "User-agent: *\nDisallow: /no"

    web = web_of(slow)
    session, refused = web.session(pause=0), []

    def ask():
        try:
            session.get(f"{SITE}/no")
        except RobotsDisallow as error:
            refused.append(error)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(refused) == 8
    assert web.requests == [f"{SITE}/robots.txt"]
