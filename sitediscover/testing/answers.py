"""What a web in a dict answers to a request. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from email.utils import mktime_tz, parsedate_tz
from typing import Literal, TypeAlias
from urllib.parse import unquote, urlsplit

from requests.structures import CaseInsensitiveDict


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request as a web was asked it.

    Attributes:
        method: GET, HEAD, ...
        url: the whole address.
        headers: as sent; their names in any case.
        at: seconds since 1970 when it was asked, by the web's clock.
    """

    method: str = "GET"
    url: str
    headers: Mapping[str, str] = field(default_factory=CaseInsensitiveDict)
    at: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a web answers.

    Attributes:
        status: the HTTP status.
        headers: as sent; Content-Type (by the look of the body) and Content-Length are added where they are missing.
        body: sent as it is, text as UTF-8; with a `Content-Encoding` header it has to be encoded already.
        error: no answer at all comes: `refused` (no connection), `tls` (a bad certificate) or `timeout` (silence).
        delay: seconds until the answer comes, on the web's clock.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | bytes = b""
    error: Literal["refused", "timeout", "tls"] | None = None
    delay: float = 0.0


Reply: TypeAlias = Answer | str | bytes
Web: TypeAlias = Mapping[str, Mapping[str, Reply | Callable[[Call], Reply]]]

_PORTS = {"http": ":80", "https": ":443"}
_NOT_FOUND = Answer(status=404, body="<!doctype html><title>Not found</title><p>Nothing is here.")
# What a server would label a body with, by how the body begins; the first that fits.
_CONTENT_TYPES = (
    (re.compile(rb"\x1f\x8b"), "application/gzip"),
    (re.compile(rb"\s*(<\?xml[^>]*\?>\s*)?<rss\b"), "application/rss+xml"),
    (re.compile(rb"\s*(<\?xml[^>]*\?>\s*)?<feed\b"), "application/atom+xml"),
    (re.compile(rb"\s*<(\?xml|urlset|sitemapindex)\b"), "application/xml"),
    (re.compile(rb"\s*<"), "text/html; charset=utf-8"),
    (re.compile(rb"\s*[{\[]"), "application/json"),
    (re.compile(rb""), "text/plain; charset=utf-8"),
)


def respond(web: Web, call: Call) -> Answer | None:
    """Return what a web in a dict answers, whole: with the headers of its body, 304 where the caller has it already.

    Args:
        web: `{"https://host": {"/path?query": answer, "*": answer for every other path}}`.
        call: what is asked.

    Returns:
        The answer, its body in bytes; None where the web has no such host.
    """
    parts = urlsplit(call.url)
    host = web.get(f"{parts.scheme}://{parts.netloc.lower().removesuffix(_PORTS.get(parts.scheme, ''))}")
    if host is None:
        return None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    found = next((host[key] for key in (path, unquote(path), "*") if key in host), _NOT_FOUND)
    reply = found(call) if callable(found) else found
    return _whole(reply if isinstance(reply, Answer) else Answer(body=reply), call)


def _whole(answer: Answer, call: Call) -> Answer:
    body = answer.body.encode() if isinstance(answer.body, str) else answer.body
    headers = CaseInsensitiveDict(answer.headers)
    if answer.status == 200 and _unchanged(headers, call.headers):  # noqa: PLR2004 - OK
        return replace(answer, status=304, headers=headers, body=b"")
    if body:
        headers.setdefault("Content-Type", next(kind for look, kind in _CONTENT_TYPES if look.match(body)))
    if answer.status not in {204, 304}:  # these never have a body (RFC 9110, 6.4.1)
        headers.setdefault("Content-Length", str(len(body)))
    return replace(answer, headers=headers, body=b"" if call.method == "HEAD" else body)


def _unchanged(headers: Mapping[str, str], asked: Mapping[str, str]) -> bool:
    """Judge a conditional request; If-None-Match goes before If-Modified-Since (RFC 9110, 13.2.2)."""
    tags, etag = asked.get("If-None-Match"), headers.get("ETag")
    if tags is not None:
        return etag is not None and etag.removeprefix("W/") in {
            tag.strip().removeprefix("W/") for tag in tags.split(",")
        }
    since, changed = parsedate_tz(asked.get("If-Modified-Since", "")), parsedate_tz(headers.get("Last-Modified", ""))
    return since is not None and changed is not None and mktime_tz(changed) <= mktime_tz(since)


def redirect(to: str, status: int = 301) -> Answer:
    """Return the answer that leads elsewhere.

    Args:
        to: the address, absolute or relative.
        status: 301, 302, 303, 307 or 308.
    """
    return Answer(status=status, headers={"Location": to})
