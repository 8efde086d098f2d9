"""The database: its engine, its transactions, and the numbered steps that bring an older one up to date."""

from __future__ import annotations

import sqlite3
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, inspect, select, text
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from sitediscover.errors import InvalidStore, MissingPackage, StoreFailed
from sitediscover.watch.schema import meta, metadata

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Table
    from sqlalchemy.dialects.postgresql import Insert as PostgresInsert

BUSY = 30.0
"""Seconds that a transaction waits for another one's lock."""

_TRIES = 5
_SUPPORTED = ("sqlite", "postgresql")
_MIGRATION_LOCK = 7_365_964  # any number, as long as it is the same in every worker
# Deadlock, serialisation failure, lock not available: whole transactions that may simply be made again.
_AGAIN = frozenset({"40P01", "40001", "55P03"})

_T = TypeVar("_T")


def _first(connection: Connection) -> None:
    """Create the tables. When a second step comes, this one gets its own copy of them as they are now."""
    metadata.create_all(connection)


STEPS: tuple[Callable[[Connection], None], ...] = (_first,)
"""What changes the schema, in order: step n makes version n of version n - 1."""


class Database:
    """A store's database.

    Args:
        url: an SQLAlchemy URL of SQLite or PostgreSQL; `postgresql://` means psycopg 3.

    Raises:
        InvalidStore: another database, or one that a newer version of this library has written.
        StoreFailed: the database cannot be opened.
        MissingPackage: the driver is not installed.
    """

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self._writer = self.engine.execution_options(sitediscover_writes=True)
        try:
            self.write(_upgrade)
        except BaseException:
            self.engine.dispose()
            raise

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection for reading.

        Raises:
            StoreFailed: the database does not answer.
        """
        with _translated(), self.engine.connect() as connection:
            yield connection

    def write(self, work: Callable[[Connection], _T]) -> _T:
        """Run work in one transaction, again where a database says that another one was in the way.

        Args:
            work: takes the connection; must have no other effects.

        Raises:
            StoreFailed: the database does not answer, or refuses.
        """
        until = time.monotonic() + BUSY  # each try waits for locks itself, as long as that
        with _translated():
            for _ in range(_TRIES - 1):
                try:
                    return self._once(work)
                except DBAPIError as error:
                    if not _may_help(error) or time.monotonic() >= until:
                        raise
            return self._once(work)

    def _once(self, work: Callable[[Connection], _T]) -> _T:
        with self._writer.begin() as connection:
            return work(connection)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        said = error.orig if isinstance(error, DBAPIError) else error
        raise StoreFailed(f"the store: {said}".partition("\n")[0]) from error


def insert(connection: Connection, table: Table) -> PostgresInsert:
    """Return an INSERT that knows ON CONFLICT; both databases spell it the same way."""
    make: Any = insert_sqlite if connection.dialect.name == "sqlite" else insert_postgresql
    statement: PostgresInsert = make(table)
    return statement


def _engine(text_url: str) -> Engine:
    try:
        url = make_url(text_url)
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        if url.get_backend_name() not in _SUPPORTED:
            raise InvalidStore(f"a store is on SQLite or PostgreSQL, not {url.get_backend_name()}")
        if url.get_backend_name() == "sqlite":
            engine = create_engine(url, connect_args={"timeout": BUSY})
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        return create_engine(url, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError) as error:
        raise InvalidStore(f"a store is a URL such as sqlite:///news.db, not {text_url!r:.80}") from error
    except ModuleNotFoundError as error:
        raise MissingPackage("a store on PostgreSQL needs psycopg: pip install 'sitediscover[postgres]'") from error


def _prepare_sqlite(connection: sqlite3.Connection, record: object) -> None:  # noqa: ARG001 - an event of SQLAlchemy
    # The driver's own BEGIN comes too late and never is IMMEDIATE (docs.sqlalchemy.org, "Serializable isolation").
    connection.isolation_level = None
    # WAL: readers and the writer do not wait for each other. NORMAL: a killed process loses nothing; after a power
    # failure the last transactions may be missing, whole, as if they had not been made yet.
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", f"busy_timeout={int(BUSY * 1000)}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and then wants to write may be refused at once: writers say so from the start.
    writes = connection.get_execution_options().get("sitediscover_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _may_help(error: DBAPIError) -> bool:
    if isinstance(error.orig, sqlite3.OperationalError):
        return "locked" in str(error.orig)
    return error.connection_invalidated or getattr(error.orig, "sqlstate", None) in _AGAIN


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        # Two workers may open a new store at once; SQLite's writers wait for each other anyway.
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
    version = _version(connection)
    if version > len(STEPS):
        raise InvalidStore(f"the store has version {version}; this library knows up to {len(STEPS)}: upgrade it")
    for step in STEPS[version:]:
        step(connection)
    if version == 0:
        connection.execute(meta.insert().values(id=1, schema_version=len(STEPS)))
    elif version < len(STEPS):
        connection.execute(meta.update().values(schema_version=len(STEPS)))


def _version(connection: Connection) -> int:
    if not inspect(connection).has_table(meta.name):
        return 0
    return connection.scalar(select(meta.c.schema_version)) or 0
