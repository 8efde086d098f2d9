"""Connections that check the address they are made to, and the requests session that uses them."""

from __future__ import annotations

import inspect
import os
import socket
from collections import OrderedDict
from http.cookiejar import DefaultCookiePolicy
from io import BytesIO
from typing import Any, cast

import requests
from requests.adapters import HTTPAdapter
from requests.cookies import RequestsCookieJar
from requests.utils import get_environ_proxies
from urllib3 import HTTPConnectionPool, HTTPResponse, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
from urllib3.util.connection import allowed_gai_family

from sitediscover.errors import BlockedAddress, UnsupportedUrl
from sitediscover.fetch.body import read_body
from sitediscover.fetch.faults import in_short
from sitediscover.fetch.flight import current_flight
from sitediscover.fetch.guard import refusal

REDIRECTS = (301, 302, 303, 307, 308)
CUT_HEADER = "X-Sitediscover-Cut"
"""Set on a body that was cut before a cache took it, so that the cut is still known when the cache answers."""

_MOST_TRIED = 6
_POOLS_KEPT = 256
_CONNECTIONS_PER_POOL = 64  # a proxy is one pool for all hosts
_CA_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")


class _Checked(HTTPConnection):
    """A connection to an address that was checked, not to whatever the name means a moment later."""

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
        flight = current_flight()
        failure: OSError = OSError("no address")
        for family, kind, proto, _, address in found[:_MOST_TRIED]:
            sock = socket.socket(family, kind, proto)
            try:
                for option in self.socket_options or ():
                    sock.setsockopt(*option)
                left = flight.remaining if flight else self.timeout
                sock.settimeout(min(self.timeout or left or 0.001, left or 0.001))
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

    def request(self, *args: Any, **options: Any) -> None:
        flight = current_flight()
        # A connection kept from an earlier request has not been watched by this flight.
        if flight is not None and self.sock is not None:
            flight.watch(self.sock)
        super().request(*args, **options)


class _CheckedTls(_Checked, HTTPSConnection):
    """The same, with TLS over it: the certificate is checked against the host's name."""


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Checked


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _CheckedTls


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
    if flight is not None and response.status_code not in REDIRECTS:
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
    response.raw = HTTPResponse(
        body=body,
        headers=response.headers,
        status=response.status_code,
        reason=response.reason,
        preload_content=False,
        decode_content=False,
        request_url=response.request.url,
    )
    return response


class Door:
    """A requests session that keeps nothing, follows nothing and tells nothing of its own.

    The caller's session is not touched: a shallow copy is used, with the caller's adapters as they are, and guarded
    ones in place of the adapters that requests mounts itself.

    Args:
        http: the caller's session, or None.
        proxy: a proxy for everything, or None for what the environment says.
    """

    def __init__(self, http: requests.Session | None, proxy: str | None) -> None:
        original = requests.Session() if http is None else http
        self._own = None if http is not None else original
        # A subclass may do what it likes with a body (requests-cache keeps it).
        self._guarded = GuardedAdapter(whole=type(original) is not requests.Session)
        self._http = _plain_copy(original, self._guarded)
        self._environment = original.trust_env
        self._proxies = {"http": proxy, "https": proxy} if proxy else dict(original.proxies)
        self._caches = "only_if_cached" in inspect.signature(type(original).send).parameters

    def send(self, request: requests.PreparedRequest, timeout: tuple[float, float]) -> requests.Response:
        """Send one request; its body is not read, nor is a redirect followed.

        Args:
            request: as `prepared` gives it.
            timeout: seconds for connecting and for each read.
        """
        return self._http.send(request, timeout=timeout, **self._settings(request))

    def cached(self, request: requests.PreparedRequest) -> requests.Response | None:
        """Return what a caching session knows already, without a request."""
        if not self._caches:
            return None
        send = cast("Any", self._http).send
        response: requests.Response = send(request.copy(), only_if_cached=True, **self._settings(request))
        # What it does not know it answers with 504 (RFC 9111, 5.2.1.7).
        return None if response.status_code == 504 else response  # noqa: PLR2004

    def _settings(self, request: requests.PreparedRequest) -> dict[str, Any]:
        url = request.url or ""
        proxies = {**(get_environ_proxies(url) if self._environment else {}), **self._proxies}
        verify = self._http.verify
        if (verify is True or verify is None) and self._environment:
            verify = next((path for name in _CA_VARIABLES if (path := os.environ.get(name))), True)
        return {
            "stream": True,
            "allow_redirects": False,
            "proxies": proxies,
            "verify": verify,
            "cert": self._http.cert,
        }

    def close(self) -> None:
        """Close the connections; the caller's session stays open."""
        self._guarded.close()
        if self._own is not None:
            self._own.close()


def _plain_copy(original: requests.Session, guarded: GuardedAdapter) -> requests.Session:
    # Not by `copy`, which pickles: a session that holds a database says no to that (requests-cache).
    session = object.__new__(type(original))
    vars(session).update(vars(original))
    session.adapters = OrderedDict(original.adapters)
    for prefix, adapter in original.adapters.items():
        if type(adapter) is HTTPAdapter:
            session.adapters[prefix] = guarded
    session.cookies = RequestsCookieJar(policy=DefaultCookiePolicy(allowed_domains=()))
    session.trust_env = False  # netrc; proxies and the CA bundle are looked up by `Door`
    # requests reads a redirect's body whole, without a cap, unless it sees no redirect (even when told not to follow).
    session.get_redirect_target = lambda resp: None  # type: ignore[method-assign]  # noqa: ARG005
    return session


def prepared(url: str, headers: dict[str, str]) -> requests.PreparedRequest:
    """Return a GET request with these headers and no others."""
    request = requests.PreparedRequest()
    request.prepare(method="GET", url=url, headers=headers)
    return request


def as_sent(url: str) -> str:
    """Return a URL as requests sends it: dot segments taken out, escapes in one spelling. Rules are matched with this.

    Args:
        url: a normalised URL.

    Raises:
        UnsupportedUrl: requests refuses it.
    """
    request = requests.PreparedRequest()
    try:
        # Twice: the first round may unescape %2e, which makes a dot segment.
        for _ in range(2):
            request.prepare_url(request.url or url, None)
    except ValueError as error:
        raise UnsupportedUrl(url, in_short(error)) from error
    return request.url or url
