"""What the Watchlist knows of a source, as its users receive it: frozen, slotted, keyword-only values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sitediscover.model import SourceKind


class SourceState(StrEnum):
    """How a watched source stands.

    provisional: collected, not delivered, until a person approves. live. quiet: in order, and nothing new for 90 days.
    failing: its last answers were errors. refused: it is closed to us (401, 403, robots.txt). gone: 410, twice a day
    apart. paused: by a person. superseded: another source has taken its place.
    """

    PROVISIONAL = "provisional"
    LIVE = "live"
    QUIET = "quiet"
    FAILING = "failing"
    REFUSED = "refused"
    GONE = "gone"
    PAUSED = "paused"
    SUPERSEDED = "superseded"


class Role(StrEnum):
    """What part a document has in its tree.

    single: no tree at all. index: it lists the others. head: where new articles appear; polled like a feed. resting:
    asked when the index says that it moved, and in audits. retired: unchanged for 180 days, not audited any more.
    aside: it lists no articles.
    """

    SINGLE = "single"
    INDEX = "index"
    HEAD = "head"
    RESTING = "resting"
    RETIRED = "retired"
    ASIDE = "aside"


WAITING_ROLES = (Role.RESTING, Role.RETIRED, Role.ASIDE)
"""Parts that have no time of their own: they are asked when their index says so."""


class FirstRead(StrEnum):
    """What is delivered of a document's first reading.

    baseline: what is dated since it was added. backlog: all of it. late: it joined its tree after the tree's own first
    reading, so that what it lists is new, unless it is older than the tree's being watched.
    """

    BASELINE = "baseline"
    BACKLOG = "backlog"
    LATE = "late"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceInfo:
    """One watched source.

    Attributes:
        id: its number in the store.
        site: the registrable domain its articles are told apart in.
        origin: the site as it was named: where a successor is looked for.
        kind: what it is.
        url: the address that is asked.
        title: as told when it was added, or by itself.
        state: how it stands.
        role: what part it has in its tree.
        parent: the number of the index or sections sitemap that it belongs to.
        replaces: the number of the source that it is proposed for.
        interval: seconds between two requests, before jitter and the site's own hints.
        next_at: when it is due; None where it waits for its index, or is paused.
        last_ok: when it last answered in order.
        last_new: when it last told something new.
        failures: how often in a row it failed; lesser failures count for less than one.
        error: the last failure, in words; None where the last answer was in order.
        gaps: how often nothing that it listed was known, so that something may have been missed.
        moved_to: where it permanently redirects to.
        include: patterns of which an address must hold one.
        exclude: patterns of which an address must hold none.
        max_age: seconds since its date after which an article is not delivered.
        added_at: when it was added.
    """

    id: int
    site: str
    origin: str
    kind: SourceKind
    url: str
    title: str | None
    state: SourceState
    role: Role
    parent: int | None
    replaces: int | None
    interval: float
    next_at: datetime | None
    last_ok: datetime | None
    last_new: datetime | None
    failures: float
    error: str | None
    gaps: int
    moved_to: str | None
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    max_age: float | None
    added_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PollRecord:
    """One poll of a source, as its log keeps it.

    Attributes:
        at: when.
        status: the HTTP status; None where no answer came.
        requests: how many requests it cost, redirects and robots.txt included.
        listed: how many articles, or children, the document listed.
        new: how many of them were new.
        gap: nothing that it listed was known.
        note: the error, or what was done about it.
    """

    at: datetime
    status: int | None
    requests: int
    listed: int
    new: int
    gap: bool
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """The store in figures.

    Attributes:
        sources: how many there are, the documents of trees included.
        states: how many there are of each state.
        hosts: how many hosts they are on.
        due: how many hosts could be asked now.
        late: seconds that the longest waiting of them has waited.
        next_at: when the next one falls due.
        waiting: articles that are to be delivered.
        held: articles of provisional sources.
        articles: articles in the store, delivered or not.
        seen: addresses that are remembered.
        gaps: how often something may have been missed.
    """

    sources: int
    states: Mapping[SourceState, int]
    hosts: int
    due: int
    late: float
    next_at: datetime | None
    waiting: int
    held: int
    articles: int
    seen: int
    gaps: int
