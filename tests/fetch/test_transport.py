"""Connections on the loopback: which are made, how they end, and what travels on them."""

from __future__ import annotations

import logging
import os
import signal
import socket
import ssl
import threading
import time
from queue import Empty, Full

import pytest
import requests
from requests.adapters import HTTPAdapter

from sitediscover.errors import BlockedAddress, DeadlineExceeded, NoConnection, TlsFailure, Unreachable, UnsupportedUrl
from sitediscover.fetch import Ledger, PoliteSession
from sitediscover.fetch.door import prepared
from sitediscover.fetch.transport import GuardedAdapter, _Kept

FAST = {"pause": 0, "timeout": 1.0, "deadline": 2.0}
HERE = {**FAST, "allow_private": True}
PUBLIC = "93.184.216.34"


@pytest.fixture
def reach(monkeypatch):
    """Lead connections to a public address to a server of ours, and note where each went."""
    went, real = [], socket.socket.connect

    def lead_to(server):
        def connect(self, address):
            went.append(address[0])
            return real(self, ("127.0.0.1", server.server_port) if address[0] == PUBLIC else address)

        monkeypatch.setattr(socket.socket, "connect", connect)
        return went

    return lead_to


# Addresses.


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fe80::1", "64:ff9b::7f00:1"])
def test_name_that_means_a_special_address_is_not_connected_to(serve, dns, address, reach):
    server = serve({"/": b"secret"})
    went = reach(server)
    dns["inside.example"] = [address]
    with PoliteSession(**FAST) as session, pytest.raises(BlockedAddress, match=r"inside\.example is"):
        session.get("http://inside.example/")
    assert went == []
    assert server.seen == []


def test_one_special_address_among_public_ones_blocks_the_host(serve, dns, reach):
    went = reach(serve())
    dns["mixed.example"] = [PUBLIC, "127.0.0.1"]
    with PoliteSession(**FAST) as session, pytest.raises(BlockedAddress):
        session.get("http://mixed.example/")
    assert went == []


def test_name_is_resolved_once_and_the_checked_address_connected_to(serve, dns, reach):
    server = serve({"/": lambda handler: handler.answer(200, b"public", [("Connection", "close")])})
    went = reach(server)
    dns["rebind.example"] = [[PUBLIC], ["127.0.0.1"]]
    with PoliteSession(**FAST) as session:
        assert session.robots("http://rebind.example/").allows("/")
        assert dns["asked"] == ["rebind.example"]
        assert went == [PUBLIC]
        session._door._guarded.poolmanager.clear()
        with pytest.raises(BlockedAddress):  # the next connection is checked again
            session.get("http://rebind.example/")
    assert went == [PUBLIC]


def test_hop_to_a_name_that_means_a_special_address_is_blocked(serve, dns, reach):
    server = serve({"/": lambda handler: handler.answer(302, b"", [("Location", "http://inside.example/")])})
    reach(server)
    dns["news.example"], dns["inside.example"] = [PUBLIC], ["192.168.0.1"]
    with PoliteSession(**FAST) as session, pytest.raises(BlockedAddress):
        session.get("http://news.example/")


def test_adapter_alone_refuses_special_addresses_too(serve):
    server = serve({"/": b"x"})
    with requests.Session() as http:
        http.mount("http://", GuardedAdapter())
        with pytest.raises(BlockedAddress):
            http.get(server.url)


def test_adapter_alone_works_as_one_of_requests_own(serve, reach, dns):
    reach(serve({"/": b"x"}))
    dns["news.example"] = [PUBLIC]
    with requests.Session() as http:
        http.mount("http://", GuardedAdapter(whole=True))
        assert http.get("http://news.example/", timeout=2).content == b"x"
        assert http.get("http://news.example/", timeout=2).content == b"x"


def test_second_address_is_tried_where_the_first_refuses(serve, dns):
    server = serve({"/": b"x"})
    dns["two.example"] = ["127.0.0.2", "127.0.0.1"]
    # Nothing listens on 127.0.0.2: the server is bound to 127.0.0.1.
    with PoliteSession(**HERE) as session:
        assert session.get(f"http://two.example:{server.server_port}/").body == b"x"


