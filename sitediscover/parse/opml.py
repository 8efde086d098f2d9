"""Lists of feeds (OPML), as feed readers write them. Bytes in, values out; nothing in the data raises."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from sitediscover.errors import InvalidUrl
from sitediscover.parse.charset import decode
from sitediscover.urls import normalise_url, strip_url

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINES = 100_000
"""Feeds of one file that are taken."""

MAX_OPML = 64 * 2**20
"""Bytes of a file that are read."""

NAMESPACE = "https://pypi.org/project/sitediscover/"
"""The XML namespace of what OPML itself cannot say: the kind of a source that is no feed."""

# Readers write addresses with a bare & in them: libxml2 would drop what follows it.
_BARE = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)")
_KINDS = frozenset({"feed", "news_sitemap", "article_sitemap", "sections"})


@dataclass(frozen=True, slots=True, kw_only=True)
class OpmlLine:
    """One source of a list.

    Attributes:
        url: its address.
        title: what the list calls it.
        page: the page it belongs to.
        kind: `feed`, or the kind of a source that `Watchlist.export_opml` has written.
    """

    url: str
    title: str | None = None
    page: str | None = None
    kind: str = "feed"


def parse_opml(data: bytes | str) -> tuple[OpmlLine, ...]:
    """Return the sources that an OPML file lists, each address once, in their order.

    Args:
        data: the file, sound or not: what can be read of a broken one is.
    """
    unique: dict[str, OpmlLine] = {}
    text = data if isinstance(data, str) else decode(data[:MAX_OPML])
    for attributes in _outlines(text[:MAX_OPML].encode("utf-8", "replace")):
        line = _line(attributes)
        if line is not None and len(unique) < MAX_LINES:
            unique.setdefault(line.url, line)
    return tuple(unique.values())


def _outlines(data: bytes) -> Iterator[dict[str, str]]:
    from lxml import etree  # noqa: PLC0415 - 10 ms of start-up, needed only here

    # libxml2 goes on where a strict parser ends. No entity is resolved, nothing is loaded, and its own limits on depth
    # and growth stay on.
    parser = etree.XMLParser(
        # Decoded already: it may declare UTF-16, as Windows writes it, or a name that libxml2 does not know.
        encoding="utf-8",
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
    )
    try:
        data = _BARE.sub(b"&amp;", data.strip())
        # The stubs say that there is a root; where nothing can be repaired, there is none.
        root = cast("etree._Element | None", etree.fromstring(data, parser))  # noqa: SLF001 - its only name
    except (etree.XMLSyntaxError, ValueError):
        return
    if root is None:
        return
    for element in root.iter("{*}outline", "{*}Outline", "{*}OUTLINE"):
        kind = element.get(f"{{{NAMESPACE}}}kind", "")
        # The spelling of xmlUrl varies: xmlurl, xmlURL (python-opml, old Bloglines exports).
        yield {name.lower(): str(value) for name, value in element.items() if "}" not in name} | {"kind": str(kind)}


def _line(attributes: dict[str, str]) -> OpmlLine | None:
    kind = attributes["kind"] if attributes["kind"] in _KINDS else "feed"
    address = attributes.get("xmlurl") or (attributes.get("url") if attributes["kind"] in _KINDS else None)
    url = _url(address)
    if url is None:
        return None
    title = " ".join((attributes.get("title") or attributes.get("text") or "").split())[:500]
    return OpmlLine(url=url, title=title or None, page=_url(attributes.get("htmlurl")), kind=kind)


def _url(text: str | None) -> str | None:
    written = strip_url(text or "")
    if written.lower().startswith("feed:"):
        written = written[5:] if written.lower().startswith(("feed:http:", "feed:https:")) else f"http:{written[5:]}"
    try:
        return normalise_url(written)
    except InvalidUrl:
        return None
