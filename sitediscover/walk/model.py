"""What the user of a walk receives: frozen, slotted, keyword-only values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


class SitemapStatus(StrEnum):
    """What came of a file that is listed as a sitemap.

    ok: whole and sound. empty: whole, but it lists nothing. truncated: it ended before its end, or a cap ended it.
    malformed: broken; what could be read of it was. soft_404: a web page with status 200. absent: 404 or 410.
    blocked: refused to us, by its status, by robots.txt or by our own guard. unreachable: no answer, or 5xx.
    repeated: it led to a file that was read already. off_site and too_deep: not asked for, being on a host that has
    nothing to do with the site, or further down than `max_depth`.
    """

    OK = "ok"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    MALFORMED = "malformed"
    SOFT_404 = "soft_404"
    ABSENT = "absent"
    BLOCKED = "blocked"
    UNREACHABLE = "unreachable"
    REPEATED = "repeated"
    OFF_SITE = "off_site"
    TOO_DEEP = "too_deep"


class LastmodTrust(StrEnum):
    """Whether the lastmod dates of a sitemap tell anything, and if not, why."""

    FINE = "fine"
    ABSENT = "absent"
    FUTURE = "future"
    ALL_NOW = "all_now"
    ALL_SAME = "all_same"


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapStub:
    """A sitemap that was named and not fetched.

    Attributes:
        url: its address.
        modified: its lastmod in the index that lists it; aware.
        parent: the index that lists it; None where robots.txt or the caller named it, or its name was guessed.
        depth: how many indexes stand above it.
    """

    url: str
    modified: datetime | None = None
    parent: str | None = None
    depth: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapReport:
    """What came of one sitemap of a walk.

    Attributes:
        url: its address as it was named; the `sitemap` of its entries.
        kind: what it turned out to be (urlset, index, feed, text, error), None where it was not read.
        status: what came of it.
        entries: how many pages, or children, it lists.
        truncated: it ended before its end, or a cap ended it.
        error: what went wrong or had to be repaired, in words.
        final_url: the address that answered.
        parent: the index that lists it, None where there is none.
        depth: how many indexes stand above it.
        closed: pages left out because robots.txt closes them to us.
        older: pages left out because they are older than `since`.
        off_site: pages on another registrable domain; they are yielded, flagged.
        skipped: children of an index that are not asked for: unchanged since, not chosen, off site, too deep.
        dropped: entries that had no whole or no usable address.
        lastmod_trust: whether its lastmod dates can be relied on, None where it was not read.
    """

    url: str
    kind: str | None = None
    status: SitemapStatus = SitemapStatus.OK
    entries: int = 0
    truncated: bool = False
    error: str | None = None
    final_url: str | None = None
    parent: str | None = None
    depth: int = 0
    closed: int = 0
    older: int = 0
    off_site: int = 0
    skipped: int = 0
    dropped: int = 0
    lastmod_trust: LastmodTrust | None = None