def test_name_that_does_not_exist_is_asked_for_once(dns):
    dns["nowhere.example"] = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    with PoliteSession(**FAST) as session, pytest.raises(NoConnection, match="does not resolve"):
        session.get("http://nowhere.example/")
    assert dns["asked"] == ["nowhere.example"]


def test_failure_of_an_earlier_request_is_no_part_of_a_later_one(dns):
    dns["one.example"] = socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
    dns["two.example"] = socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    def one_or_two(session):
        try:
            session.get("http://one.example/")
        except NoConnection:
            session.get("http://two.example/")

    with PoliteSession(**{**FAST, "deadline": 9}, clock=Hurried()) as session, pytest.raises(NoConnection) as caught:
        one_or_two(session)
    assert str(caught.value).count("does not resolve") == 1
    assert dns["asked"].count("two.example") == 1, "a name that does not exist is not asked again"


def test_resolver_that_is_out_of_order_is_asked_again(dns):
    dns["later.example"] = socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
    with PoliteSession(**{**FAST, "deadline": 9}, clock=Hurried()) as session, pytest.raises(NoConnection):
        session.get("http://later.example/")
    assert len(dns["asked"]) == 3


class Hurried:
    """A clock that is right, and never sleeps."""

    monotonic = staticmethod(time.monotonic)
    time = staticmethod(time.time)

    def sleep(self, seconds):
        pass


def test_closed_port_is_no_connection_after_two_more_tries():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    ledger = Ledger(9)
    with PoliteSession(**{**HERE, "deadline": 9}, clock=Hurried()) as session, pytest.raises(NoConnection):
        session.get(f"http://127.0.0.1:{port}/", ledger=ledger)
    assert ledger.spent == 3


def test_connection_that_takes_too_long_is_no_connection_and_not_tried_again(monkeypatch):
    def hang(self, address):
        raise TimeoutError("timed out")

    monkeypatch.setattr(socket.socket, "connect", hang)
    ledger = Ledger(9)
    with PoliteSession(**HERE) as session, pytest.raises(NoConnection, match="in time"):
        session.get("http://127.0.0.1:9/", ledger=ledger)
    assert ledger.spent == 1


def test_connection_that_comes_after_the_deadline_is_dropped(serve, monkeypatch):
    server, real = serve({"/": b"x"}), socket.socket.connect

    def slow(self, address):
        real(self, address)
        time.sleep(0.15)

    monkeypatch.setattr(socket.socket, "connect", slow)
    with PoliteSession(**{**HERE, "deadline": 0.1}) as session, pytest.raises(DeadlineExceeded):
        session.get(f"{server.url}/")
    assert server.seen == []


def test_interrupt_while_connecting_leaves_no_socket(monkeypatch):
    def interrupted(self, address):
        raise KeyboardInterrupt

    monkeypatch.setattr(socket.socket, "connect", interrupted)
    with PoliteSession(**HERE) as session, pytest.raises(KeyboardInterrupt):
        session.get("http://127.0.0.1:9/")


# Connections.


def test_connection_is_used_again_and_watched_again(serve):
    def drip(handler):
        handler.send_response(200)
        handler.end_headers()
        for _ in range(200):
            handler.wfile.write(b"x")
            time.sleep(0.02)

    server = serve({"/a": b"x", "/b": b"y", "/slow": drip})
    with PoliteSession(**{**HERE, "deadline": 0.5}) as session:
        assert session.get(f"{server.url}/a").body == b"x"
        assert session.get(f"{server.url}/b").body == b"y"
        assert server.connections == 1
        with pytest.raises(DeadlineExceeded):
            session.get(f"{server.url}/slow")


def test_idle_connections_are_kept_up_to_a_number_the_latest_first():
    kept = _Kept(2)
    kept.put("a")
    kept.put("b")
    with pytest.raises(Full):
        kept.put("c")
    assert kept.qsize() == 2
    assert [kept.get(), kept.get(block=False, timeout=1)] == ["b", "a"]
    with pytest.raises(Empty):
        kept.get()


