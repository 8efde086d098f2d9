"""The addresses that sitemaps and feeds list, as they are written there. Pure."""

from __future__ import annotations

import re
from urllib.parse import quote, urljoin, urlsplit

from sitediscover.urls import MAX_URL, path_of, resolve, strip_url

# What nearly all addresses are: a lower-case host with a name for its last label, no port, nothing to escape, no `;`
# which `&amp;` would need. One match, 0.5 us, where taking a URL apart and together again costs 8 us.
_PATH = r"[A-Za-z0-9/._~!$&'()*+,=:@?-]*+(?:%[0-9A-Fa-f]{2}[A-Za-z0-9/._~!$&'()*+,=:@?-]*+)*+"
PLAIN_PATH = re.compile(_PATH)
"""A path and query in order: nothing to escape, no fragment."""

_LABEL = r"(?:[a-z0-9-]{0,61}[a-z0-9])?"
_ORIGIN = rf"https?://(?:[a-z0-9]{_LABEL}\.){{1,9}}[a-z]{_LABEL}/"
_PLAIN = re.compile(_ORIGIN + _PATH)
# The same with letters of any alphabet in its path: what sites that do not write Latin list.
_IRI = re.compile(rf"{_ORIGIN}[^\x00-\x20\x7f-\xa0\"#;<>?\\^`{{|}}\u1680\u2000-\u206f\u3000\ud800-\udfff\ufeff]*+")
_SHORT = MAX_URL // 9
"""Characters that stay within `MAX_URL` when each is escaped as three bytes."""

ABSOLUTE = re.compile(r"https?://", re.IGNORECASE)
"""How an address begins that is not relative to another."""

# `https://` and `https:///a` name no host; urljoin would put in the sitemap's own.
_HOSTLESS = re.compile(r"https?:(?:/?(?:[?#]|\Z)|//(?:[/?#]|\Z))", re.IGNORECASE)
# What generators leave around an address: quotes and angle brackets (RFC 3986, appendix C), CDATA marks escaped twice.
_WRAPPED = re.compile(r"<!\[CDATA\[(.*)\]\]>|([\"'])(.*)\2|<(.*)>", re.DOTALL)
# An ampersand escaped once more, as often as not as WordPress does it: `&#038;` would cut the address at its `#`.
_AMPERSAND = re.compile(r"&(?:(?:amp|#0*38|#x0*26);)+", re.IGNORECASE)
_NEVER_PLAIN = re.compile(r"[\x00-\x20\x7f\"<>\\^`{|}]")
_SITEMAP_PATH = re.compile(r"[^?]*(?:sitemap[^?]*\.(?:xml|txt)(?:\.gz)?|\.xml\.gz)(?:\?|$)", re.IGNORECASE)


def written_url(base: str, text: str) -> str | None:
    """Return the absolute URL that a sitemap lists, its path and query as written.

    Host and port are normalised, relative addresses resolved, the fragment goes, characters that no URL or IRI may
    hold are escaped, an ampersand that was escaped twice is read as one, and quotes or marks around the whole go.

    Args:
        base: the final URL of the sitemap.
        text: what the element held.

    Returns:
        The URL, or None where it leads to no http(s) address.
    """
    if (_PLAIN.fullmatch(text) and len(text) <= MAX_URL) or (len(text) <= _SHORT and _IRI.fullmatch(text)):
        return text
    return _written(base, _AMPERSAND.sub("&", _bare(text)))


def _bare(text: str) -> str:
    """Return an address without what stands around it, and without DEL, which XML allows and no URL does."""
    text = strip_url(text).replace("\x7f", "")
    wrapped = _WRAPPED.fullmatch(text)
    return strip_url(wrapped[1] or wrapped[3] or wrapped[4] or "") if wrapped else text


def _written(base: str, text: str) -> str | None:
    url = None if _HOSTLESS.match(text) else resolve(base, text)
    if url is None:
        return None
    if "\\" in text:
        return url
    # urljoin drops a `;` at the end, so an absolute address does not go through it.
    ours, theirs = urlsplit(url), urlsplit(text if ABSOLUTE.match(text) else urljoin(base, text))
    path = _NEVER_PLAIN.sub(lambda found: quote(found[0]), theirs.path)
    query = _NEVER_PLAIN.sub(lambda found: quote(found[0]), theirs.query)
    return f"{ours.scheme}://{ours.netloc}{path}" + (f"?{query}" if query else "")


def names_sitemap(url: str) -> bool:
    """Say whether an address is, by its name, that of a sitemap and not of a page."""
    return bool(_SITEMAP_PATH.match(path_of(url)))
