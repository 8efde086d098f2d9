"""Which links of a page lead to feeds, and which of them is best: tables, and nothing that reads HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from sitediscover.urls import host_of, resolve, same_host, same_site

MAX_ADDRESS = 500
"""Characters of a path and query that the tables look at. The longest feeds of search engines stay below 300."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedLink:
    """A feed that a page names.

    Attributes:
        url: the absolute address.
        title: as the link or the anchor's text tells it.
        media_type: as declared, in lower case without parameters.
        language: as declared.
        found_in: `link`, `anchor` or `header`.
        certain: it was declared as a feed; False where only the address looks like one and the body must prove it.
    """

    url: str
    title: str | None = None
    media_type: str | None = None
    language: str | None = None
    found_in: str = "link"
    certain: bool = True


TYPED = "typed"
"""Stands for the `rel` of an `<a>` that has none of alternate's and a type of its own: it may be a feed, no more."""


class Candidate(NamedTuple):
    """A link as written, before anything is known about it."""

    href: str
    rel: str | None = None
    media_type: str | None = None
    title: str | None = None
    language: str | None = None
    found_in: str = "link"


# Types that mean a feed and nothing else. The registered ones first, then what sites write instead of them.
_FEED_TYPE = re.compile(
    r"application/(?:rss|atom|rdf|feed)\+(?:xml|json)|(?:application|text)/(?:x[-.])?(?:rss|atom|rdf)(?:\+xml)?"
)
# Types that a feed may be declared with, and much else too: the address decides (miniflux#4040, JSONFeed#32).
_DOUBTFUL_TYPES = frozenset({"", "application/json", "application/xml", "text/xml"})

# An address that looks like a feed's: the usual ones (DESIGN.md, why-notes) and what bug reports show.
_FEED_ADDRESS = re.compile(
    r"""
    ^[^?]*/(?:rss|atom|rdf|feeds?|rss2|rss20|newsfeed|syndication)(?:/[^?.]*)?(?:\?|$)  # /feed, /feeds/json/
  | ^[^?]*\.(?:rss|atom|rdf)(?:\?|$)  # /comments.rss
  | ^[^?]*/index\.(?:xml|json)(?:\?|$)  # Hugo
  | ^[^?]*/[^/?]*(?<![a-z])(?:rss|atom|rdf|feeds?)\d?(?![a-z])[^/?]*\.(?:xml|json|php|aspx?|ashx|cgi|do|jsp)(?:\?|$)
  | ^[^?]*rss\d?\.(?:xml|php|aspx?)(?:\?|$)  # /QCRSS.xml (feedbin/support#9), /getrss.aspx: no word ends so
  | ^[^?]*/(?:rss|atom|rdf|feeds?)/[^?]*\.(?:xml|json|php|aspx?)(?:\?|$)  # /rss/world.xml
  | [?&](?:feed|format|type|alt|output|mode|outputtype|view)=(?:rss|atom|rdf|feed|json-?feed)[\d.]*(?:&|$)
    """,
    re.VERBOSE,
)
_FEED_HOST = re.compile(r"^(?:feeds?\d?|rss)\.|(?:^|\.)(?:feedburner|feedpress|feedblitz)\.(?:com|me)$")
# One of these stands in whatever the two patterns match: most links are done with after this look.
_FEED_WORDS = ("rss", "feed", "atom", "rdf", "syndication", "/index.")
# Looks like a feed and is none: REST and oEmbed answers, lists of feeds, pages about feeds, parts of pages.
_NEVER_A_FEED = re.compile(
    r"/wp-json(?:/|\?|$)|[?&]rest_route=|oembed|\.(?:opml|html?|css|js|png|jpe?g|gif|svg|ico|webp|pdf)(?:\?|$)|/sitemap[^/]*$"
)
# Sites that subscribe to a feed rather than being one: the feed's own address stands inside theirs.
_READER_HOST = re.compile(
    r"(?:^|\.)(?:feedly|inoreader|newsblur|netvibes|bloglines|theoldreader|feedbin|subtome|my\.yahoo|add\.my\.yahoo"
    r"|newsgator|rojo|pageflakes|fusion\.google|reader\.google|validator\.w3|feedvalidator)\.(?:com|org|net|me)$"
)
_FEED_TEXT = re.compile(
    r"(?:rss|atom|xml|rdf|feed)(?:[\s-]*+(?:\d(?:\.\d++)?+|feeds?+|rss|xml|atom))*+", re.IGNORECASE
)  # possessive: "RSS 1.11 1.11 ..." can be read in 2^n ways
# Too little to be a feed by itself, enough where the anchor's text says RSS.
_WEAK_ADDRESS = re.compile(r"/xml/?$|\.(?:xml|php\d?|aspx?|cgi|json)(?:\?|$)|\?[^=]+=")
# No address: a command (`|command`, as some readers write a local feed; a page that names one is an attack on them), or
# what follows a quote that was never closed.
_NO_ADDRESS = re.compile(r"\s*\||[^<]*<[a-zA-Z/!]")


