"""The sources of a store, as people handle them: add, list, pause, resume, approve, remove, count."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, select, update

from sitediscover.errors import UnknownSource
from sitediscover.hosts import registrable_domain
from sitediscover.model import Article, SourceKind
from sitediscover.urls import host_of, normalise_url
from sitediscover.watch.database import insert
from sitediscover.watch.family import supersede, whole_tree
from sitediscover.watch.lease import ensure_host, host_key
from sitediscover.watch.model import WAITING_ROLES, PollRecord, Role, SourceInfo, SourceState, Stats
from sitediscover.watch.remembered import batches, release
from sitediscover.watch.schedule import START, day_of
from sitediscover.watch.schema import Watched, article, host, poll_log, seen, source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sqlalchemy import Connection, Row

    from sitediscover.watch.database import Database
    from sitediscover.watch.intake import Taken

_PAGE = 500
_LARGEST = 2**31 - 1  # an INTEGER of PostgreSQL


def add(connection: Connection, taken: Taken, options: Mapping[str, object], now: float) -> int:
    """Store a source and what is known of its tree; one that is there already stays as it is.

    Args:
        connection: of the transaction.
        taken: the source.
        options: values of its row: state, first_read, include, exclude, max_age, replaces, added_at.
        now: seconds since 1970.

    Returns:
        The source's number.
    """
    found = taken.source
    common = {
        "site": registrable_domain(host_of(taken.origin)),
        "kind": found.kind.value,
        "origin": taken.origin,
        "language": found.language,
        "added_at": now,
        "interval_s": START,
        "next_at": now,
        **options,
    }
    number, added = _insert(connection, {**common, "url": found.url, "title": found.title, "role": Role.SINGLE})
    dated = any(child.modified for child in taken.children)
    for child in taken.children if added else ():
        role = Role.RESTING if dated and found.kind is SourceKind.SECTIONS else Role.HEAD
        own = {"url": child.url, "title": child.title, "role": role, "parent_id": number, "replaces": None}
        _insert(connection, {**common, **own})
    return number


def _insert(connection: Connection, values: Mapping[str, object]) -> tuple[int, bool]:
    """Return a row's number, and whether it is new."""
    url = normalise_url(str(values["url"]))
    name = host_key(url)
    statement = insert(connection, source).values({**values, "url": url, "host": name})
    number = connection.scalar(statement.on_conflict_do_nothing(index_elements=["url"]).returning(source.c.id))
    if number is not None:
        due = values["next_at"]
        ensure_host(connection, name, due if isinstance(due, float) else None)
        return number, True
    return connection.execute(select(source.c.id).where(source.c.url == url)).scalar_one(), False


def info(database: Database, number: int) -> SourceInfo:
    """Return one source.

    Raises:
        UnknownSource: there is none of that number.
    """
    with database.reading() as connection:
        return _info(_row(connection, number))


def _row(connection: Connection, number: int) -> Watched:
    found = connection.execute(select(source).where(source.c.id == _as_number(number))).mappings().first()
    if found is None:
        raise UnknownSource(f"no source has the number {number}")
    return Watched.of(found)


def _as_number(number: int) -> int:
    # int(): a number out of a data frame is numpy's, which SQLite would take for a blob that equals no number. And one
    # that no column can hold is nobody's.
    return int(number) if 0 < number <= _LARGEST else 0


def listed(database: Database, *, children: bool, state: SourceState | None) -> Iterator[SourceInfo]:
    """Yield sources in the order of their numbers, a page at a time: no list of them is ever held."""
    last = 0
    while True:
        statement = select(source).where(source.c.id > last).order_by(source.c.id).limit(_PAGE)
        if not children:
            statement = statement.where(source.c.parent_id.is_(None))
        if state is not None:
            statement = statement.where(source.c.state == state)
        with database.reading() as connection:
            rows = [Watched.of(row) for row in connection.execute(statement).mappings()]
        yield from map(_info, rows)
        if len(rows) < _PAGE:
            return
        last = rows[-1].id


def _info(row: Watched) -> SourceInfo:
    return SourceInfo(
        id=row.id,
        site=row.site,
        origin=row.origin,
        kind=row.kind,
        url=row.url,
        title=row.title,
        state=row.state,
        role=row.role,
        parent=row.parent_id,
        replaces=row.replaces,
        interval=row.interval_s,
        next_at=_moment(row.next_at),
        last_ok=_moment(row.last_ok),
        last_new=_moment(row.last_new),
        failures=row.failures,
        error=row.error,
        gaps=row.gaps,
        moved_to=row.moved_to,
        include=tuple(row.include.splitlines()),
        exclude=tuple(row.exclude.splitlines()),
        max_age=row.max_age,
        added_at=datetime.fromtimestamp(row.added_at, UTC),
    )


def _moment(at: float | None) -> datetime | None:
    return None if at is None else datetime.fromtimestamp(at, UTC)


def _tree(connection: Connection, number: int) -> list[Watched]:
    """Return a source and everything below it.

    Raises:
        UnknownSource: there is none of that number.
    """
    return whole_tree(connection, _row(connection, number))


