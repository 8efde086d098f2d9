"""Which sources belong together: the files of a tree, and who has taken whose place."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from sitediscover.model import SitemapEntry, SourceKind
from sitediscover.watch.database import insert
from sitediscover.watch.lease import ensure_host, host_key
from sitediscover.watch.model import WAITING_ROLES, FirstRead, Role, SourceState
from sitediscover.watch.remembered import batches
from sitediscover.watch.schedule import START
from sitediscover.watch.schema import CHANGE, READ_ANEW, UNREAD, Watched, source
from sitediscover.watch.tree import BASELINE_EVERY, MAX_CHILDREN, plan_children

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection

    from sitediscover.watch.progress import Values

MAX_DEPTH = 3
"""How many indexes may stand above a document: a tree that goes deeper makes its files up."""

_MOST_REPLACED = 3

_KIN = select(source.c.parent_id, source.c.replaces).where(source.c.id == bindparam("number"))
_CHILDREN = select(source).where(source.c.parent_id == bindparam("number")).order_by(source.c.id)


@dataclass(frozen=True, slots=True)
class Forebears:
    """What stands above a source.

    Attributes:
        depth: how many indexes.
        trees: the number of the topmost, its own where there is none; then what that has replaced.
    """

    depth: int
    trees: tuple[int, ...]


def forebears(connection: Connection, row: Watched) -> Forebears:
    """Return what stands above a source."""
    depth, top, parent, replaced = 0, row.id, row.parent_id, row.replaces
    while parent is not None and depth < MAX_DEPTH:
        depth, top = depth + 1, parent
        found = connection.execute(_KIN, {"number": parent}).first()
        parent, replaced = found or (None, None)
    trees = [top]
    while replaced is not None and replaced not in trees and len(trees) <= _MOST_REPLACED:
        trees.append(replaced)
        found = connection.execute(_KIN, {"number": replaced}).first()
        replaced = found.replaces if found else None
    return Forebears(depth, tuple(trees))


def whole_tree(connection: Connection, top: Watched) -> list[Watched]:
    """Return a source and everything below it."""
    tree = [top]
    level = [top.id]
    while level:
        below = []
        for batch in batches(level):
            rows = connection.execute(select(source).where(source.c.parent_id.in_(batch))).mappings()
            below += [Watched.of(row) for row in rows]
        tree += below
        level = [row.id for row in below]
    return tree


def supersede(connection: Connection, number: int, *, by: Watched, now: float) -> None:
    """Let one source, with its tree, be followed through another from now on.

    Args:
        connection: of the transaction.
        number: the source's.
        by: the other one; it is read anew, and takes over those files of the tree that it lists.
        now: seconds since 1970.
    """
    found = connection.execute(select(source).where(source.c.id == number)).mappings().first()
    tree = [] if found is None else whole_tree(connection, Watched.of(found))
    values: Values = {"state": SourceState.SUPERSEDED, "next_at": None}
    if by.replaces not in (None, number):
        # It will not know what this tree has noted: that is read as for the first time.
        values |= UNREAD
    for row in tree:
        connection.execute(CHANGE, {"number": row.id, **values})
    if tree:
        due = {} if by.next_at is None else {"next_at": now}
        connection.execute(CHANGE, {"number": by.id, "replaces": by.replaces or number, **READ_ANEW, **due})
        ensure_host(connection, by.host, now if due else None)


def take_listing(
    connection: Connection, row: Watched, listing: Sequence[SitemapEntry] | None, *, whole: bool, now: float
) -> tuple[int, int]:
    """Write down what an index, or a sections sitemap, says about its children.

    Args:
        connection: of the transaction.
        row: the index.
        listing: what it lists; None where it has not changed: its children's time goes by all the same.
        whole: it was read to its end.
        now: seconds since 1970.

    Returns:
        How many children it lists, and how many of them are new or moved.
    """
    children = _children(connection, row)
    if listing is not None:
        ours = {child.url for child in children if child.state is not SourceState.SUPERSEDED}
        others = [entry.url for entry in islice(listing, MAX_CHILDREN) if entry.url not in ours]
        if _adopt(connection, row, others, now):
            children = _children(connection, row)
    told = [_as_listed(child) for child in children if child.state is not SourceState.GONE]
    plan = plan_children(
        row, children, told if listing is None else listing, whole=whole and listing is not None, now=now
    )
    for number, values in plan.changed.items():
        connection.execute(CHANGE, {"number": number, **values})
    due = {child.host for child in children if plan.changed.get(child.id, {}).get("next_at") is not None}
    elsewhere = 0
    for values in plan.added if forebears(connection, row).depth < MAX_DEPTH else ():
        child = _child(row, values)
        statement = insert(connection, source).values(child).on_conflict_do_nothing(index_elements=["url"])
        if connection.execute(statement).rowcount:
            due.add(str(child["host"]))
        else:  # it is watched already, by itself or in another tree
            elsewhere += 1
    for name in sorted(due):
        ensure_host(connection, name, now)
    if plan.audited or row.audited_at is None:
        connection.execute(update(source).where(source.c.id == row.id).values(audited_at=now))
    return len(told if listing is None else listing), max(0, plan.news - elsewhere)


def _children(connection: Connection, row: Watched) -> list[Watched]:
    return [Watched.of(found) for found in connection.execute(_CHILDREN, {"number": row.id}).mappings()]


def _adopt(connection: Connection, row: Watched, urls: Iterable[str], now: float) -> bool:
    """Go on with those files of superseded trees that an index lists; say whether there are any."""
    given_up = source.c.state == SourceState.SUPERSEDED, source.c.parent_id.is_not(None)
    hosts: set[str] = set()
    unread = 0
    for batch in batches(urls):
        found = connection.execute(select(source).where(source.c.url.in_(batch), *given_up)).mappings()
        for child in [Watched.of(each) for each in found]:
            unread += child.read_day is None
            later = 0.0 if child.read_day is not None else unread * BASELINE_EVERY
            waits = child.read_day is not None and child.role in WAITING_ROLES and child.kind is not SourceKind.SECTIONS
            values: Values = {"parent_id": row.id, "state": row.state, "next_at": None if waits else now + later}
            values |= READ_ANEW if child.role is Role.INDEX else {}  # its own files are to be taken over, too
            connection.execute(CHANGE, {"number": child.id, **values})
            hosts.add(child.host)
    for name in sorted(hosts):
        ensure_host(connection, name, now)
    return bool(hosts)


def _as_listed(child: Watched) -> SitemapEntry:
    told = child.index_lastmod
    return SitemapEntry(url=child.url, modified=datetime.fromisoformat(told) if told else None)


def _child(row: Watched, values: Values) -> Values:
    # Of what is on a new section page, nobody knows what is new.
    sections = row.kind is SourceKind.SECTIONS
    return {
        "site": row.site,
        "host": host_key(str(values["url"])),
        "kind": row.kind.value,
        "origin": row.origin,
        "language": row.language,
        "state": row.state.value if row.state is SourceState.PROVISIONAL else SourceState.LIVE.value,
        "parent_id": row.id,
        "first_read": row.first_read if row.read_day is None or sections else FirstRead.LATE,
        "include": row.include,
        "exclude": row.exclude,
        "max_age": row.max_age,
        "interval_s": START,
        **values,
    }
