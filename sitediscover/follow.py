"""Read what a source of any kind tells now, as articles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime, timedelta

    from sitediscover.fetch import PoliteSession
    from sitediscover.model import Article, Discovery, Source


def follow(
    source: Source | Discovery | str,
    *,
    session: PoliteSession | None = None,
    since: datetime | timedelta | None = None,
) -> Iterator[Article]:
    """Yield the articles that a source lists now: newest first where it tells dates, each once.

    A feed or a sitemap costs a request, a sitemap index one more for each child that may hold something new, sections
    one each. What goes wrong with one of several documents is logged, and costs only that document.

    Args:
        source: what a discovery found, a whole discovery (its best source), or the address of a feed, a sitemap or a
            page that lists articles.
        session: the door to the network; None for one of its own.
        since: articles known to be older are left out, those without a date stay; a timedelta counts from now.

    Raises:
        UnreadableSource: the document is not what the source says it is.
        FetchError: the source's only document could not be had.
        ValueError: a discovery that found nothing, or a datetime without a zone.
    """
    # The package imports this module at once, lest the module stand in place of the function; the work waits.
    from sitediscover.follower import articles_of  # noqa: PLC0415

    return articles_of(source, session, since)
