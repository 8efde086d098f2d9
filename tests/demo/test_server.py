"""The miniature web on real sockets: TLS with its checks on, plain http, and as a proxy."""

from __future__ import annotations

import io
import socket
import ssl
import subprocess
import sys
from datetime import UTC, datetime

import pytest
import requests

from sitediscover import discover
from sitediscover.demo import SITES, build_many, build_web, keep_serving, report, run_demo, serve
from sitediscover.demo.__main__ import main
from sitediscover.errors import TlsFailure, Unreachable
from sitediscover.fetch import PoliteSession
from sitediscover.model import Outcome
from sitediscover.testing import Answer, FakeClock, redirect

NOW = datetime.now(UTC)
VERGE = "https://the-verge.example"


@pytest.fixture(scope="module")
def web():
    with serve(build_web(NOW)) as served:
        yield served


@pytest.fixture(scope="module")
def small():
    paths = {
        "/": "front",
        "/moved": redirect("/"),
        "/late": Answer(body="late", delay=0.01),
        "/tagged": Answer(body="tagged", headers={"ETag": '"1"'}),
        "/gone": Answer(error="timeout"),
        "/ask": lambda call: f"{call.method} {call.url}",
    }
    with serve({VERGE: paths, "http://plain.example": paths, "https://stranger.example": paths}) as served:
        yield served


@pytest.fixture
def through(small, monkeypatch):
    """Give a plain requests session that knows of the web by its environment only."""
    for name, value in small.environment.items():
        monkeypatch.setenv(name, value)
    with requests.Session() as session:
        yield session


@pytest.mark.parametrize("host", [SITES[1].host, SITES[3].host, SITES[5].host, SITES[6].host])
def test_sites_are_discovered_over_tls(web, host):
    site = next(site for site in SITES if site.host == host)
    with web.session(pause=0) as session:
        found = discover(host, session=session)
    assert found.outcome is site.outcome
    assert len(found.requests) <= site.adaptive
    assert report.describe(found, NOW) == site.found


def test_pages_are_asked_by_tls_and_by_http(small):
    with small.session(pause=0) as session:
        assert session.get(f"{VERGE}/ask").body == f"GET {VERGE}/ask".encode()
        assert session.get("http://plain.example/ask").body == b"GET http://plain.example/ask"


def test_a_redirect_is_followed(small):
    with small.session(pause=0) as session:
        page = session.get(f"{VERGE}/moved")
    assert (page.final_url, page.body) == (f"{VERGE}/", b"front")


def test_a_host_that_the_certificate_does_not_name_fails(small):
    with small.session(pause=0) as session, pytest.raises(TlsFailure):
        session.get("https://stranger.example/")


@pytest.mark.parametrize("url", ["https://elsewhere.example/", "http://the-verge.example/"])
def test_a_host_that_is_not_in_the_web_is_never_asked_elsewhere(small, url):
    with small.session(pause=0, clock=FakeClock()) as session, pytest.raises(Unreachable):
        session.get(url)


@pytest.mark.parametrize("path, body", [("/", "front"), ("/moved", "front"), ("/late", "late")])
@pytest.mark.parametrize("origin", [VERGE, "http://plain.example"])
def test_another_process_reaches_it_as_a_proxy(through, origin, path, body):
    assert through.get(origin + path).text == body


def test_the_proxy_takes_head_and_conditional_requests(through):
    assert through.head(f"{VERGE}/").headers["Content-Length"] == "5"
    assert through.get(f"{VERGE}/tagged", headers={"If-None-Match": '"1"'}).status_code == 304


def test_a_session_of_any_process_finds_it_by_the_environment(web, monkeypatch):
    for name, value in web.environment.items():
        monkeypatch.setenv(name, value)
    with PoliteSession(pause=0) as session:
        assert discover("www.asahi.example", session=session).outcome is Outcome.NEWS_SITEMAP


def test_a_session_reaches_plain_http_sites_by_the_proxy_alone():
    sites, verdicts = build_many(3, NOW)
    with serve(sites) as served, PoliteSession(pause=0, proxy=served.proxy) as session:
        assert {site: discover(site, session=session).outcome for site in sites} == verdicts


@pytest.mark.parametrize("url", [f"{VERGE}/gone", "http://plain.example/gone", "http://nobody.example/"])
def test_where_no_answer_is_meant_to_come_the_connection_ends(through, url):
    with pytest.raises(requests.ConnectionError):
        through.get(url)


def test_the_proxy_keeps_the_checks_of_tls(through):
    with pytest.raises(requests.exceptions.SSLError):
        through.get("https://stranger.example/")


