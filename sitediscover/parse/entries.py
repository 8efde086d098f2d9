"""The entries of a feed: RSS, Atom and RDF by feedparser, JSON Feed by its own short specification."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitediscover.dates import parse_date
from sitediscover.parse.charset import decode
from sitediscover.parse.feed import FeedFormat, sniff_feed
from sitediscover.parse.inflate import inflate
from sitediscover.urls import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

MAX_FEED = 32 * 1024 * 1024
"""Bytes of a feed read once inflated. The largest honest ones, of whole archives, have about 20 MB."""

MAX_SUMMARY = 2_000
"""Characters of a summary that are kept: some feeds carry whole books."""

MAX_ENTRIES = 10_000
"""Entries of a feed that are kept."""

_HOUR = 3600
_DIGITS = 9  # of a number that can be meant
# RSS 1.0 syndication module (web.resource.org/rss/1.0/modules/syndication).
_PERIODS = {"hourly": _HOUR, "daily": 24 * _HOUR, "weekly": 168 * _HOUR, "monthly": 730 * _HOUR, "yearly": 8766 * _HOUR}
_TAG = re.compile(r"<(?:script|style)\b.*?</(?:script|style)>|<[a-zA-Z/!?][^>]{0,10000}>", re.DOTALL | re.IGNORECASE)


_REFERENCE = re.compile(rb"&#(?:[xX]([0-9a-fA-F]{4,})|([0-9]{5,}));")
# NUL, and halves of characters: JSON can write them, hardly anything can take them.
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """One entry of a feed.

    Attributes:
        url: the absolute http(s) address of what it tells of.
        title: as text, without markup.
        published: its date of publication, aware; None where the feed tells none that can be read.
        modified: its date of modification, aware.
        language: its own language, else the feed's.
        summary: as text, without markup.
        guid: its identifier, as written; feeds repeat and renumber them.
    """

    url: str
    title: str | None = None
    published: datetime | None = None
    modified: datetime | None = None
    language: str | None = None
    summary: str | None = None
    guid: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedDocument:
    """A feed as it was read.

    Attributes:
        format: its format; None where the body is no feed.
        title: its title, as text.
        language: its language, as declared.
        entries: those with an http(s) address, in their order.
        dropped: how many entries had no http(s) address.
        refresh: seconds between requests that it asks for (ttl, sy:updatePeriod); None where it does not.
        error: what had to be repaired; None for a sound feed.
        capped: there were more entries than are kept.
    """

    format: FeedFormat | None = None
    title: str | None = None
    language: str | None = None
    entries: tuple[FeedEntry, ...] = ()
    dropped: int = 0
    refresh: float | None = None
    error: str | None = None
    capped: bool = False


def parse_feed(data: bytes, url: str, content_type: str | None = None) -> FeedDocument:
    """Return the entries of a feed, as much of it as can be read.

    Args:
        data: the body, perhaps gzipped, perhaps cut.
        url: its final address, which relative links are resolved on.
        content_type: the header, for its charset.
    """
    found = sniff_feed(data)
    if found is None:
        return FeedDocument(error="not a feed")
    body = b"".join(inflate([data], max_output=MAX_FEED))
    return _read_json(body, url) if found is FeedFormat.JSON else _read_xml(body, url, content_type, found)


# -- RSS, Atom, RDF


def _read_xml(body: bytes, url: str, content_type: str | None, found: FeedFormat) -> FeedDocument:
    import feedparser  # noqa: PLC0415 - 60 ms of start-up, needed only where a feed is read

    headers = {"content-location": url, "content-type": content_type or "application/xml"}
    try:
        parsed = feedparser.parse(_REFERENCE.sub(_character, body), response_headers=headers, sanitize_html=False)
    except Exception as error:  # noqa: BLE001 - whatever a hostile feed makes of feedparser ends here
        return FeedDocument(format=found, error=f"unreadable: {type(error).__name__}")
    told: Mapping[str, object] = parsed.feed
    language = _line(told.get("language"))
    raw = parsed.entries
    entries = tuple(_entry(dict(entry), url, language) for entry in raw[:MAX_ENTRIES])
    kept = tuple(entry for entry in entries if entry is not None)
    return FeedDocument(
        format=found,
        title=_text(told.get("title")),
        language=language,
        entries=kept,
        dropped=len(entries) - len(kept),
        refresh=_refresh(told),
        error=str(parsed.get("bozo_exception", ""))[:200] or None,
        capped=len(raw) > MAX_ENTRIES,
    )


def _character(reference: re.Match[bytes]) -> bytes:
    """Half a character (a surrogate), or a number that is none: feedparser would give up the whole feed for it."""
    number = int(reference[1][:12], 16) if reference[1] else int(reference[2][:12])
    none = number in range(0xD800, 0xE000) or number > sys.maxunicode
    return b"&#xFFFD;" if none else reference[0]


def _entry(entry: Mapping[str, object], base: str, language: str | None) -> FeedEntry | None:
    # A plain dict: feedparser's own makes up `updated` from `published`.
    link = next((found for address in _addresses(entry) if (found := resolve(base, address))), None)
    if link is None:
        return None
    own = _first([entry.get("title_detail")]).get("language")
    return FeedEntry(
        url=link,
        title=_text(entry.get("title")),
        published=_moment(entry.get("published") or entry.get("created")),
        modified=_moment(entry.get("updated")),
        language=_line(own) or language,
        summary=_text(entry.get("summary") or _first(entry.get("content")).get("value")),
        guid=_line(entry.get("id")),
    )


def _first(items: object) -> dict[str, object]:
    return items[0] if isinstance(items, list) and items and isinstance(items[0], dict) else {}


def _addresses(entry: Mapping[str, object]) -> Iterator[str]:
    """Yield what may be an entry's address, best first; some hide it, some have only an enclosure."""
    links = entry.get("links")
    listed = [link for link in links if isinstance(link, dict)] if isinstance(links, list) else []
    enclosures = (link.get("href") for link in listed if link.get("rel") == "enclosure")
    content = _first(entry.get("content")).get("src")  # it stands for the whole entry (RFC 4287, 4.1.3.2)
    for address in (entry.get("feedburner_origlink"), entry.get("link"), entry.get("id"), content, *enclosures):
        relative = address in (entry.get("link"), content)
        if isinstance(address, str) and (relative or address.lower().startswith(("http:", "https:"))):
            yield address


