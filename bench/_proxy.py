"""A loopback proxy that answers from a web in a dict, http and https, and counts what it is asked.

The web is what the conformance cases hold: {"https://host": {"/path?query": {"status", "headers", "body" | "body_b64",
"error"}}}; `"*"` as a path answers for every path not named.
"""

from __future__ import annotations

import base64
import ssl
import threading
from contextlib import contextmanager
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import trustme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOT_FOUND = {"status": 404, "body": "<html><title>Not found</title><body>404</body></html>"}

# tldextract, which newspaper4k brings along, asks these once for its list of suffixes: no request to the site.
NOT_COUNTED = {"https://publicsuffix.org", "https://raw.githubusercontent.com"}


class Proxy(ThreadingHTTPServer):
    """One web at a time, set as `web`; `calls` lists every URL that was asked for since it was cleared."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.web: dict[str, dict[str, dict]] = {}
        self.calls: list[str] = []
        self.contexts: dict[str, ssl.SSLContext] = {}
        self.lock = threading.Lock()
        self.ca_file = folder / "ca.pem"
        self.authority.cert_pem.write_to_path(self.ca_file)

    @cached_property
    def authority(self) -> trustme.CA:
        return trustme.CA()

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to be led here and to trust what it is told."""
        address = f"http://127.0.0.1:{self.server_port}"
        proxies = dict.fromkeys(("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"), address)
        trust = dict.fromkeys(("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"), str(self.ca_file))
        return {**proxies, **trust, "NO_PROXY": "", "no_proxy": ""}

    def context_for(self, host: str) -> ssl.SSLContext:
        with self.lock:
            if host not in self.contexts:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                self.authority.issue_cert(host).configure_cert(context)
                self.contexts[host] = context
            return self.contexts[host]

    def answer(self, url: str) -> dict | None:
        """Return what this web answers, counted; None where there is no such host."""
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc.lower()}"
        if origin not in NOT_COUNTED:
            self.calls.append(url)
        host = self.web.get(origin)
        return None if host is None else look_up(host, url)

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep quiet: a client that hangs up in the middle is no news."""


def look_up(host: dict[str, dict], url: str) -> dict:
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return host.get(path) or host.get("*") or NOT_FOUND


def body_of(answer: dict) -> bytes:
    return base64.b64decode(answer["body_b64"]) if "body_b64" in answer else answer.get("body", "").encode()


class Handler(BaseHTTPRequestHandler):
    """One connection: plain http with whole URLs, or a tunnel whose other end is here as well."""

    protocol_version = "HTTP/1.1"
    timeout = 30
    server: Proxy
    origin = ""

    def do_CONNECT(self) -> None:
        host, _, port = self.path.lower().rpartition(":")
        origin = f"https://{host}" + ("" if port == "443" else f":{port}")
        if origin not in self.server.web:
            self.server.answer(f"{origin}/")  # an attempt is a request
            self.send_error(502)
            return
        self.send_response(200, "Connection established")
        self.end_headers()
        self.connection = self.server.context_for(host).wrap_socket(self.connection, server_side=True)
        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
        self.origin = origin
        self.close_connection = False

    def do_GET(self) -> None:
        answer = self.server.answer(self.origin + self.path)
        if answer is None or answer.get("error"):
            self.close_connection = True  # no answer at all
            return
        body = body_of(answer)
        headers = {"Content-Type": "text/html; charset=utf-8", **answer.get("headers", {})}
        self.send_response(answer.get("status", 200))
        for name, value in headers.items():
            if name.lower() != "content-length":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_words: object) -> None:
        """Keep quiet: stderr belongs to the benchmark."""


@contextmanager
def running(folder: Path) -> Iterator[Proxy]:
    """Serve in the background until the block ends."""
    with Proxy(folder) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, daemon=True)
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            thread.join()
