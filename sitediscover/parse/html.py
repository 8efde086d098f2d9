"""A page -> its feeds, its links and what it says about itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

from sitediscover.parse.challenge import challenge_in
from sitediscover.parse.feedlinks import TYPED, FeedLink, advertised, feed_like_anchor, http_spelling
from sitediscover.parse.feedrank import Setting, ranked
from sitediscover.parse.linkheader import parse_link_header
from sitediscover.parse.pagereader import read_page
from sitediscover.urls import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitediscover.parse.pagereader import RawAnchor

MAX_REFRESH_DELAY = 10.0
"""Seconds. A meta refresh within this time is a redirect; a later one reloads the page (news sites: 300 s and more)."""

MAX_ANCHOR_FEEDS = 500
"""Feed-like anchors kept of a page without declared feeds. A page with more is a directory of other people's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link of a page.

    Attributes:
        url: the absolute address.
        text: the anchor's text, or its image's, in one line.
        place: the landmark it stands in: `nav`, `header`, `footer`, `aside`, `main`, or an empty text.
    """

    url: str
    text: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLinks:
    """What a page links to and says about itself.

    Attributes:
        feeds: the feeds it names, best first.
        links: its http(s) links, in document order.
        base: what its links are relative to: the first `<base href>`, or the page's own address.
        generator: the software that made it, as it says.
        canonical: the address it says it should have.
        language: the page's language, as written.
        title: its title, in one line.
        refresh: where a meta refresh with a short delay sends the reader.
        challenge: the name of the bot wall that answered instead of the page.
        capped: the names of the limits that were reached: `links`, `feeds`, `text`, `tag`.
    """

    feeds: tuple[FeedLink, ...] = ()
    links: tuple[Link, ...] = ()
    base: str = ""
    generator: str | None = None
    canonical: str | None = None
    language: str | None = None
    title: str | None = None
    refresh: str | None = None
    challenge: str | None = None
    capped: tuple[str, ...] = ()


def parse_page(
    html: bytes,
    url: str,
    charset: str | None = None,
    *,
    link_header: str | None = None,
    refresh_header: str | None = None,
    asked_path: str = "/",
) -> PageLinks:
    """Return the feeds and links of a page, as much of it as can be read.

    Args:
        html: the body, of any kind and encoding, perhaps cut.
        url: the page's final address.
        charset: the charset of its `Content-Type` header.
        link_header: its `Link` headers (RFC 8288), joined by commas.
        refresh_header: its `Refresh` header, which says what a meta refresh does.
        asked_path: the path the user asked for; feeds under it go first.
    """
    page = read_page(html, charset)
    base = (resolve(url, page.base) if page.base else None) or url
    links = tuple(_links(page.links, base))
    told = [(candidate.rel, feed) for candidate in page.candidates if (feed := advertised(candidate, base))]
    feeds = [feed for rel, feed in told if rel != TYPED]
    # RFC 8288, 3.2: relative to the answer's own address, not to its <base>.
    feeds += [feed for candidate in parse_link_header(link_header or "", url) if (feed := advertised(candidate, url))]
    refresh = _refresh_target(refresh_header, url) if refresh_header else _refresh_target(page.refresh, base)
    if not feeds:
        anchors = (feed for link in links if (feed := feed_like_anchor(link.url, link.text, url)))
        likely = chain((feed for _, feed in told), anchors)
        feeds = list(islice(likely, MAX_ANCHOR_FEEDS))
        if next(likely, None):
            page.capped.add("feeds")
    return PageLinks(
        feeds=ranked(feeds, Setting(page=url, asked_path=asked_path, language=page.language)),
        links=links,
        base=base,
        generator=page.generator,
        canonical=resolve(base, page.canonical) if page.canonical else None,
        language=page.language,
        title=page.title,
        refresh=refresh if refresh != url else None,
        challenge=challenge_in(html, page.title or "", len(links)) if not feeds else None,
        capped=tuple(sorted(page.capped)),
    )


def _links(written: Iterable[RawAnchor], base: str) -> Iterator[Link]:
    known: dict[str, str | None] = {}
    for anchor in written:
        if anchor.href not in known:
            known[anchor.href] = resolve(base, anchor.href if anchor.href[0] == "/" else http_spelling(anchor.href))
        if address := known[anchor.href]:
            yield Link(url=address, text=anchor.text, place=anchor.place)


_REFRESH = re.compile(
    r"""\s*+(\d*+(?:\.\d*+)?)\s*+[;,]?\s*+(?:url\s*+=\s*+)?+(?:"([^"]*)|'([^']*)|(.*))""", re.IGNORECASE | re.DOTALL
)


def _refresh_target(content: str, base: str) -> str | None:
    match = _REFRESH.match(content)
    if not match or float(f"0{match[1]}") > MAX_REFRESH_DELAY:
        return None
    return resolve(base, match[2] or match[3] or match[4] or "")
