"""Connections that check the address they are made to, and the requests session that uses them."""

from __future__ import annotations

import socket
from collections import deque
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from io import BytesIO
from queue import Empty, Full
from typing import TYPE_CHECKING, Any

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3 import HTTPResponse as PooledResponse
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
from urllib3.util.connection import allowed_gai_family

from sitediscover.errors import BlockedAddress
from sitediscover.fetch.body import read_body
from sitediscover.fetch.flight import current_flight
from sitediscover.fetch.guard import refusal

if TYPE_CHECKING:
    import requests

REDIRECTS = (301, 302, 303, 307, 308)
CUT_HEADER = "X-Sitediscover-Cut"
"""Set on a body that was cut before a cache took it, so that the cut is still known when the cache answers."""

_MOST_TRIED = 6
_MOST_HEADERS = 256 * 1024  # as Chrome; http.client bounds lines and their number, which makes 6.5 MB
_POOLS_KEPT = 16  # idle connections per session: many workers have one session each, and 1,024 files are a usual limit
_CONNECTIONS_PER_POOL = 64  # a proxy is one pool for all hosts


class _Answer(HTTPResponse):
    """The head of an answer, where http.client reads it otherwise than the standards and browsers do."""

    def _read_status(self) -> tuple[str, int, str]:
        version, status, reason = super()._read_status()  # type: ignore[misc]  # private
        # 100 is the one that http.client passes over; after 103 too the answer is still to come (RFC 9110, 15.2).
        to_come = HTTPStatus.CONTINUE <= status < HTTPStatus.OK and status != HTTPStatus.SWITCHING_PROTOCOLS
        return version, HTTPStatus.CONTINUE if to_come else status, reason

    def begin(self) -> None:
        super().begin()
        if sum(map(len, self.headers.values())) > _MOST_HEADERS:
            raise HTTPException(f"more than {_MOST_HEADERS} bytes of headers")
        if self.status in REDIRECTS:
            self._one_location()
        # RFC 9112, 6.3: chunked where that is the last coding, and then no length counts.
        codings = ",".join(self.headers.get_all("Transfer-Encoding", [])).lower().split(",")
        if codings[-1].strip() == "chunked" and not self.chunked:
            self.chunked, self.chunk_left, self.length = True, None, None

    def _one_location(self) -> None:
        """Take a repeated Location once; refuse several, as Chrome does: they are a sign of an injected one."""
        locations = set(self.headers.get_all("Location", []))
        if len(locations) > 1:
            raise HTTPException("several Location headers that differ")
        del self.headers["Location"]
        for location in locations:
            self.headers["Location"] = location


class _Checked(HTTPConnection):
    """A connection to an address that was checked, not to whatever the name means a moment later."""

    response_class = _Answer

    def _new_conn(self) -> socket.socket:
        try:
            found = socket.getaddrinfo(self._dns_host, self.port, allowed_gai_family(), socket.SOCK_STREAM)
        except socket.gaierror as error:
            raise NameResolutionError(self.host, self, error) from error
        flight = current_flight()
        # A proxy may be a private address, and it is the proxy that resolves the target's name.
        if self.proxy is None and not (flight and flight.allow_private):
            for *_, address in found:
                if why := refusal(str(address[0])):
                    raise BlockedAddress(flight.url if flight else self.host, f"{self.host} is {address[0]}: {why}")
        sock = self._connect(found)
        if flight is not None:
            try:
                flight.watch(sock)
            except BaseException:
                sock.close()
                raise
        return sock

    def _connect(self, found: list[tuple[Any, ...]]) -> socket.socket:
        failure: OSError = OSError("no address")
        for family, kind, proto, _, address in found[:_MOST_TRIED]:
            sock = socket.socket(family, kind, proto)
            try:
                for option in self.socket_options or ():
                    sock.setsockopt(*option)
                sock.settimeout(self._patience())
                sock.connect(address)
            except OSError as error:
                sock.close()
                failure = error
            except BaseException:
                sock.close()
                raise
            else:
                return sock
        if isinstance(failure, TimeoutError):
            raise ConnectTimeoutError(self, "no connection in time") from failure
        raise NewConnectionError(self, str(failure)) from failure

    def _patience(self) -> float | None:
        flight = current_flight()
        if flight is None:
            return self.timeout
        flight.check(flight.url)
        return min(self.timeout or flight.remaining, flight.remaining)

    def request(self, *args: Any, **options: Any) -> None:
        flight = current_flight()
        # A connection kept from an earlier request has not been watched by this flight.
        if flight is not None and self.sock is not None:
            flight.watch(self.sock)
        super().request(*args, **options)