@pytest.mark.parametrize("one_slash", [False, True])
def test_slashes_at_the_start_of_a_path_are_sent_as_robots_txt_was_asked(monkeypatch, one_slash):
    if one_slash:  # as requests did before 2.34
        monkeypatch.setattr(HTTPAdapter, "request_url", lambda adapter, request, proxies: "/a")
    url = GuardedAdapter().request_url(prepared("http://news.example//a", {}), {})
    assert url == "//a"


def test_machine_without_another_thread_is_a_fault_like_others(serve, monkeypatch):
    def start(timer):
        raise RuntimeError("can't start new thread")

    server = serve({"/a": b"x"})
    with PoliteSession(**HERE) as session:
        session.robots(server.url)
        monkeypatch.setattr(threading.Timer, "start", start)
        with pytest.raises(Unreachable, match="can't start new thread"):
            session.get(f"{server.url}/a")
        monkeypatch.undo()
        assert session.get(f"{server.url}/b").status == 404


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked on POSIX systems")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_process_begins_anew(serve):
    asked, go_on = threading.Event(), threading.Event()

    def wait(handler):
        asked.set()
        go_on.wait(10)
        handler.answer(200, b"slow")

    server = serve({"/a": b"x", "/slow": wait})
    with PoliteSession(**{**HERE, "deadline": 10, "timeout": 10}) as session:
        session.get(f"{server.url}/a")
        busy = threading.Thread(target=session.get, args=(f"{server.url}/slow",))
        busy.start()
        asked.wait(10)
        child = os.fork()
        if not child:  # another thread holds the queue: it is not in this process
            signal.alarm(10)
            os._exit(session.get(f"{server.url}/a").body != b"x")
        assert os.waitpid(child, 0)[1] == 0
        go_on.set()
        busy.join(10)
        assert session.get(f"{server.url}/a").body == b"x"
    assert server.connections == 2  # the child's own, and the parent's, which is still good


def test_no_thread_and_no_socket_is_left(serve):
    server = serve({"/a": b"x"})
    before = threading.active_count()
    with PoliteSession(**HERE) as session:
        for _ in range(5):
            session.get(f"{server.url}/a")
    assert threading.active_count() <= before + 1  # the server's thread for the connection that was kept


def test_redirects_body_is_never_read(serve):
    sent = []

    def bomb(handler):
        handler.send_response(302)
        handler.send_header("Location", "/b")
        handler.end_headers()
        try:
            while len(sent) < 4_000:
                handler.wfile.write(b"x" * 65_536)
                sent.append(65_536)
        except OSError:
            pass

    server = serve({"/a": bomb, "/b": b"there"})
    with PoliteSession(**HERE) as session:
        assert session.get(f"{server.url}/a").body == b"there"
    assert len(sent) < 200  # what fits into the buffers of two sockets


def test_http_session_of_the_caller_is_neither_changed_nor_closed(serve):
    server = serve({"/a": b"x"})
    with requests.Session() as http:
        before = dict(vars(http), adapters=dict(http.adapters))
        with PoliteSession(**HERE, http=http) as session:
            session.get(f"{server.url}/a")
        assert dict(vars(http), adapters=dict(http.adapters)) == before
        assert "get_redirect_target" not in vars(http)
        assert http.get(f"{server.url}/a").content == b"x"


def test_plain_session_of_the_caller_is_guarded(dns, serve, reach):
    went = reach(serve())
    dns["inside.example"] = ["127.0.0.1"]
    with requests.Session() as http, PoliteSession(**FAST, http=http) as session, pytest.raises(BlockedAddress):
        session.get("http://inside.example/")
    assert went == []


# Nothing leaks.


