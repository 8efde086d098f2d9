"""URLs: normalise, resolve, compare hosts and registrable domains. Pure: nothing here asks the network."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import SplitResult, quote, urljoin, urlsplit, urlunsplit

from sitediscover.errors import InvalidSite, InvalidUrl
from sitediscover.hosts import normalise_host, registrable_domain

MAX_URL = 8_192
"""Longest URL taken, in characters. sitemaps.org allows 2,048; servers commonly take 8 KiB."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_HOST_PORT = re.compile(r"[^/?#@:]+:(?:\d+(?:[/?#].*)?)?$", re.DOTALL)
# user:password@host, which begins like a scheme: a message must not repeat it. An address of a mailbox has a real one.
_CREDENTIALS = re.compile(r"(?!mailto:)[^/?#@:]*:[^/?#@]*@", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_BRACKETED = re.compile(r"\[[^\[\]]*\](?::\d*)?")
_FEED_SCHEME = re.compile(r"\A(?:feed:/*)+", re.IGNORECASE)
# Unicode white space, plus the zero-width characters and the BOM that editors leave around a pasted URL.
_EDGES = "".join(map(chr, (*range(0x21), 0x7F, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200E), 0x2028, 0x2029, 0x202F)))
_EDGES += "\u205f\u2060\u3000\ufeff"
# What stays as it is in a path and in a query (RFC 3986 plus what servers in the wild expect untouched).
_SAFE_PATH = "%/:@!$&'()*+,;=~-._[]|"
_SAFE_QUERY = _SAFE_PATH + "?{}^`"
# What most links look like: nothing in them needs care. The long way with each took two thirds of a discovery's time.
_PLAIN = re.compile(r"(https?://[a-z0-9.-]+)?((?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+/?(?:\?[A-Za-z0-9_.&=-]+)?)")
_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]+)(?=[/?#])")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteAddress:
    """A site as a person named it.

    Attributes:
        origin: scheme, host and port, without a final slash.
        path: the path and query that were given; `/` where none was.
        scheme_given: False where https was only assumed.
    """

    origin: str
    path: str = "/"
    scheme_given: bool = True


def strip_url(text: str) -> str:
    """Return a URL without the white space (Unicode's too) around it and the line breaks inside it.

    Browsers drop tabs and line breaks inside a URL (WHATWG URL, basic URL parser, step 3).
    """
    return text.strip(_EDGES).replace("\t", "").replace("\r", "").replace("\n", "")


def normalise_url(url: str) -> str:
    """Return a URL as we ask for it: host in lower case and ASCII, no default port, no fragment.

    The path's and the query's case and escapes stay; characters that no URL may hold are percent-encoded.

    Args:
        url: an absolute http(s) URL, white space around it allowed.

    Raises:
        InvalidUrl: another scheme, no valid host or port, credentials, control characters, or too long.
    """
    plain = _plain(url)
    origin = _origin_for("", plain[1]) if plain and plain[1] else None
    return origin + plain[2] if plain and origin else _normalised(url)


def _plain(url: str) -> re.Match[str] | None:
    # A link of 8 MB is possible, and costs the pattern 650 MB.
    return _PLAIN.fullmatch(url) if len(url) < MAX_URL // 2 else None


def _normalised(url: str) -> str:
    parts = _split(url)
    if parts.username is not None or parts.password is not None:
        raise InvalidUrl(f"a URL with credentials: {parts.scheme}://...@{parts.hostname or ''}")
    host, port = _authority(parts)
    netloc = host if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"
    path = _escape(parts.path, _SAFE_PATH) or "/"
    return _not_too_long(urlunsplit((parts.scheme, netloc, path, _escape(parts.query, _SAFE_QUERY), "")))


def _split(url: str) -> SplitResult:
    text = _not_too_long(strip_url(url))
    if _CONTROL.search(text):
        raise InvalidUrl(f"a URL with control characters: {text!r:.80}")
    parts = _parts(text)
    if parts.scheme not in _DEFAULT_PORTS:
        raise InvalidUrl(f"not an http(s) URL: {text!r:.80}")
    return parts


def _not_too_long(url: str) -> str:
    if len(url) > MAX_URL:
        raise InvalidUrl(f"a URL of {len(url)} characters: {url[:60]!r}...")
    return url


def _parts(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError as error:
        raise InvalidUrl(f"not a URL: {url!r:.80}") from error


def _authority(parts: SplitResult) -> tuple[str, int | None]:
    try:
        port = parts.port
    except ValueError as error:
        raise InvalidUrl(f"a port out of range: {parts.netloc!r:.80}") from error
    if port == 0:
        raise InvalidUrl(f"a port out of range: {parts.netloc!r:.80}")
    host = parts.hostname or ""
    if "[" in parts.netloc:
        # urlsplit passes over what stands around the brackets: [::1]x is read as ::1.
        host = f"[{host}]" if _BRACKETED.fullmatch(parts.netloc) else parts.netloc
    return normalise_host(host), port


def _escape(text: str, safe: str) -> str:
    if text.isascii() and text.replace("/", "").replace("-", "").replace("_", "").replace(".", "").isalnum():
        return text
    return quote(_STRAY_PERCENT.sub("%25", text), safe=safe, errors="replace")


def resolve(base: str, reference: str) -> str | None:
    """Return the normalised absolute URL that a reference on a page means.

    Args:
        base: the page's final URL, or its `<base>`.
        reference: an `href` as written.

    Returns:
        The URL, or None where it leads to no http(s) address.
    """
    plain = _plain(reference)
    if plain:
        origin = _origin_for(base, plain[1] or "")
        return None if origin is None else origin + plain[2]
    text = strip_url(reference)
    if not text or len(text) > MAX_URL:
        return None
    try:
        return normalise_url(urljoin(base, _forward(text)))
    except (InvalidUrl, ValueError):
        return None


@lru_cache(maxsize=1_024)
def _origin_for(base: str, origin: str) -> str | None:
    """Return the normalised origin of references that begin with this one, or with a slash where it is empty."""
    return (resolve(base, (origin or "/") + "?") or "")[:-1] or None


def _forward(text: str) -> str:
    """Browsers read a backslash before the query as a slash (WHATWG URL, special schemes)."""
    if "\\" not in text:
        return text
    head, mark, tail = text.partition("?")
    return head.replace("\\", "/") + mark + tail


def parse_site(text: str) -> SiteAddress:
    """Return the site that a person means by a host name or by any URL of it.

    `feed://` and `feed:https://` spellings are read as http(s); without a scheme https is assumed.

    Args:
        text: a host, a host with a port, or a URL.

    Raises:
        InvalidSite: it cannot name a site.
    """
    if not isinstance(text, str):
        raise InvalidSite(f"a site is a text, not {type(text).__name__}")
    cleaned = _forward(strip_url(text))
    if not cleaned:
        raise InvalidSite("an empty text names no site")
    url, scheme_given = _with_scheme(cleaned)
    try:
        parts = urlsplit(normalise_url(url))
    except InvalidUrl as error:
        raise InvalidSite(str(error)) from error
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    return SiteAddress(origin=f"{parts.scheme}://{parts.netloc}", path=path, scheme_given=scheme_given)


def _with_scheme(text: str) -> tuple[str, bool]:
    # feed://host is http by the old convention; as no scheme was really given, https goes first.
    text = _FEED_SCHEME.sub("", text)
    if text.lower().startswith(("http:", "https:")):
        scheme, _, rest = text.partition(":")
        return f"{scheme}://{rest.lstrip('/')}", True
    if text.startswith("//"):
        return f"https:{text}", False
    if _CREDENTIALS.match(text):
        return f"https://{text}", False
    if _SCHEME.match(text) and not _HOST_PORT.match(text):
        raise InvalidSite(f"not an http(s) URL: {text!r:.80}")
    # Port 80 is http's own: the obvious reading of host:80.
    assumed = "http" if re.match(r"[^/?#]+:80(?:[/?#]|$)", text) else "https"
    return f"{assumed}://{text}", False


def origin_of(url: str) -> str:
    """Return scheme, host and port of a normalised URL, without a final slash."""
    parts = _parts(url)
    return f"{parts.scheme}://{parts.netloc}"


def host_of(url: str) -> str:
    """Return the host of a URL, lower case, without port; an empty text where there is none."""
    if plain := _PLAIN_HOST.match(url):
        return plain[1]
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def path_of(url: str) -> str:
    """Return path and query of a URL: what robots.txt rules are matched with."""
    parts = _parts(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def same_host(one: str, other: str) -> bool:
    """Say whether two URLs have one host, `www.` and the port left aside."""
    return bool(host_of(one)) and host_of(one).removeprefix("www.") == host_of(other).removeprefix("www.")


def same_site(one: str, other: str) -> bool:
    """Say whether two URLs belong to one registrable domain."""
    first, second = host_of(one), host_of(other)
    return bool(first) and (first == second or registrable_domain(first) == registrable_domain(second))