class _CheckedTls(_Checked, HTTPSConnection):
    """The same, with TLS over it: the certificate is checked against the host's name."""


class _Kept:
    """Idle connections, the latest first, without a lock: that of urllib3's `LifoQueue` a Ctrl-C can leave locked."""

    def __init__(self, maxsize: int) -> None:
        self._most = maxsize
        self._items: deque[Any] = deque()

    def put(self, item: Any, block: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - queue.Queue's signature
        if len(self._items) >= self._most:
            raise Full
        self._items.append(item)

    def get(self, block: bool = False, timeout: float | None = None) -> Any:  # noqa: ARG002, FBT001, FBT002 - the same
        try:
            return self._items.pop()
        except IndexError:
            raise Empty from None

    def qsize(self) -> int:
        return len(self._items)


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Checked
    QueueCls = _Kept  # type: ignore[assignment]  # what urllib3 uses of a queue is here


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _CheckedTls
    QueueCls = _Kept  # type: ignore[assignment]  # what urllib3 uses of a queue is here


_POOLS = {"http": _Pool, "https": _TlsPool}


class GuardedAdapter(HTTPAdapter):
    """The transport of requests on checked connections.

    Args:
        whole: give bodies whole, bounded and inflated: a session that caches would read them without a bound.
    """

    def __init__(self, *, whole: bool = False) -> None:
        self._whole = whole
        super().__init__(pool_connections=_POOLS_KEPT, pool_maxsize=_CONNECTIONS_PER_POOL)

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        """Make the pools of checked connections."""
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = _POOLS

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        """Return the pools of checked connections to a proxy."""
        manager = super().proxy_manager_for(proxy, **options)
        if not proxy.lower().startswith("socks"):
            manager.pool_classes_by_scheme = _POOLS
        return manager

    def request_url(self, request: requests.PreparedRequest, proxies: Any) -> str:
        """Return what stands in the request line: several slashes at its start too, as robots.txt was asked."""
        url, path = super().request_url(request, proxies), request.path_url
        return path if url.startswith("/") and path.startswith("//") else url  # requests < 2.34 made one slash of them

    def build_response(self, req: requests.PreparedRequest, resp: Any) -> requests.Response:
        """Return the answer in requests' own dress, without cookies."""
        # requests would parse and keep cookies here; nobody asked for them.
        message = getattr(getattr(resp, "_original_response", None), "msg", None)
        if message is not None:
            del message["Set-Cookie"]
        response = super().build_response(req, resp)
        return _taken_in(response) if self._whole else response


def _taken_in(response: requests.Response) -> requests.Response:
    """Read a body under the flight's bounds, a redirect's not at all, and put it in place of the connection's."""
    flight, body = current_flight(), BytesIO()
    if flight is None:  # a cache that renews an answer behind our back (stale-while-revalidate)
        return response
    response.headers.pop(CUT_HEADER, None)
    if response.status_code not in REDIRECTS:
        intake = read_body(response, body.write, limit=flight.limit, flight=flight)
        if intake.error is not None and not body.tell():
            response.close()
            raise intake.error
        if intake.truncated:
            response.headers[CUT_HEADER] = intake.note
    response.close()
    response.headers.pop("Content-Encoding", None)
    response.headers.pop("Transfer-Encoding", None)
    response.headers["Content-Length"] = str(body.tell())
    body.seek(0)
    response.raw = PooledResponse(
        body=body,
        headers=response.headers,
        status=response.status_code,
        reason=response.reason,
        preload_content=False,
        decode_content=False,
        request_url=response.request.url,
    )
    return response
