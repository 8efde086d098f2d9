"""One poll as one transaction: what was listed, the new articles, and only then the validators and the next time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select

from sitediscover.judge import USEFUL_SHARE
from sitediscover.model import SourceKind
from sitediscover.shapes import shares
from sitediscover.watch.alike import Scope, tell_apart
from sitediscover.watch.database import insert
from sitediscover.watch.family import forebears, supersede, take_listing
from sitediscover.watch.filters import wanted
from sitediscover.watch.lease import ensure_host, fence, host_key
from sitediscover.watch.model import FirstRead, Role, SourceState
from sitediscover.watch.progress import Facts, after_success, after_trouble, is_gap
from sitediscover.watch.remembered import forget, known, remember, store
from sitediscover.watch.schedule import DAY, HOUR, day_of
from sitediscover.watch.schema import CHANGE, KEPT_POLLS, Watched, poll_log, source
from sitediscover.watch.tree import dates_of
from sitediscover.watch.verdict import Trouble

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from sitediscover.model import SitemapEntry
    from sitediscover.parse.entries import FeedEntry
    from sitediscover.watch.alike import Listed
    from sitediscover.watch.lease import Lease
    from sitediscover.watch.progress import Values
    from sitediscover.watch.reader import Brought
    from sitediscover.watch.verdict import Answer, Verdict

_FEW = 5
_CLOCK_SKEW = 2 * DAY


# Those whose reading reaches a receiver: one that moves onto another's address may be left to that.
_DELIVERING = (SourceState.LIVE, SourceState.QUIET, SourceState.FAILING, SourceState.REFUSED)
_SOURCE = select(source).where(source.c.id == bindparam("number")).with_for_update()


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
    first: bool = False
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
    if row is None:  # a person has removed or paused it meanwhile
        connection.execute(CHANGE, {"number": poll.row.id, "next_at": None})
        return 0
    poll = replace(poll, row=row)
    if poll.verdict.trouble is not Trouble.NONE:
        _write(connection, poll, after_trouble(row, poll.verdict, poll.now), _Counts(), gap=False)
        return 0
    counts = _take(connection, poll)
    facts = _facts(poll, counts)
    values = after_success(row, facts, poll.answer, poll.now) | _names(row, poll.brought)
    _write(connection, poll, values, counts, gap=is_gap(row, facts, poll.now))
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
        return Facts(role=counts.role, new=counts.new, baseline=counts.first)
    whole = brought.whole
    return Facts(
        listed=counts.listed,
        new=counts.new,
        changed=brought.reading is not None,
        baseline=counts.first and row.first_read is not FirstRead.LATE,
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
    if row.role is Role.INDEX and not reading.articles:
        return _Counts(role=row.role)  # an index that lists nothing for once
    if _lists_sections(row, [entry.url for entry in reading.articles]):
        return _Counts(listed=len(reading.articles), role=Role.ASIDE)
    return _take_articles(connection, poll, reading.articles)


def _take_articles(connection: Connection, poll: Poll, entries: Sequence[FeedEntry]) -> _Counts:
    row, now = poll.row, poll.now
    newest = dates_of([entry.published or entry.modified for entry in entries], now)
    trees = forebears(connection, row).trees
    scope = Scope(source=row.id, trees=trees, guids=row.guids, newest=row.newest, ahead=now + HOUR)
    apart = tell_apart(entries, scope, lambda names: known(connection, row.site, names))
    # Of an index that has become a file of articles nobody knows what is new either.
    first = row.read_day is None or row.role is Role.INDEX
    fresh = _fresh(row, apart.new, newest, now) if first else apart.new
    kept = [each for each in fresh if wanted(row, each.entry, now)]
    held = row.state is SourceState.PROVISIONAL
    added = remember(connection, row.site, apart.names([] if held else kept), day_of(now))
    # An archive that joins a tree is no news, however new its addresses are.
    told = fresh if first and row.first_read is FirstRead.LATE else apart.new
    new = [each for each in told if not added.isdisjoint(each.names)]
    ours = {each.fingerprint for each in new}
    mine = [each for each in kept if each.fingerprint in ours]
    store(connection, row, mine, held=held, found_on=poll.answer.url, now=now)
    return _Counts(
        listed=len(apart.listed),
        new=len(new),
        role=Role.SINGLE if row.role is Role.INDEX else row.role,
        first=first,
        renumbered=apart.renumbered,
        newest=newest,
    )


def _lists_sections(row: Watched, urls: Sequence[str]) -> bool:
    """Say whether a file of a tree lists no articles but tags, authors, categories."""
    if row.parent_id is None or row.kind is SourceKind.SECTIONS or len(urls) < _FEW:
        return False
    return shares(urls).section_share >= USEFUL_SHARE


def _fresh(row: Watched, new: Sequence[Listed], newest: float | None, now: float) -> Sequence[Listed]:
    """Return what is to be delivered of a first reading.

    All of it where that was asked for. Of a file that joined its tree later, what is not older than the tree's being
    watched (an archive that a site adds is no news). Else what is dated since: it came between adding and reading, or
    since the last reading of a source that was forgotten meanwhile; what is dated ahead may have stood there before.
    """
    late = row.first_read is FirstRead.LATE
    if row.first_read is FirstRead.BACKLOG:
        return new
    if newest is None:  # undated, or its dates cannot be relied on
        return new if late else []
    since, until = row.added_at, now + HOUR
    if late:
        since, until = since - _CLOCK_SKEW, float("inf")
    elif row.last_ok is not None and row.role is not Role.INDEX:
        since = max(since, row.last_ok)

    def is_fresh(listed: Listed) -> bool:
        date = listed.entry.published or listed.entry.modified
        return late if date is None else since <= date.timestamp() <= until

    return [each for each in new if is_fresh(each)]


def _take_listing(connection: Connection, poll: Poll, listing: Sequence[SitemapEntry] | None) -> _Counts:
    whole = poll.brought is not None and poll.brought.whole
    listed, new = take_listing(connection, poll.row, listing, whole=whole, now=poll.now)
    return _Counts(listed=listed, new=new, role=Role.INDEX, first=poll.row.read_day is None)


def _write(connection: Connection, poll: Poll, values: Values, counts: _Counts, *, gap: bool) -> None:
    row = poll.row
    if "url" in values:
        values |= _moved(connection, row, str(values["url"]), poll.now)
    connection.execute(CHANGE, {"number": row.id, **values})
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
    other = connection.execute(select(source).where(source.c.url == url)).mappings().first()
    if other is None:
        ensure_host(connection, host_key(url), now)
        return {"host": host_key(url)}
    if other["state"] not in _DELIVERING:  # nobody would receive anything: it is asked through the old address
        return {"url": row.url, "moved_to": url, "moved_since": row.moved_since or now}
    supersede(connection, row.id, by=Watched.of(other), now=now)
    return {"url": row.url, "state": SourceState.SUPERSEDED, "next_at": None, "moved_to": url}
