"""What was ever listed, and what is to be delivered: the tables `seen` and `article`."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import and_, bindparam, delete, func, select, update

from sitediscover.watch.database import insert
from sitediscover.watch.model import SourceState
from sitediscover.watch.schedule import DAY, day_of
from sitediscover.watch.schema import READ_ANEW, UNREAD, article, seen, source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sqlalchemy import Connection

    from sitediscover.watch.alike import Listed
    from sitediscover.watch.schema import Watched

KEPT_DAYS = 90
"""Days since an address was last listed, or an article delivered, after which it is forgotten."""

_BATCH = 500
_T = TypeVar("_T")


_KNOWN = select(seen.c.fingerprint, seen.c.last_seen_day, seen.c.other).where(
    seen.c.site == bindparam("name"), seen.c.fingerprint.in_(bindparam("batch", expanding=True))
)


def batches(items: Iterable[_T]) -> Iterator[list[_T]]:
    """Yield items by as many as one statement takes."""
    left = iter(items)
    while batch := list(islice(left, _BATCH)):
        yield batch


def known(connection: Connection, site: str, fingerprints: Iterable[bytes]) -> dict[bytes, bytes | None]:
    """Return those fingerprints that a site's are remembered, and what they stand for."""
    found: dict[bytes, bytes | None] = {}
    for batch in batches(dict.fromkeys(fingerprints)):
        rows = connection.execute(_KNOWN, {"name": site, "batch": batch})
        found.update((row.fingerprint, row.other) for row in rows)
    return found


def remember(connection: Connection, site: str, names: Mapping[bytes, bytes | None], day: int) -> set[bytes]:
    """Note fingerprints as listed today.

    Args:
        connection: of the transaction.
        site: whose they are.
        names: fingerprints, and what those of guids stand for.
        day: today.

    Returns:
        Those that nobody had noted before, not even another worker a moment ago.
    """
    added: set[bytes] = set()
    # In one order everywhere: two workers that note the same wait for each other, and never in a circle.
    for batch in batches(sorted(names)):
        rows = [{"site": site, "fingerprint": name, "other": names[name], "last_seen_day": day} for name in batch]
        old = connection.execute(_KNOWN, {"name": site, "batch": batch}).all()
        there = {row.fingerprint for row in old}
        missing = [row for row in rows if row["fingerprint"] not in there]
        if missing:
            statement = insert(connection, seen).on_conflict_do_nothing().returning(seen.c.fingerprint)
            added.update(connection.scalars(statement, missing))
        stale = [row.fingerprint for row in old if row.last_seen_day < day]
        if stale:
            connection.execute(
                update(seen).where(seen.c.site == site, seen.c.fingerprint.in_(stale)).values(last_seen_day=day)
            )
        for row in old:
            if names[row.fingerprint] != row.other and names[row.fingerprint] is not None:
                connection.execute(
                    update(seen)
                    .where(seen.c.site == site, seen.c.fingerprint == row.fingerprint)
                    .values(other=names[row.fingerprint])
                )
    return added


def store(connection: Connection, row: Watched, new: Iterable[Listed], *, held: bool, found_on: str, now: float) -> int:
    """Store articles for delivery, in their order; one that is there already stays, but waits for no approval any more.

    Args:
        connection: of the transaction.
        row: the source that lists them.
        new: the articles.
        held: they wait for a person's approval.
        found_on: the document that lists them.
        now: seconds since 1970.

    Returns:
        How many were stored.
    """
    stored = 0
    for batch in batches(new):
        values = [_article(row, each, held=held, found_on=found_on, now=now) for each in batch]
        statement = insert(connection, article)
        told = statement.excluded
        # What a provisional source has collected before is no reason to keep it back.
        taken_over = {name: told[name] for name in ("held", "host", "source_id", "found_on")}
        statement = statement.on_conflict_do_update(
            index_elements=["site", "fingerprint"],
            set_=taken_over,
            where=and_(article.c.held.is_(True), told.held.is_(False)),
        )
        stored += len(connection.scalars(statement.returning(article.c.id), values).all())
    return stored


def _article(row: Watched, listed: Listed, *, held: bool, found_on: str, now: float) -> dict[str, Any]:
    entry = listed.entry
    return {
        "site": row.site,
        "host": row.host,
        "source_id": row.id,
        "fingerprint": listed.fingerprint,
        "url": entry.url,
        "title": entry.title,
        "published": entry.published and entry.published.isoformat(),
        "modified": entry.modified and entry.modified.isoformat(),
        "language": entry.language or row.language,
        "summary": entry.summary,
        "found_on": found_on,
        "found_at": now,
        "held": held,
    }


def release(connection: Connection, number: int, day: int) -> set[str]:
    """Let what a provisional source has collected be delivered; return the hosts it is delivered with.

    Args:
        connection: of the transaction.
        number: the source's.
        day: today.
    """
    held = article.c.source_id == number, article.c.held.is_(True)
    told = (article.c.site, article.c.fingerprint, article.c.host)
    rows = connection.execute(update(article).where(*held).values(held=False).returning(*told)).all()
    for site in {row.site for row in rows}:
        remember(connection, site, dict.fromkeys(row.fingerprint for row in rows if row.site == site), day)
    return {row.host for row in rows}


def forget(connection: Connection, site: str, now: float) -> None:
    """Forget what no source of a site can list any more, and articles that were delivered long ago.

    A file that has not been read again since, or answers that it did not change, may list it still. One that is gone,
    or has been replaced, may come back: then nobody knows what is new of it, as at a first reading.

    Args:
        connection: of the transaction.
        site: the site.
        now: seconds since 1970.
    """
    left = source.c.state.in_((SourceState.GONE, SourceState.SUPERSEDED))
    here = source.c.site == site
    oldest = connection.scalar(select(func.min(source.c.read_day)).where(here, ~left))
    if oldest is not None:
        limit = min(oldest, day_of(now) - KEPT_DAYS)
        connection.execute(delete(seen).where(seen.c.site == site, seen.c.last_seen_day < limit))
        connection.execute(update(source).where(here, left, source.c.read_day < limit).values(UNREAD | READ_ANEW))
    connection.execute(delete(article).where(article.c.site == site, article.c.delivered_at < now - KEPT_DAYS * DAY))
