"""The miniature web on real sockets: one port of 127.0.0.1 that speaks http and TLS, and serves as a proxy too.

The first byte of a connection tells which it is. As a proxy the server takes `CONNECT`, so that a process that knows
nothing of this module (a worker, a notebook, the command line) reaches the web through its environment alone.
"""

from __future__ import annotations

import logging
import socket
import ssl
import sys
import threading
import time
from contextlib import contextmanager, suppress
from functools import cache
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingTCPServer
from typing import TYPE_CHECKING, Any

import requests
from requests.adapters import HTTPAdapter
from requests.structures import CaseInsensitiveDict

from sitediscover.fetch import PoliteSession
from sitediscover.testing import Call, Web, respond

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_log = logging.getLogger(__name__)
_LOOPBACK = "127.0.0.1"
_CERTIFICATES = Path(__file__).parent / "certificates"
_CONNECTIONS = 64
_CLIENT_HELLO = b"\x16"  # a TLS handshake begins with it (RFC 8446, 5.1), no http method does


@contextmanager
def serve(web: Web, *, port: int = 0) -> Iterator[MiniatureWeb]:
    """Serve a web on loopback until the block ends.

    Args:
        web: `{"https://host": {"/path?query": answer}}`, as `sitediscover.testing.FakeWeb` takes it; delays are waited.
        port: where to listen; any free port where it is 0.

    Yields:
        The web as it is served.
    """
    with _Server(web, port) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        served = MiniatureWeb(web, server.server_address[1])
        try:
            yield served
        finally:
            served.adapter.close()
            server.shutdown()
            thread.join()
            server.hang_up()


class MiniatureWeb:
    """A web that is being served.

    Attributes:
        port: where on 127.0.0.1.
        proxy: its address as a proxy.
        ca_file: the authority behind its certificate, a PEM file.
        adapter: the way to it as a transport of `requests`.
    """

    def __init__(self, web: Web, port: int) -> None:
        self.port = port
        self.proxy = f"http://{_LOOPBACK}:{port}"
        self.ca_file = str(_CERTIFICATES / "ca.pem")
        self.adapter = _LoopbackAdapter(web, port, self.ca_file)

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment variables under which any process finds this web in the place of the internet."""
        names = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
        return {**dict.fromkeys(names, self.proxy), "NO_PROXY": "", "no_proxy": "", "REQUESTS_CA_BUNDLE": self.ca_file}

    def session(self, **options: Any) -> PoliteSession:
        """Return a polite session for which this web is the internet; certificates are checked as everywhere.

        Args:
            options: what `PoliteSession` takes.
        """
        http = requests.Session()
        http.mount("http://", self.adapter)
        http.mount("https://", self.adapter)
        return PoliteSession(**{"http": http, **options})


class _LoopbackAdapter(HTTPAdapter):
    """Connects to the server whatever host is asked; Host header and TLS server name stay those of the host."""

    def __init__(self, web: Web, port: int, ca_file: str) -> None:
        # All http sites are one pool here, each https site is one.
        super().__init__(pool_connections=_CONNECTIONS, pool_maxsize=_CONNECTIONS)
        self._web, self._port, self._ca_file = web, port, ca_file

    def send(  # noqa: PLR0917 - the signature of requests
        self,
        request: requests.PreparedRequest,
        stream: bool = False,  # noqa: FBT001, FBT002
        timeout: Any = None,
        verify: object = True,  # noqa: ARG002, FBT002 - our own authority is the only one that counts here
        cert: object = None,  # noqa: ARG002
        proxies: object = None,  # noqa: ARG002 - the way is known
    ) -> requests.Response:
        scheme, _, rest = (request.url or "").partition("://")
        host = rest.partition("/")[0]
        if f"{scheme}://{host}" not in self._web:
            raise requests.ConnectionError(f"no such host in the miniature web: {host}", request=request)
        request = request.copy()
        request.headers["Host"] = host
        return super().send(request, stream=stream, timeout=timeout, verify=self._ca_file)

    def build_connection_pool_key_attributes(self, request: requests.PreparedRequest, *how: Any) -> Any:
        """Say where to connect: the hook of `requests` for it."""
        where, options = super().build_connection_pool_key_attributes(request, *how)
        named = {"server_hostname": where["host"]} if where["scheme"] == "https" else {}
        return {**where, "host": _LOOPBACK, "port": self._port}, {**options, **named}


class _Server(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, web: Web, port: int) -> None:
        self.web = web
        self.connections: set[socket.socket] = set()
        super().__init__((_LOOPBACK, port), _Handler)

    def hang_up(self) -> None:
        """End the connections that clients keep open, so that their threads end."""
        for connection in list(self.connections):
            with suppress(OSError):  # the client was faster
                # Not SSLSocket.shutdown: it pulls the TLS layer from under the thread that reads from it.
                socket.socket.shutdown(connection, socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over clients that hang up or dislike our certificate; report faults of our own."""
        error = sys.exception()
        if isinstance(error, OSError):
            _log.debug("%s: %s", client_address, error)
        else:
            super().handle_error(request, client_address)


@cache
def _tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_CERTIFICATES / "server.pem")
    return context


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body leave in one piece
    server: _Server
    request: socket.socket

    def setup(self) -> None:
        self._scheme = "http"
        self.server.connections.add(self.request)
        try:
            if self.request.recv(1, socket.MSG_PEEK) == _CLIENT_HELLO:
                self._start_tls()
        except OSError:
            self._let_go()  # finish() is not called after a failed setup()
            raise
        super().setup()

    def _start_tls(self) -> None:
        self.server.connections.discard(self.request)
        self.request = _tls().wrap_socket(self.request, server_side=True, do_handshake_on_connect=False)
        self.server.connections.add(self.request)
        self.request.do_handshake()
        self._scheme = "https"

    def finish(self) -> None:
        try:
            super().finish()
        finally:
            self._let_go()

    def _let_go(self) -> None:
        self.server.connections.discard(self.request)
        self.request.close()

    def do_CONNECT(self) -> None:
        self.send_response_only(200)
        self.end_headers()
        super().finish()  # flushes, and closes the plain files but not their socket
        self._start_tls()
        super().setup()
        self.close_connection = False  # http.client asks by HTTP/1.0 up to Python 3.11

    def do_GET(self) -> None:
        url = self.path if "://" in self.path else f"{self._scheme}://{self.headers.get('Host', '')}{self.path}"
        call = Call(method=self.command, url=url, headers=CaseInsensitiveDict(self.headers.items()), at=time.time())
        answer = respond(self.server.web, call)
        if answer is None or answer.error:
            self.close_connection = True
            return
        time.sleep(answer.delay)
        self._send(answer.status, answer.headers, answer.body)

    def do_HEAD(self) -> None:
        self.do_GET()

    def _send(self, status: int, headers: Mapping[str, str], body: str | bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body if isinstance(body, bytes) else body.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the standard library
        _log.debug(format, *args)
