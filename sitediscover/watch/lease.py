"""Who may ask a host: one worker at a time, by a lease that ends by itself and an epoch that only grows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sqlalchemy import and_, bindparam, case, func, or_, select, update

from sitediscover.watch.database import insert
from sitediscover.watch.schema import article, host, source

if TYPE_CHECKING:
    from sqlalchemy import Connection, Executable

    from sitediscover.watch.database import Database


class LeaseLost(Exception):
    """Raised where another worker has taken over a host: what was being done there is not to be written."""


@dataclass(slots=True)
class Lease:
    """The right to ask a host.

    Attributes:
        host: the host.
        epoch: the number of the claim.
        free_at: when it may be asked, for politeness' sake or because it said so; seconds since 1970.
        until: when another worker may take it.
    """

    host: str
    epoch: int
    free_at: float
    until: float


def host_key(url: str) -> str:
    """Return what a URL's host is leased by: its name, and its port where it is not the usual one."""
    parts = urlsplit(url)
    name = parts.hostname or ""
    return name if parts.port in (None, 80, 443) else f"{name}:{parts.port}"


class Leases:
    """The leases of one worker.

    Args:
        database: the store.
        owner: the worker's name, told apart from all others.
        needed: seconds that one request, and writing down what it brought, may take.
        margin: seconds that a lease lasts beyond that, so that it need not be renewed each time.
    """

    def __init__(self, database: Database, *, owner: str, needed: float, margin: float) -> None:
        self._database = database
        self._owner = owner
        self.needed = needed
        self._seconds = needed + margin

    def claim(self, now: float) -> Lease | None:
        """Take the host that has been due for longest; None where none is."""
        return self._take(_CLAIM, {"now": now}, now)

    def borrow(self, name: str, now: float) -> Lease | None:
        """Take one host besides, where a redirect leads to it; None where it is busy, or resting."""
        self._database.write(lambda connection: ensure_host(connection, name, None))
        return self._take(_BORROW, {"name": name, "now": now}, now)

    def rest(self, name: str, now: float) -> float:
        """Return for how many seconds a host has asked to be left alone.

        Args:
            name: the host.
            now: seconds since 1970.
        """
        with self._database.reading() as connection:
            until = connection.scalar(_BLOCKED, {"name": name})
        return max(0.0, (until or 0.0) - now)

    def _take(self, statement: Executable, values: dict[str, object], now: float) -> Lease | None:
        until = now + self._seconds
        values |= {"lease_owner": self._owner, "lease_until": until}
        row = self._database.write(lambda connection: connection.execute(statement, values).first())
        if row is None:
            return None
        return Lease(row.host, row.epoch, free_at=max(row.free_at, row.blocked_until), until=until)

    def renew(self, lease: Lease, now: float, *, seconds: float | None = None) -> None:
        """Let a lease last from now on.

        Args:
            lease: what is held.
            now: seconds since 1970.
            seconds: for how long; as long as any other by default.

        Raises:
            LeaseLost: another worker has it.
        """
        if not self._database.write(lambda connection: self.lengthen(connection, lease, now, seconds=seconds)):
            raise LeaseLost(lease.host)

    def lengthen(self, connection: Connection, lease: Lease, now: float, *, seconds: float | None = None) -> bool:
        """Let a lease last from now on, within a transaction; say whether it is still ours."""
        lease.until = now + (self._seconds if seconds is None else seconds)
        values = {"name": lease.host, "held": lease.epoch, "lease_until": lease.until}
        return bool(connection.execute(_LENGTHEN, values).rowcount)

    def release(self, lease: Lease, now: float, *, free_at: float = 0.0, blocked_until: float = 0.0) -> float | None:
        """Give a host back; where it was lost, nothing happens.

        Args:
            lease: what is held.
            now: seconds since 1970.
            free_at: when it may be asked again for politeness' sake; 0 where it was not asked.
            blocked_until: when it may be asked again because it said so; 0 where it said nothing.

        Returns:
            When it may go on, where more of it is due already; None where nothing is.
        """

        def work(connection: Connection) -> float | None:
            row = connection.execute(_OURS, {"name": lease.host, "held": lease.epoch}).first()
            if row is None:
                return None
            free, blocked = max(row.free_at, free_at), max(row.blocked_until, blocked_until)
            waiting = connection.scalar(_WAITING, {"name": lease.host})
            first = connection.scalar(_FIRST_DUE, {"name": lease.host})
            next_at = None if first is None else max(first, free, blocked)
            values = {
                "lease_owner": None,
                "lease_until": 0.0,
                "free_at": free,
                "blocked_until": blocked,
                "next_at": next_at if waiting is None else now,
            }
            connection.execute(_RELEASE, {"name": lease.host, **values})
            return next_at if first is not None and first <= now else None

        return self._database.write(work)


# Statements are made once: making one takes SQLAlchemy longer than running it takes the database.
_NAME = host.c.host == bindparam("name")
_SET = {"epoch": host.c.epoch + 1}
_TOLD = (host.c.host, host.c.epoch, host.c.free_at, host.c.blocked_until)
_DUE = (
    select(host.c.host)
    .where(host.c.next_at <= bindparam("now"), host.c.lease_until <= bindparam("now"))
    .order_by(host.c.next_at)
    .limit(1)
    .with_for_update(skip_locked=True)
    .scalar_subquery()
)
_FREE = and_(
    host.c.lease_until <= bindparam("now"), host.c.free_at <= bindparam("now"), host.c.blocked_until <= bindparam("now")
)
_CLAIM = update(host).where(host.c.host == _DUE).values(_SET).returning(*_TOLD)
_BORROW = update(host).where(_NAME, _FREE).values(_SET).returning(*_TOLD)
_LENGTHEN = update(host).where(_NAME, host.c.epoch == bindparam("held"))
_OURS = select(host).where(_NAME, host.c.epoch == bindparam("held")).with_for_update()
_RELEASE = update(host).where(_NAME)
_BLOCKED = select(host.c.blocked_until).where(_NAME)
_EPOCH = select(host.c.epoch).where(_NAME).with_for_update()
_WAITING = (
    select(article.c.id)
    .where(article.c.host == bindparam("name"), article.c.delivered_at.is_(None), article.c.held.is_(False))
    .limit(1)
)
_FIRST_DUE = select(func.min(source.c.next_at)).where(source.c.host == bindparam("name"))


def fence(connection: Connection, lease: Lease) -> None:
    """Make sure, for the rest of the transaction, that a host is still ours.

    Raises:
        LeaseLost: another worker has it.
    """
    held = connection.scalar(_EPOCH, {"name": lease.host})
    if held != lease.epoch:
        raise LeaseLost(lease.host)


def ensure_host(connection: Connection, name: str, next_at: float | None) -> None:
    """Have a host looked at no later than at a time, whether or not it is known.

    Args:
        connection: of the transaction.
        name: the host.
        next_at: seconds since 1970; None where it need not be looked at.
    """
    statement = insert(connection, host).values(host=name, next_at=next_at)
    told = statement.excluded.next_at
    earlier = case((or_(host.c.next_at.is_(None), told < host.c.next_at), told), else_=host.c.next_at)
    if next_at is None:
        connection.execute(statement.on_conflict_do_nothing(index_elements=["host"]))
    else:
        connection.execute(statement.on_conflict_do_update(index_elements=["host"], set_={"next_at": earlier}))
