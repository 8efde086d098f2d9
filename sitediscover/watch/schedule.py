"""When to ask again. Pure: numbers in, numbers out; all times in seconds."""

from __future__ import annotations

import re
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from zlib import crc32

from sitediscover.fetch.pace import retry_after

if TYPE_CHECKING:
    from collections.abc import Mapping

MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0

SHORTEST, START, LONGEST = 15 * MINUTE, HOUR, DAY
"""Seconds between two polls of a source: at least, at first, at most."""

INDEX_SHORTEST, SECTIONS_SHORTEST, INDEX_LONGEST = HOUR, 30 * MINUTE, 4 * HOUR
"""The same of what lists other documents: they carry the news, it only tells of new ones and of old ones that moved."""

WINDOW = 30
"""Newest entries that are looked at to tell how much of a document is known. More are an archive, not a window."""

GROWING_WINDOW = 2
"""The same of a sitemap that only grows. With two, about 0.65 new articles a poll keep the interval where it is."""

FEW_KNOWN, MANY_KNOWN = 1 / 3, 2 / 3
"""Shares of known entries, 0 to 1, below which to ask sooner and above which later (rss-fetcher, 180,000 feeds)."""

BLOCK_LONGEST = 30 * DAY
"""Most seconds that a Retry-After is believed."""

HARD_FAILURES = 30
"""Failures in a row after which a day between two tries becomes up to thirty; never more."""

MAX_UNCHANGED = 30
"""Consecutive 304s after which one request is made without validators (web.dev#4382: they may be wrong for ever)."""

_EARLIEST = 788_918_400.0  # 1995: before that no server told Last-Modified
_MAX_AGE = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?(\d{1,10})", re.IGNORECASE)


def known_share(listed: int, new: int, *, growing: bool) -> float:
    """Return the share, 0 to 1, of a document's window that was known before.

    Args:
        listed: its entries.
        new: how many of them were not known.
        growing: it is a sitemap that only grows; else its oldest entries drop out.
    """
    window = min(listed, GROWING_WINDOW if growing else WINDOW)
    return max(0.0, 1.0 - new / window) if window else 1.0


def next_interval(
    interval: float, share: float, *, gap: bool, shortest: float = SHORTEST, longest: float = LONGEST
) -> float:
    """Return how long to wait from now on.

    Args:
        interval: how long it was until now.
        share: how much was known, 0 to 1.
        gap: nothing was known at all, so that something may have been missed.
        shortest: the least that is returned.
        longest: the most.
    """
    factor = 0.25 if gap else 0.5 if share < FEW_KNOWN else 1.2 if share > MANY_KNOWN else 1.0
    return min(max(interval * factor, shortest), longest)


def hinted(interval: float, share: float, hint: float | None) -> float:
    """Return an interval lengthened by what the site asks for, unless it has just proved to be too long already.

    Args:
        interval: our own.
        share: how much was known, 0 to 1.
        hint: the longest of what max-age, Expires, ttl and sy:updatePeriod ask for.
    """
    return interval if hint is None or share < FEW_KNOWN else max(interval, min(hint, LONGEST))


def cache_hint(headers: Mapping[str, str], now: float) -> float | None:
    """Return for how long an answer says that it stays fresh: max-age, else Expires (RFC 9111, 4.2.1)."""
    found = _MAX_AGE.search(headers.get("Cache-Control", "")[:1024])
    if found:
        age = headers.get("Age", "").strip()
        return max(0.0, float(found[1]) - (float(age) if age.isdecimal() and len(age) < 11 else 0.0))  # noqa: PLR2004 - digits
    expires = http_date(headers.get("Expires"))
    return None if expires is None or expires <= now else expires - now


def http_date(text: str | None) -> float | None:
    """Return a header's date in seconds since 1970; None where it cannot be read."""
    try:
        moment = parsedate_to_datetime((text or "").strip()[:64])
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def rest_asked(headers: Mapping[str, str], now: float) -> float | None:
    """Return for how long a Retry-After asks to be left alone, at most `BLOCK_LONGEST`.

    Args:
        headers: of a 429 or 503.
        now: seconds since 1970.
    """
    return retry_after(headers.get("Retry-After"), now, longest=BLOCK_LONGEST)


def usable_date(last_modified: str | None, now: float) -> bool:
    """Say whether a Last-Modified can be sent back: one of the future, or before the web, would mean 304 for ever."""
    at = http_date(last_modified)
    return at is not None and _EARLIEST <= at <= now + HOUR


def back_off(interval: float, failures: float) -> float:
    """Return how long to wait after failures.

    Args:
        interval: the source's own.
        failures: how many in a row; lesser ones count for less.
    """
    if failures >= HARD_FAILURES:
        return min(DAY * 2 ** min(failures - HARD_FAILURES + 1, 5), 30 * DAY)
    return float(min(interval * 2 ** min(failures, 12), DAY))


def jittered(seconds: float, seed: int, now: float) -> float:
    """Return seconds, up to a twentieth more or less: sources that were added together drift apart.

    Args:
        seconds: how long to wait.
        seed: the source's number.
        now: seconds since 1970; with the number it decides, so that a simulation gives the same twice.
    """
    share = crc32(f"{seed} {now:.0f}".encode()) / 0xFFFFFFFF
    return seconds * (0.95 + share / 10)


def day_of(now: float) -> int:
    """Return the number of a day, in UTC."""
    return int(now // DAY)
