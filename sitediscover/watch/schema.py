"""The tables. Times are seconds since 1970, always the watchlist's clock's and never the database's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    bindparam,
    text,
    update,
)

from sitediscover.model import SourceKind
from sitediscover.watch.model import FirstRead, Role, SourceState

if TYPE_CHECKING:
    from sqlalchemy import Dialect, RowMapping

KEPT_POLLS = 30
"""Polls of each source that the log keeps."""

metadata = MetaData()

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Told(TypeDecorator[str]):
    """A text that a stranger wrote, without what a database cannot hold: NUL (PostgreSQL), halves of characters."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's
        """Return it as it is stored."""
        return value if value is None else _UNSTORABLE.sub("", value)


def _zero(name: str, kind: type[Double[Any] | Integer]) -> Column[Any]:
    return Column(name, kind, nullable=False, server_default="0")


meta = Table(
    "meta",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("schema_version", Integer, nullable=False),
    CheckConstraint("id = 1", name="one_row"),
)

# One row for each host (and port, where it is not the usual one): what is leased, and what politeness is kept for.
#   next_at: when there is something to do; NULL: never. Before it is reached a claim does not look at the host.
#   free_at: the last request and the pause; blocked_until: what Retry-After asked for.
#   epoch: grows with every claim; who writes under an older one has lost the lease.
host = Table(
    "host",
    metadata,
    Column("host", Text, primary_key=True),
    Column("next_at", Double),
    _zero("free_at", Double),
    _zero("blocked_until", Double),
    Column("lease_owner", Text),
    _zero("lease_until", Double),
    _zero("epoch", Integer),
    Index("host_next_at", "next_at"),
)

source = Table(
    "source",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("site", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("url", Text, nullable=False, unique=True),
    Column("origin", Text, nullable=False),  # the site as a person knows it: where a successor is looked for
    Column("title", Told),
    Column("language", Told),
    Column("state", Text, nullable=False),
    Column("paused_from", Text),  # the state it goes back to
    Column("role", Text, nullable=False),
    Column("parent_id", Integer),
    Column("replaces", Integer),  # the source it is proposed as the successor of
    Column("first_read", Text, nullable=False),  # a FirstRead
    Column("include", Text, nullable=False, server_default=""),  # one pattern a line
    Column("exclude", Text, nullable=False, server_default=""),
    Column("max_age", Double),
    Column("added_at", Double, nullable=False),
    Column("interval_s", Double, nullable=False),
    Column("next_at", Double),
    _zero("failures", Double),
    Column("error", Told),
    Column("last_poll", Double),
    Column("last_ok", Double),
    Column("last_change", Double),
    Column("last_new", Double),
    Column("failing_since", Double),
    Column("gone_since", Double),
    Column("searched_at", Double),  # when a successor was last looked for
    Column("audited_at", Double),  # an index: when one of its resting children was last chosen
    Column("moved_to", Text),
    Column("moved_since", Double),
    Column("etag", Told),
    Column("last_modified", Told),
    Column("body_hash", LargeBinary),
    _zero("unchanged", Integer),  # consecutive 304s
    Column("index_lastmod", Text),  # a child: what its index said last
    Column("read_lastmod", Text),  # a child: what its index had said when it was last read
    _zero("misled", Integer),  # a child: how often in a row its lastmod moved and nothing was new
    Column("newest", Double),  # the newest date that it listed
    Column("read_day", Integer),  # the day of the last whole reading; NULL: its baseline is still to be read
    Column("guids", Boolean, nullable=False, server_default=text("true")),  # false once it has renumbered them
    _zero("gaps", Integer),
    _zero("polls", Integer),
    Index("source_host_next_at", "host", "next_at"),
    Index("source_parent", "parent_id"),
    Index("source_site", "site"),
    # Numbers of removed sources are never given again: a list that a person holds stays right.
    sqlite_autoincrement=True,
)

# What was ever listed. `other` ties a guid to the address it came with.
seen = Table(
    "seen",
    metadata,
    Column("site", Text, primary_key=True),
    Column("fingerprint", LargeBinary, primary_key=True),
    Column("other", LargeBinary),
    Column("last_seen_day", Integer, nullable=False),
    Index("seen_site_day", "site", "last_seen_day"),
    sqlite_with_rowid=False,
)

article = Table(
    "article",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("site", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("source_id", Integer, nullable=False),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("url", Text, nullable=False),
    Column("title", Told),
    Column("published", Text),
    Column("modified", Text),
    Column("language", Told),
    Column("summary", Told),
    Column("found_on", Text),
    Column("found_at", Double, nullable=False),
    Column("held", Boolean, nullable=False),  # its source is provisional
    Column("delivered_at", Double),
    UniqueConstraint("site", "fingerprint", name="article_once"),
    Index("article_source", "source_id"),
    Index(
        "article_waiting",
        "host",
        "id",
        sqlite_where=text("delivered_at IS NULL"),
        postgresql_where=text("delivered_at IS NULL"),
    ),
    sqlite_autoincrement=True,
)

# A ring: poll n of a source stands in slot n modulo KEPT_POLLS.
poll_log = Table(
    "poll_log",
    metadata,
    Column("source_id", Integer, primary_key=True, autoincrement=False),
    Column("slot", Integer, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    Column("status", Integer),
    Column("requests", Integer, nullable=False),
    Column("listed", Integer, nullable=False),
    Column("new", Integer, nullable=False),
    Column("gap", Boolean, nullable=False),
    Column("note", Told, nullable=False),
    sqlite_with_rowid=False,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A row of `source`; what its columns mean stands there."""

    id: int
    site: str
    host: str
    kind: SourceKind
    url: str
    origin: str
    title: str | None
    language: str | None
    state: SourceState
    paused_from: str | None
    role: Role
    parent_id: int | None
    replaces: int | None
    first_read: FirstRead
    include: str
    exclude: str
    max_age: float | None
    added_at: float
    interval_s: float
    next_at: float | None
    failures: float
    error: str | None
    last_poll: float | None
    last_ok: float | None
    last_change: float | None
    last_new: float | None
    failing_since: float | None
    gone_since: float | None
    searched_at: float | None
    audited_at: float | None
    moved_to: str | None
    moved_since: float | None
    etag: str | None
    last_modified: str | None
    body_hash: bytes | None
    unchanged: int
    index_lastmod: str | None
    read_lastmod: str | None
    misled: int
    newest: float | None
    read_day: int | None
    guids: bool
    gaps: int
    polls: int

    @classmethod
    def of(cls, row: RowMapping) -> Watched:
        """Return a row with its enumerations as such."""
        values: dict[str, Any] = {**row}
        values |= {name: kind(values[name]) for name, kind in _ENUMERATIONS.items()}
        return cls(**values)


_ENUMERATIONS = {"kind": SourceKind, "state": SourceState, "role": Role, "first_read": FirstRead}

CHANGE = update(source).where(source.c.id == bindparam("number"))
"""Changes one source, by its number."""

READ_ANEW = {"etag": None, "last_modified": None, "body_hash": None}
"""What makes a source be read anew, though its document has not changed."""

UNREAD = {"read_day": None, "first_read": FirstRead.BASELINE}
"""What makes its next reading one as if it were the first."""
