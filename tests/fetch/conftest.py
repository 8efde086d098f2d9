"""A plain server on the loopback, which knows when each request came and when its answer had gone."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import sitediscover.demo

CERTIFICATES = Path(sitediscover.demo.__file__).parent / "certificates"
# The name that the certificate is for.
TLS_NAME = next(
    name
    for kind, name in ssl._ssl._test_decode_cert(str(CERTIFICATES / "server.pem"))["subjectAltName"]
    if kind == "DNS"
)


class Loopback(ThreadingHTTPServer):
    """Answers with `paths`: bytes, or a function of the handler; 404 for the rest."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, tls=False):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.paths, self.seen, self.connections, self.busy, self.most_at_once = {}, [], 0, 0, 0
        self.lock = threading.Lock()
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATES / "server.pem")
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.server_port}"

    def handle_error(self, request, client_address):
        """Say nothing: clients break off on purpose."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        with self.server.lock:
            self.server.connections += 1

    def do_GET(self):
        server, self.started, self.ended = self.server, time.monotonic(), False
        with server.lock:
            server.busy += 1
            server.most_at_once = max(server.most_at_once, server.busy)
        try:
            reply = server.paths.get(self.path)
            if callable(reply):
                reply(self)
            else:
                self.answer(404 if reply is None else 200, reply or b"")
        finally:
            self.end()

    def end(self):
        """Count the request, once: before its answer leaves, as the client may look or ask again as soon as it has it."""
        if self.ended:
            return
        self.ended = True
        with self.server.lock:
            self.server.busy -= 1
            self.server.seen.append((self.path, self.started, time.monotonic(), dict(self.headers)))

    do_CONNECT = do_GET  # noqa: N815 - the name that http.server looks for

    def answer(self, status, body, headers=()):
        self.send_response(status)
        for name, value in (("Content-Length", str(len(body))), *headers):
            self.send_header(name, value)
        self.end()
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture
def serve():
    """Start servers; they end with the test."""
    started = []

    def start(paths=None, **options):
        server = Loopback(**options)
        server.paths.update(paths or {})
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        started.append((server, thread))
        return server

    yield start
    for server, thread in started:
        server.shutdown()
        server.server_close()
        thread.join(5)


@pytest.fixture
def dns(monkeypatch):
    """Resolve names as a test says: a list of addresses, or several lists, one for each time it is asked."""
    names, asked, real = {}, [], socket.getaddrinfo

    def resolve(host, port, *args, **options):
        if host not in names:
            return real(host, port, *args, **options)
        asked.append(host)
        answers = names[host]
        if isinstance(answers, Exception):
            raise answers
        if answers and isinstance(answers[0], list):
            answers = answers.pop(0) if len(answers) > 1 else answers[0]
        return [entry for address in answers for entry in real(address, port, 0, socket.SOCK_STREAM)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    names["asked"] = asked
    return names


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    for name in (
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "NO_PROXY",
        "REQUESTS_CA_BUNDLE",
        "CURL_CA_BUNDLE",
        "SSL_CERT_FILE",
    ):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def tls_name():
    return TLS_NAME


@pytest.fixture
def authority():
    return str(CERTIFICATES / "ca.pem")