def _moment(text: object) -> datetime | None:
    # Not feedparser's own reading: it fills a missing year in from today (its ISO 8601 handler).
    found = parse_date(text) if isinstance(text, str) else None
    return found.at if found else None


def _refresh(told: Mapping[str, object]) -> float | None:
    ttl = str(told.get("ttl") or "").strip()
    if ttl.isdecimal() and len(ttl) <= _DIGITS and int(ttl):
        return int(ttl) * 60.0  # minutes (rssboard.org/rss-specification#ltttlgtSubelementOfLtchannelgt)
    period = _PERIODS.get(str(told.get("sy_updateperiod") or "").strip().lower())
    often = str(told.get("sy_updatefrequency") or "1").strip()
    return period / max(1, int(often)) if period and often.isdecimal() and len(often) <= _DIGITS else None


# -- JSON Feed (jsonfeed.org/version/1.1)


def _read_json(body: bytes, url: str) -> FeedDocument:
    try:
        told = json.loads(decode(body))
    except (ValueError, RecursionError) as error:
        return FeedDocument(format=FeedFormat.JSON, error=f"unreadable: {error}"[:200])
    items = told.get("items")
    raw = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    language = _line(told.get("language"))
    entries = tuple(_json_entry(item, url, language) for item in raw[:MAX_ENTRIES])
    kept = tuple(entry for entry in entries if entry is not None)
    return FeedDocument(
        format=FeedFormat.JSON,
        title=_text(told.get("title")),
        language=language,
        entries=kept,
        dropped=len(entries) - len(kept),
        capped=len(raw) > MAX_ENTRIES,
    )


def _json_entry(item: Mapping[str, object], base: str, language: str | None) -> FeedEntry | None:
    addresses: Iterable[object] = (item.get("url"), item.get("external_url"), item.get("id"))
    link = next((found for text in addresses if isinstance(text, str) and (found := _absolute(base, text, item))), None)
    if link is None:
        return None
    return FeedEntry(
        url=link,
        title=_text(item.get("title")),
        published=_moment(item.get("date_published")),
        modified=_moment(item.get("date_modified")),
        language=_line(item.get("language")) or language,
        summary=_text(item.get("summary") or item.get("content_text") or item.get("content_html")),
        guid=_line(item.get("id")),
    )


def _absolute(base: str, text: str, item: Mapping[str, object]) -> str | None:
    """An id is an address only where it is written as one."""
    written = text.lower().startswith(("http:", "https:")) or text in (item.get("url"), item.get("external_url"))
    return resolve(base, text) if written else None


def _line(value: object) -> str | None:
    return " ".join(_NO_TEXT.sub("", value).split()) or None if isinstance(value, str) else None


def _text(value: object) -> str | None:
    """Return a text without its markup, in one line, at most MAX_SUMMARY characters."""
    from html import unescape  # noqa: PLC0415 - with its 2,231 entities, needed only where a feed is read

    if not isinstance(value, str):
        return None
    plain = _line(unescape(_TAG.sub(" ", value[: 20 * MAX_SUMMARY])))
    return plain[:MAX_SUMMARY] if plain else None