def pause(connection: Connection, number: int) -> None:
    """Ask a source, and its tree, no more until it is resumed."""
    for row in _tree(connection, number):
        if row.state is not SourceState.PAUSED:
            values = {"state": SourceState.PAUSED, "paused_from": row.state, "next_at": None}
            connection.execute(update(source).where(source.c.id == row.id).values(values))


def resume(connection: Connection, number: int, now: float) -> None:
    """Go on with a source, and its tree, where it was paused; a failing, gone or superseded one is tried at once."""
    for row in _tree(connection, number):
        state = SourceState(row.paused_from) if row.state is SourceState.PAUSED and row.paused_from else row.state
        if state is not SourceState.PROVISIONAL:
            state = SourceState.LIVE
        waits = row.role in WAITING_ROLES and row.read_day is not None
        values = {"state": state, "paused_from": None, "next_at": None if waits else now, "failures": 0.0}
        connection.execute(update(source).where(source.c.id == row.id).values(values))
        ensure_host(connection, row.host, now)


def approve(connection: Connection, number: int, now: float) -> None:
    """Deliver a provisional source's articles from now on, those collected included; what it replaces is superseded."""
    for row in _tree(connection, number):
        values = {"state": SourceState.LIVE} if row.state is SourceState.PROVISIONAL else {}
        paused = {"paused_from": SourceState.LIVE} if row.paused_from == SourceState.PROVISIONAL else {}
        if values or paused:
            connection.execute(update(source).where(source.c.id == row.id).values(values | paused))
        for name in sorted(release(connection, row.id, day_of(now))):
            ensure_host(connection, name, now)
    approved = _row(connection, number)
    if approved.replaces is not None:
        supersede(connection, approved.replaces, by=approved, now=now)


def remove(connection: Connection, number: int) -> None:
    """Forget a source, its tree, and its articles that wait; and with a site's last source all that was seen there."""
    tree = _tree(connection, number)
    for row in tree:
        connection.execute(delete(poll_log).where(poll_log.c.source_id == row.id))
        connection.execute(delete(article).where(article.c.source_id == row.id, article.c.delivered_at.is_(None)))
        connection.execute(delete(source).where(source.c.id == row.id))
    for site in {row.site for row in tree}:
        if connection.scalar(select(source.c.id).where(source.c.site == site).limit(1)) is None:
            connection.execute(delete(seen).where(seen.c.site == site))
            connection.execute(delete(article).where(article.c.site == site))


def collected(database: Database, number: int) -> Iterator[Article]:
    """Yield the articles of a source and its tree that are in the store, delivered or not, the latest first."""
    with database.reading() as connection:
        rows: list[Row[Any]] = []
        for batch in batches(row.id for row in _tree(connection, number)):
            rows += connection.execute(select(article).where(article.c.source_id.in_(batch))).all()
    return map(as_article, sorted(rows, key=lambda row: row.id, reverse=True))


def as_article(row: Row[Any]) -> Article:
    """Return a stored article as its users receive it."""
    return Article(
        url=row.url,
        title=row.title,
        published=row.published and datetime.fromisoformat(row.published),
        modified=row.modified and datetime.fromisoformat(row.modified),
        language=row.language,
        summary=row.summary,
        found_on=row.found_on,
    )


def polls(database: Database, number: int) -> tuple[PollRecord, ...]:
    """Return the last polls of a source, the latest first."""
    with database.reading() as connection:
        statement = select(poll_log).where(poll_log.c.source_id == _as_number(number)).order_by(poll_log.c.at.desc())
        rows = connection.execute(statement).all()
    return tuple(
        PollRecord(
            at=datetime.fromtimestamp(row.at, UTC),
            status=row.status,
            requests=row.requests,
            listed=row.listed,
            new=row.new,
            gap=row.gap,
            note=row.note,
        )
        for row in rows
    )


def stats(database: Database, now: float) -> Stats:
    """Count what is in the store."""
    undelivered = article.c.delivered_at.is_(None)
    with database.reading() as connection:
        by_state = connection.execute(select(source.c.state, func.count()).group_by(source.c.state)).all()
        due, first = connection.execute(
            select(func.count(), func.min(host.c.next_at)).where(host.c.next_at <= now)
        ).one()
        return Stats(
            sources=sum(count for _, count in by_state),
            states={SourceState(state): count for state, count in by_state},
            hosts=_count(connection, [source.c.host.distinct()]),
            due=due,
            late=0.0 if first is None else now - first,
            next_at=_moment(connection.scalar(select(func.min(host.c.next_at)))),
            waiting=_count(connection, [article.c.id], undelivered, article.c.held.is_(False)),
            held=_count(connection, [article.c.id], undelivered, article.c.held.is_(True)),
            articles=_count(connection, [article.c.id]),
            seen=_count(connection, [seen.c.site]),
            gaps=connection.scalar(select(func.coalesce(func.sum(source.c.gaps), 0))) or 0,
        )


def _count(connection: Connection, columns: Iterable[Any], *conditions: Any) -> int:
    return connection.scalar(select(func.count(*columns)).where(*conditions)) or 0
