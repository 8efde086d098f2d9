"""Which new articles of a source are wanted. Pure."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from sitediscover.model import SourceKind
from sitediscover.urls import same_site

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitediscover.parse.entries import FeedEntry
    from sitediscover.watch.schema import Watched


def checked_patterns(patterns: Iterable[str]) -> str:
    """Return patterns as they are kept, one a line.

    Args:
        patterns: regular expressions, searched for anywhere in an address.

    Raises:
        ValueError: one of them is no regular expression, or has a line break.
    """
    kept = [patterns] if isinstance(patterns, str) else list(patterns)
    for pattern in kept:
        try:
            _compiled(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"not a regular expression: {pattern!r:.80}: {error}") from error
        if pattern.splitlines() != [pattern]:
            raise ValueError(f"a pattern is one line of text, not {pattern!r:.80}")
    return "\n".join(kept)


def checked_age(age: timedelta | float | None) -> float | None:
    """Return a greatest age in seconds.

    Args:
        age: seconds, or a timedelta; None for none.

    Raises:
        ValueError: it is below zero, or no number.
    """
    seconds = age.total_seconds() if isinstance(age, timedelta) else age
    if seconds is not None and not seconds >= 0:
        raise ValueError(f"an age is not below zero: {age!r}")
    return seconds


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def wanted(row: Watched, entry: FeedEntry, now: float) -> bool:
    """Say whether an article is to be delivered.

    Args:
        row: its source, with its patterns and the greatest age.
        entry: the article.
        now: seconds since 1970.
    """
    date = entry.published or entry.modified
    if row.max_age is not None and date is not None and now - date.timestamp() > row.max_age:
        return False
    include, exclude = row.include.splitlines(), row.exclude.splitlines()
    if include and not any(_compiled(pattern).search(entry.url) for pattern in include):
        return False
    return not any(_compiled(pattern).search(entry.url) for pattern in exclude) and _own(row, entry)


def _own(row: Watched, entry: FeedEntry) -> bool:
    """A sitemap tells of its own site only (sitemaps.org, "Sitemap file location"); a feed may link anywhere."""
    if row.kind is SourceKind.FEED:
        return True
    return same_site(entry.url, f"https://{row.site}") or same_site(entry.url, row.url)