def test_netrc_is_never_read(serve, tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\ndefault login me password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    server = serve({"/a": b"x"})
    with PoliteSession(**HERE) as session:
        session.get(f"{server.url}/a")
    assert all("Authorization" not in headers for *_, headers in server.seen)


def test_cookies_are_not_sent_back(serve):
    server = serve({"/a": lambda handler: handler.answer(200, b"x", [("Set-Cookie", "a=b; Path=/")])})
    with PoliteSession(**HERE) as session:
        session.get(f"{server.url}/a")
        session.get(f"{server.url}/a")
    assert all("Cookie" not in headers for *_, headers in server.seen)


def test_location_in_utf_8_is_followed_as_it_was_meant(serve):
    def redirect(handler):
        handler.wfile.write("HTTP/1.1 302 Found\r\nLocation: /stra\u00dfe\r\nContent-Length: 0\r\n\r\n".encode())

    server = serve({"/a": redirect, "/stra%C3%9Fe": b"there"})
    with PoliteSession(**HERE) as session:
        assert session.get(f"{server.url}/a").body == b"there"


def test_odd_headers_are_not_worth_a_traceback_in_the_log(serve, caplog):
    server = serve({"/a": lambda handler: handler.wfile.write(b"HTTP/1.1 200 OK\r\nnonsense\r\n\r\n")})
    with caplog.at_level(logging.ERROR), PoliteSession(**HERE) as session, pytest.raises(Unreachable):
        session.get(f"{server.url}/a")
    assert not caplog.records


# TLS.


@pytest.fixture
def tls_url(serve, dns, tls_name):
    server = serve({"/a": b"private"}, tls=True)
    dns[tls_name] = ["127.0.0.1"]
    return f"https://{tls_name}:{server.server_port}/a"


def test_certificate_that_nobody_vouches_for_is_a_tls_failure_and_never_tried_again(tls_url):
    ledger = Ledger(9)
    with PoliteSession(**HERE) as session, pytest.raises(TlsFailure):
        session.get(tls_url, ledger=ledger)
    assert ledger.spent == 1


@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"])
def test_bundle_of_the_environment_is_trusted(tls_url, authority, monkeypatch, variable):
    monkeypatch.setenv(variable, authority)
    with PoliteSession(**HERE) as session:
        assert session.get(tls_url).body == b"private"


def test_bundle_of_the_callers_session_goes_first(tls_url, authority, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere.pem")
    with requests.Session() as http:
        http.verify = authority
        with PoliteSession(**HERE, http=http) as session:
            assert session.get(tls_url).body == b"private"


def test_environment_is_left_aside_where_the_callers_session_says_so(tls_url, authority, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", authority)
    with requests.Session() as http:
        http.trust_env = False
        with PoliteSession(**HERE, http=http) as session, pytest.raises(TlsFailure):
            session.get(tls_url)


def test_bundle_that_is_missing_is_said(tls_url, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere.pem")
    with PoliteSession(**HERE) as session, pytest.raises(Unreachable, match=r"nowhere\.pem"):
        session.get(tls_url)


def test_certificate_for_another_name_is_a_tls_failure(tls_url, authority, monkeypatch, dns, tls_name):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", authority)
    dns["other.example"] = ["127.0.0.1"]
    with PoliteSession(**HERE) as session, pytest.raises(TlsFailure):
        session.get(tls_url.replace(tls_name, "other.example"))


def test_handshake_that_does_not_end_is_ended_at_the_deadline(dns, tls_name):
    dns[tls_name] = ["127.0.0.1"]
    stop = threading.Event()

    def drip(listener):
        sock, _ = listener.accept()
        with sock:
            sock.recv(65_536)
            try:
                sock.sendall(b"\x16\x03\x03\x40\x00")
                while not stop.wait(0.05):
                    sock.sendall(b"\x02")
            except OSError:
                pass

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=drip, args=(listener,), daemon=True)
        thread.start()
        started = time.monotonic()
        with PoliteSession(**{**HERE, "deadline": 0.5}) as session, pytest.raises(DeadlineExceeded):
            session.get(f"https://{tls_name}:{listener.getsockname()[1]}/")
        stop.set()
        thread.join(5)
    assert time.monotonic() - started < 5, "the drip has no end of its own"


def test_plain_http_on_a_tls_port_is_a_tls_failure(serve):
    server = serve({"/a": b"x"})
    with PoliteSession(**HERE) as session, pytest.raises(TlsFailure):
        session.get(server.url.replace("http:", "https:"))


# Proxies.


@pytest.fixture
def proxy(serve):
    """An HTTP proxy on a private address, which answers for every host itself."""
    server = serve()
    server.paths = Anything(lambda handler: handler.answer(200, f"{handler.command} {handler.path}".encode()))
    return server


class Anything(dict):
    def __init__(self, reply):
        super().__init__()
        self.reply = reply

    def get(self, key, default=None):
        return None if key.endswith("/robots.txt") else self.reply


def test_proxy_resolves_the_names_and_may_be_private_itself(proxy, dns):
    dns["news.example"] = socket.gaierror(socket.EAI_NONAME, "unknown here")
    with PoliteSession(**FAST, proxy=proxy.url) as session:
        assert session.get("http://news.example/a").body == b"GET http://news.example/a"
    assert dns["asked"] == []


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://[::1]/", "http://localhost/", "http://10.1.2.3/"])
def test_proxy_is_not_asked_for_what_can_be_seen_to_be_private(proxy, url):
    with PoliteSession(**FAST, proxy=proxy.url) as session, pytest.raises(BlockedAddress):
        session.get(url)
    assert proxy.seen == []


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy"])
def test_proxy_of_the_environment_is_used(proxy, monkeypatch, name):
    monkeypatch.setenv(name, proxy.url)
    with PoliteSession(**FAST) as session:
        assert session.get("http://news.example/a").body == b"GET http://news.example/a"


def test_no_proxy_is_kept_to(proxy, serve, dns, monkeypatch):
    server = serve({"/a": b"direct"})
    dns["near.example"] = ["127.0.0.1"]
    monkeypatch.setenv("HTTP_PROXY", proxy.url)
    monkeypatch.setenv("NO_PROXY", "near.example")
    with PoliteSession(**HERE) as session:
        assert session.get(f"http://near.example:{server.server_port}/a").body == b"direct"
    assert proxy.seen == []


def test_https_goes_through_a_tunnel_with_the_certificate_checked(serve, tls_url, authority, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", authority)
    port = int(tls_url.rsplit(":", 1)[1].split("/")[0])

    def tunnel(handler):
        handler.send_response(200)
        handler.end_headers()
        with socket.create_connection(("127.0.0.1", port)) as far:
            pumps = [
                threading.Thread(target=pump, args=pair)
                for pair in ((handler.connection, far), (far, handler.connection))
            ]
            for thread in pumps:
                thread.start()
            for thread in pumps:
                thread.join(5)
        handler.close_connection = True

    server = serve()
    server.paths = Anything(tunnel)
    with PoliteSession(**HERE, proxy=server.url) as session:
        assert session.get(tls_url).body == b"private"


def pump(source, target):
    try:
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def test_proxy_that_refuses_the_tunnel_is_no_connection(serve):
    server = serve()
    server.paths = Anything(lambda handler: handler.answer(403, b""))
    ledger = Ledger(9)
    with PoliteSession(**FAST, proxy=server.url) as session, pytest.raises(NoConnection, match="proxy"):
        session.get("https://news.example/", ledger=ledger)
    assert ledger.spent == 1


def test_proxy_that_drips_is_ended_at_the_deadline(serve):
    def drip(handler):
        try:
            while True:
                handler.wfile.write(b"H")
                time.sleep(0.05)
        except OSError:
            pass

    server = serve()
    server.paths = Anything(drip)
    with PoliteSession(**{**FAST, "deadline": 0.5}, proxy=server.url) as session, pytest.raises(DeadlineExceeded):
        session.get("https://news.example/")


def test_socks_proxy_of_the_environment_is_left_to_requests(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "socks5h://127.0.0.1:1")
    with PoliteSession(**FAST) as session, pytest.raises((Unreachable, UnsupportedUrl)):
        session.get("http://news.example/")


def test_loopback_server_speaks_tls(tls_url):
    # The checks above would pass on a dead server too.
    port = int(tls_url.rsplit(":", 1)[1].split("/")[0])
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port)) as sock, context.wrap_socket(sock) as wrapped:
        assert wrapped.version().startswith("TLS")