def looks_like_feed(url: str) -> bool:
    """Say whether an absolute address looks like a feed's."""
    lowered = url.lower()
    if "%" not in lowered and not any(word in lowered for word in _FEED_WORDS):
        return False
    host, path = host_of(url), address_of(url)
    if _NEVER_A_FEED.search(path) or _READER_HOST.search(host):
        return False
    return bool(_FEED_ADDRESS.search(path) or _FEED_HOST.search(host))


def address_of(url: str) -> str:
    """Return path and query of an address as the tables read them: unquoted, in lower case, the first part of them."""
    parts = urlsplit(url)
    return (unquote(parts.path).lower() + (f"?{parts.query.lower()}" if parts.query else ""))[:MAX_ADDRESS]


_FEED_SCHEME = re.compile(r"\s*feed:(?=https?:|//)", re.IGNORECASE)


def http_spelling(href: str) -> str:
    """Return an href without the `feed:` before it: `feed:https://host/x`, `feed://host/x` (then the page's scheme)."""
    return _FEED_SCHEME.sub("", href, count=1)


def advertised(candidate: Candidate, base: str) -> FeedLink | None:
    """Return the feed that a `<link>`, an `<a rel=alternate>` or a Link header advertises, or None.

    Args:
        candidate: the link as written.
        base: what its address is relative to.
    """
    media_type = (candidate.media_type or "").split(";")[0].strip().lower()
    certain = bool(_FEED_TYPE.fullmatch(media_type))
    tokens = set((candidate.rel or "").lower().split())
    # A <link> with no rel at all means what its type or its address says (list-feeds#6); with another rel it does not.
    related = bool(tokens & {"alternate", "feed", TYPED}) or candidate.rel is None
    if not related or "stylesheet" in tokens or not (certain or media_type in _DOUBTFUL_TYPES):
        return None
    url = None if _NO_ADDRESS.match(candidate.href) else resolve(base, http_spelling(candidate.href))
    if url is None:
        return None
    # Without a feed's type, hreflang marks a translation of the page.
    if not certain and (candidate.language or not looks_like_feed(url)):
        return None
    return FeedLink(
        url=url,
        title=_clean(candidate.title),
        media_type=media_type or None,
        language=_clean(candidate.language),
        found_in=candidate.found_in,
        certain=certain and candidate.rel != TYPED,
    )


def _clean(text: str | None) -> str | None:
    return " ".join((text or "").split()) or None


def feed_like_anchor(url: str, text: str, page: str) -> FeedLink | None:
    """Return what may be a feed by an anchor's address and text, or None.

    Args:
        url: the absolute address.
        text: the anchor's text.
        page: the page's address; feeds of other sites that it mentions are not its own.
    """
    says_feed = bool(_FEED_TEXT.fullmatch(text))
    likely = looks_like_feed(url) or (says_feed and not _NEVER_A_FEED.search(address_of(url)) and _weak(url))
    own = same_host(url, page) or _FEED_HOST.search(host_of(url)) or same_site(url, page) if likely else False
    if not own or url == page:
        return None
    return FeedLink(url=url, title=text or None, found_in="anchor", certain=False)


def _weak(url: str) -> bool:
    return bool(_WEAK_ADDRESS.search(address_of(url))) and not _READER_HOST.search(host_of(url))
