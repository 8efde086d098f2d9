"""One poll as one transaction: what was listed, the new articles, and only then the validators and the next time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from sitediscover.judge import USEFUL_SHARE
from sitediscover.model import SitemapEntry, SourceKind
from sitediscover.shapes import shares
from sitediscover.watch.alike import tell_apart
from sitediscover.watch.database import insert
from sitediscover.watch.filters import wanted
from sitediscover.watch.lease import ensure_host, fence, host_key
from sitediscover.watch.model import FirstRead, Role, SourceState
from sitediscover.watch.progress import Facts, after_success, after_trouble, is_gap
from sitediscover.watch.remembered import forget, known, remember, store
from sitediscover.watch.schedule import DAY, START, day_of
from sitediscover.watch.schema import KEPT_POLLS, Watched, poll_log, source
from sitediscover.watch.tree import dates_of, plan_children
from sitediscover.watch.verdict import Trouble

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from sitediscover.watch.alike import Listed
    from sitediscover.watch.lease import Lease
    from sitediscover.watch.progress import Values
    from sitediscover.watch.reader import Brought
    from sitediscover.watch.verdict import Answer, Verdict

MAX_DEPTH = 3
"""How many indexes may stand above a document: a tree that goes deeper makes its files up."""

_FEW = 5
_CLOCK_SKEW = 2 * DAY


_SOURCE = select(source).where(source.c.id == bindparam("number")).with_for_update()
_CHILDREN = select(source).where(source.c.parent_id == bindparam("number")).order_by(source.c.id)
_CHANGE = update(source).where(source.c.id == bindparam("number"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Poll:
    """A poll as it is to be written.

    Attributes:
        row: the source as it was.
        answer: what came.
        verdict: what it means.
        brought: what was read; None where nothing was.
        now: seconds since 1970.
    """

    row: Watched
    answer: Answer
    verdict: Verdict
    brought: Brought | None
    now: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    listed: int = 0
    new: int = 0
    role: Role = Role.SINGLE
    renumbered: bool = False
    newest: float | None = None


def record(connection: Connection, poll: Poll, lease: Lease) -> int:
    """Write a poll, all of it or nothing.

    Args:
        connection: of the transaction.
        poll: what is to be written.
        lease: the host's.

    Returns:
        How many articles are new.

    Raises:
        LeaseLost: another worker has the host; nothing is written.
    """
    fence(connection, lease)
    row = _current(connection, poll.row)
    if row is None:
        return 0  # a person has removed or paused it meanwhile
    poll = replace(poll, row=row)
    if poll.verdict.trouble is not Trouble.NONE:
        _write(connection, poll, after_trouble(row, poll.verdict, poll.now), _Counts(), gap=False)
        return 0
    counts = _take(connection, poll)
    facts = _facts(poll, counts)
    values = after_success(row, facts, poll.answer, poll.now) | _names(row, poll.brought)
    _write(connection, poll, values, counts, gap=is_gap(row, facts))
    if poll.brought is not None and row.read_day != day_of(poll.now):
        forget(connection, row.site, poll.now)
    return counts.new


def _names(row: Watched, brought: Brought | None) -> Values:
    """Return what a document calls itself, where nobody has said it before."""
    reading = None if brought is None else brought.reading
    if reading is None or row.parent_id is not None:
        return {}
    return {"title": row.title or reading.title, "language": row.language or reading.language}


def _current(connection: Connection, asked: Watched) -> Watched | None:
    """Return a source as it is now: a person may have approved it meanwhile, its index may have said more."""
    found = connection.execute(_SOURCE, {"number": asked.id}).mappings().first()
    if found is None or found["state"] in (SourceState.PAUSED, SourceState.SUPERSEDED):
        return None
    return replace(Watched.of(found), index_lastmod=asked.index_lastmod)


def _facts(poll: Poll, counts: _Counts) -> Facts:
    brought, row = poll.brought, poll.row
    if brought is None:
        return Facts(role=counts.role, new=counts.new)
    whole = brought.whole
    return Facts(
        listed=counts.listed,
        new=counts.new,
        changed=brought.reading is not None,
        baseline=row.read_day is None and row.first_read is not FirstRead.LATE,
        whole=whole,
        role=counts.role,
        hint=brought.hint,
        newest=counts.newest,
        renumbered=counts.renumbered,
        # Of a document that was cut, the rest is still to come.
        etag=brought.etag if whole else None,
        last_modified=brought.last_modified if whole else None,
        body_hash=brought.body_hash if whole else None,
    )


def _take(connection: Connection, poll: Poll) -> _Counts:
    brought, row = poll.brought, poll.row
    reading = None if brought is None else brought.reading
    if row.role is Role.INDEX and reading is None:
        return _take_listing(connection, poll, None)
    if brought is None or reading is None:
        return _Counts(role=row.role)
    if brought.listing is not None:
        return _take_listing(connection, poll, brought.listing)
    urls = [entry.url for entry in reading.articles]
    newest = dates_of([entry.published or entry.modified for entry in reading.articles], poll.now)
    if _lists_sections(row, urls):
        return _Counts(listed=len(urls), role=Role.ASIDE)
    apart = tell_apart(
        reading.articles, scope=row.id, guids=row.guids, lookup=lambda names: known(connection, row.site, names)
    )
    added = remember(connection, row.site, apart.names, day_of(poll.now))
    new = [each for each in apart.new if each.fingerprint in added]
    fresh = new if row.read_day is not None else _fresh(row, new, newest)
    kept = [each for each in fresh if wanted(row, each.entry, poll.now)]
    held = row.state is SourceState.PROVISIONAL
    store(connection, row, kept, held=held, found_on=poll.answer.url, now=poll.now)
    role = Role.SINGLE if row.role is Role.INDEX else row.role
    return _Counts(listed=len(apart.listed), new=len(new), role=role, renumbered=apart.renumbered, newest=newest)


def _lists_sections(row: Watched, urls: Sequence[str]) -> bool:
    """Say whether a file of a tree lists no articles but tags, authors, categories."""
    if row.parent_id is None or row.kind is SourceKind.SECTIONS or len(urls) < _FEW:
        return False
    return shares(urls).section_share >= USEFUL_SHARE


def _fresh(row: Watched, new: list[Listed], newest: float | None) -> list[Listed]:
    """Return what is to be delivered of a first reading.

    All of it where that was asked for. Of a file that joined its tree later, what is not older than the tree's being
    watched (an archive that a site adds is no news). Else what is dated since: it came between adding and reading.
    """
    late = row.first_read is FirstRead.LATE
    if row.first_read is FirstRead.BACKLOG:
        return new
    if newest is None:  # undated, or its dates cannot be relied on
        return new if late else []

    def is_fresh(listed: Listed) -> bool:
        date = listed.entry.published or listed.entry.modified
        if date is None:
            return late
        return date.timestamp() >= row.added_at - (_CLOCK_SKEW if late else 0.0)

    return [each for each in new if is_fresh(each)]


def _take_listing(connection: Connection, poll: Poll, listing: Sequence[SitemapEntry] | None) -> _Counts:
    row, now = poll.row, poll.now
    rows = connection.execute(_CHILDREN, {"number": row.id}).mappings()
    children = [Watched.of(found) for found in rows]
    whole = listing is not None and poll.brought is not None and poll.brought.whole
    if listing is None:  # it has not changed; its children's time goes by all the same
        listing = [_as_listed(child) for child in children if child.state is not SourceState.GONE]
    plan = plan_children(row, children, listing, whole=whole, now=now)
    for number, values in plan.changed.items():
        connection.execute(_CHANGE, {"number": number, **values})
    due = {child.host for child in children if plan.changed.get(child.id, {}).get("next_at") is not None}
    if _depth(connection, row) < MAX_DEPTH:
        for values in plan.added:
            child = _child(row, values)
            statement = insert(connection, source).values(child).on_conflict_do_nothing(index_elements=["url"])
            connection.execute(statement)
            due.add(str(child["host"]))
    for name in sorted(due):
        ensure_host(connection, name, now)
    if plan.audited or row.audited_at is None:
        connection.execute(update(source).where(source.c.id == row.id).values(audited_at=now))
    return _Counts(listed=len(listing), new=plan.news, role=Role.INDEX)


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


def _depth(connection: Connection, row: Watched) -> int:
    depth, parent = 0, row.parent_id
    while parent is not None and depth < MAX_DEPTH:
        depth += 1
        parent = connection.scalar(select(source.c.parent_id).where(source.c.id == parent))
    return depth


def _write(connection: Connection, poll: Poll, values: Values, counts: _Counts, *, gap: bool) -> None:
    row = poll.row
    if "url" in values:
        values |= _moved(connection, row, str(values["url"]), poll.now)
    connection.execute(_CHANGE, {"number": row.id, **values})
    log = {
        "at": poll.now,
        "status": poll.answer.status,
        "requests": poll.answer.requests,
        "listed": counts.listed,
        "new": counts.new,
        "gap": gap,
        "note": poll.verdict.note,
    }
    statement = insert(connection, poll_log)
    told = {name: statement.excluded[name] for name in log}
    statement = statement.on_conflict_do_update(index_elements=["source_id", "slot"], set_=told)
    connection.execute(statement, {"source_id": row.id, "slot": row.polls % KEPT_POLLS, **log})


def _moved(connection: Connection, row: Watched, url: str, now: float) -> Values:
    """Return what a source's new address means: another host, or that it is watched twice."""
    if connection.scalar(select(source.c.id).where(source.c.url == url)) is not None:
        return {"url": row.url, "state": SourceState.SUPERSEDED, "next_at": None, "moved_to": url}
    ensure_host(connection, host_key(url), now)
    return {"host": host_key(url)}
