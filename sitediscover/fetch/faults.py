"""What went wrong on the wire, in our own words. Pure."""

from __future__ import annotations

import http.client
import socket
import ssl
from typing import TYPE_CHECKING

import requests
import urllib3.exceptions as urllib3

from sitediscover.errors import DeadlineExceeded, FetchError, NoConnection, SitediscoverError, TlsFailure, Unreachable

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_LINKS = 12
_LONGEST = 120

# The first row that fits any link of the chain of causes: what it is, what it becomes, and whether to ask once more.
# Never again after a certificate failure or for a name that does not exist: nothing changes in a second. Nor after a
# silence: whoever has not answered in ten seconds has no use for a second request.
_FAULTS: tuple[tuple[tuple[type[BaseException], ...], type[FetchError], str, bool], ...] = (
    ((requests.exceptions.SSLError, urllib3.SSLError, ssl.SSLError), TlsFailure, "TLS", False),
    ((requests.exceptions.ProxyError, urllib3.ProxyError), NoConnection, "the proxy", False),
    ((urllib3.NameResolutionError,), NoConnection, "the name does not resolve", False),
    ((urllib3.NewConnectionError,), NoConnection, "no connection", True),
    ((requests.ConnectTimeout, urllib3.ConnectTimeoutError), NoConnection, "no connection in time", False),
    ((requests.ReadTimeout, urllib3.ReadTimeoutError, TimeoutError), DeadlineExceeded, "silence", False),
    ((ConnectionError,), Unreachable, "the connection broke", True),
    ((http.client.IncompleteRead,), Unreachable, "the answer ended early", True),
    ((http.client.HTTPException, urllib3.ProtocolError, urllib3.InvalidHeader), Unreachable, "no HTTP", False),
    ((requests.ConnectionError,), NoConnection, "no connection", True),
    ((BaseException,), Unreachable, "no usable answer", False),
)


def fault(error: Exception, url: str, *, handled: BaseException | None = None) -> tuple[FetchError, bool]:
    """Return our error for one of requests, urllib3, http.client or the system.

    Args:
        error: what was raised.
        url: what was asked.
        handled: what was being handled before, and has nothing to do with it: Python chains it all the same.

    Returns:
        The error, and whether the request may be made again.

    Raises:
        KeyboardInterrupt: it lies behind the error: a library took it for a fault on the wire.
    """
    links = list(_links(error, handled))
    for link in links:
        if isinstance(link, KeyboardInterrupt):
            raise link
    fits = (row for row in _FAULTS if any(isinstance(link, row[0]) for link in links))
    _, ours, words, again = next(fits)
    again = again or any(isinstance(link, socket.gaierror) and link.errno == socket.EAI_AGAIN for link in links)
    return ours(url, f"{words}: {in_short(links[-1])}"), again


def in_short(text: object) -> str:
    """Return a text from outside on one line, shortened: it may hold anything."""
    words = str(text)[: 2 * _LONGEST] or type(text).__name__
    words = "".join(letter if letter.isprintable() else " " for letter in words)
    return words if len(words) <= _LONGEST else words[: _LONGEST - 3] + "..."


def _ours(error: BaseException) -> bool:
    return isinstance(error, SitediscoverError)


def _links(error: BaseException, handled: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what lies behind it, the cause last."""
    seen: list[BaseException] = [handled] if handled else []
    queue = [error]
    while queue and len(seen) < _MOST_LINKS:
        link = queue.pop(0)
        if link in seen:
            continue
        seen.append(link)
        yield link
        behind = (getattr(link, "reason", None), *link.args, link.__cause__, link.__context__)
        # One of ours tells of another request: the one that was given up before this one was made.
        queue += [item for item in behind if isinstance(item, BaseException) and not _ours(item)]
