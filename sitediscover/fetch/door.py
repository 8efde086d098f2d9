"""How requests are sent: a requests session that keeps nothing, follows nothing and tells nothing of its own."""

from __future__ import annotations

import inspect
import os
from collections import OrderedDict
from http.cookiejar import DefaultCookiePolicy
from typing import Any, cast
from urllib.request import getproxies

import requests
from requests.adapters import HTTPAdapter
from requests.cookies import RequestsCookieJar
from requests.utils import get_environ_proxies

from sitediscover.errors import UnsupportedUrl
from sitediscover.fetch.faults import in_short
from sitediscover.fetch.transport import GuardedAdapter

_PROXY_VARIABLES = (
    *(name for each in ("http_proxy", "https_proxy", "all_proxy", "no_proxy") for name in (each, each.upper())),
    "REQUEST_METHOD",  # under CGI HTTP_PROXY is what a visitor has sent, and does not count
)
_CA_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")


class Door:
    """A requests session that keeps nothing, follows nothing and tells nothing of its own.

    The caller's session is not touched: a shallow copy is used, with the caller's adapters as they are, and guarded
    ones in place of the adapters that requests mounts itself.

    Args:
        http: the caller's session, or None.
        proxy: a proxy for everything, or None for what the environment says.

    Attributes:
        marks_cuts: a body that was cut comes with `CUT_HEADER`.
    """

    def __init__(self, http: requests.Session | None, proxy: str | None) -> None:
        original = requests.Session() if http is None else http
        self._own = None if http is not None else original
        self._caches = "only_if_cached" in inspect.signature(type(original).send).parameters
        # A subclass may do what it likes with a body (requests-cache keeps it).
        self.marks_cuts = self._caches or type(original) is not requests.Session
        self._guarded = GuardedAdapter(whole=self.marks_cuts)
        self._http = _plain_copy(original, self._guarded)
        self._environment = original.trust_env
        self._told = _Environment()
        self._proxies = {"http": proxy, "https": proxy} if proxy else dict(original.proxies)

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
        proxies = {**(self._told.proxies(url) if self._environment else {}), **self._proxies}
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


class _Environment:
    """The proxies that the environment tells: looked for anew where one of its variables has changed.

    requests reads the whole environment twice for each request, which took an eighth of a discovery's time.
    """

    def __init__(self) -> None:
        self._seen: tuple[str | None, ...] | None = None
        self._any = False

    def proxies(self, url: str) -> dict[str, str]:
        """Return the proxies for a URL, by scheme."""
        seen = tuple(map(os.environ.get, _PROXY_VARIABLES))
        if seen != self._seen:
            self._any, self._seen = bool(getproxies()), seen
        return dict(get_environ_proxies(url)) if self._any else {}


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
