"""A clock that was wrong: what it has left behind in the store is brought back to the present."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, case, or_, update

from sitediscover.watch.schedule import BLOCK_LONGEST, DAY, HOUR
from sitediscover.watch.schema import host, source

if TYPE_CHECKING:
    from sqlalchemy import Column, Connection

SKEW = HOUR
"""Seconds that the clocks of two workers may be apart."""

_LONGEST_LEASE = DAY
# What was written when it happened: ahead of now, a clock was wrong.
_HAPPENED = (
    *("added_at", "last_poll", "last_ok", "last_change", "last_new", "failing_since", "gone_since", "searched_at"),
    *("audited_at", "moved_since", "newest"),
)


def set_right(connection: Connection, now: float) -> None:
    """Have asked at once what was asked last in the future, and end what would hold a host until then.

    Args:
        connection: of the transaction.
        now: seconds since 1970.
    """
    ahead = now + SKEW
    source_wrong = source.c.last_poll > ahead
    values = {name: _at_most(source.c[name], now) for name in _HAPPENED} | {"next_at": _at_most(source.c.next_at, now)}
    connection.execute(update(source).where(source_wrong).values(values))
    # free_at is a pause ahead, no more; with a source that was put right its host is due, too.
    host_wrong = or_(
        host.c.free_at > ahead, host.c.lease_until > now + _LONGEST_LEASE, host.c.blocked_until > ahead + BLOCK_LONGEST
    )
    values = {name: _at_most(host.c[name], now) for name in ("next_at", "free_at", "blocked_until", "lease_until")}
    connection.execute(update(host).where(host_wrong).values(values))


def _at_most(column: Column[float], now: float) -> object:
    return case((and_(column.is_not(None), column > now), now), else_=column)