def test_the_certificate_stands_the_strict_checks(small):
    context = ssl.create_default_context(cafile=small.ca_file)
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    for site in SITES:
        with (
            socket.create_connection(("127.0.0.1", small.port)) as plain,
            context.wrap_socket(plain, server_hostname=site.host) as secure,
        ):
            assert ("DNS", site.host) in secure.getpeercert()["subjectAltName"]


@pytest.mark.parametrize("origin", [VERGE, "http://plain.example"])
def test_a_connection_that_is_kept_open_does_not_keep_the_server_from_ending(origin):
    host = origin.partition("://")[2]
    with serve({origin: {"/": "here"}}) as served:
        kept = socket.create_connection(("127.0.0.1", served.port), timeout=5)
        if origin == VERGE:
            kept = ssl.create_default_context(cafile=served.ca_file).wrap_socket(kept, server_hostname=host)
        kept.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert kept.recv(1_024).endswith(b"here")
    with kept:
        assert kept.recv(1) == b""


def test_a_client_that_hangs_up_in_the_middle_does_no_harm(small):
    for said in (b"", b"\x16\x03\x01", b"GET / HT", b"CONNECT the-verge.example:443 HTTP/1.1\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", small.port), timeout=5) as client:
            client.sendall(said)
    with small.session(pause=0) as session:
        assert session.get(f"{VERGE}/").body == b"front"


def test_many_sites_are_served_by_plain_http():
    sites, verdicts = build_many(8, NOW)
    with serve(sites) as served, served.session(pause=0) as session:
        assert {site: discover(site, session=session).outcome for site in sites} == verdicts


def test_the_demo_prints_its_table(monkeypatch):
    monkeypatch.setattr(report, "SITES", (SITES[0], SITES[7]))
    out = io.StringIO()
    assert run_demo(out, pause=0) == 0
    lines = out.getvalue().splitlines()
    assert lines[0].startswith("Eight news sites in miniature on 127.0.0.1, 0 s between requests")
    assert [line.split()[:3] for line in lines[4:]] == [["The", "Verge", "2"], ["Reuters", "1", "1"]]
    assert "the-verge.example/rss/index.xml" in lines[4]


def test_the_demo_says_what_is_not_as_expected(monkeypatch):
    wrong = report.DemoSite(
        name="Reuters", host=SITES[7].host, listed=1, adaptive=1, outcome=Outcome.FEED, found="robots disallow"
    )
    monkeypatch.setattr(report, "SITES", (wrong,))
    out = io.StringIO()
    assert run_demo(out, pause=0) == 1
    assert out.getvalue().endswith("Not as expected: Reuters\n")


def test_serving_on_prints_how_to_reach_it_and_ends_with_ctrl_c():
    out = io.StringIO()

    def ask_and_interrupt():
        exports = dict(
            line.removeprefix("export ").split("=", 1) for line in out.getvalue().splitlines() if "=" in line
        )
        proxies = {"https": exports["HTTPS_PROXY"]}
        with requests.Session() as session:
            answer = session.get(f"{VERGE}/robots.txt", proxies=proxies, verify=exports["REQUESTS_CA_BUNDLE"])
        assert answer.text.startswith("User-agent: *")
        raise KeyboardInterrupt

    assert keep_serving(out, wait=ask_and_interrupt) == 0


def test_the_command_runs_the_demo_with_its_pause(monkeypatch, capsys):
    monkeypatch.setattr(report, "SITES", (SITES[7],))
    assert main(["--pause", "0.01"]) == 0
    assert "0.01 s between requests" in capsys.readouterr().out


def test_the_command_serves_on(monkeypatch):
    asked = []
    monkeypatch.setattr("sitediscover.demo.__main__.keep_serving", lambda port: asked.append(port) or 0)
    assert main(["--serve", "--port", "8088"]) == 0
    assert asked == [8088]


def test_it_runs_as_a_module():
    asked = subprocess.run([sys.executable, "-m", "sitediscover.demo", "--help"], capture_output=True, check=True)
    assert b"--serve" in asked.stdout


def test_a_fault_in_an_answer_is_told_and_ends_the_connection_only(capsys):
    def broken(call):
        raise LookupError("a fault in a test's own answer")

    with serve({"http://plain.example": {"/": "here", "/broken": broken}}) as served, requests.Session() as session:
        session.mount("http://", served.adapter)
        with pytest.raises(requests.ConnectionError):
            session.get("http://plain.example/broken")
        assert session.get("http://plain.example/").text == "here"
    assert "a fault in a test's own answer" in capsys.readouterr().err
