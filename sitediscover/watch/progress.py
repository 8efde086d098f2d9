"""What a poll changes in a source's row. Pure: a row and facts in, new values out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitediscover.model import SourceKind
from sitediscover.watch.model import WAITING_ROLES, Role, SourceState
from sitediscover.watch.schedule import (
    DAY,
    INDEX_LONGEST,
    INDEX_SHORTEST,
    LONGEST,
    SECTIONS_SHORTEST,
    SHORTEST,
    back_off,
    day_of,
    hinted,
    jittered,
    known_share,
    next_interval,
)
from sitediscover.watch.verdict import WEIGHT, Trouble

if TYPE_CHECKING:
    from sitediscover.watch.schema import Watched
    from sitediscover.watch.verdict import Answer, Verdict

QUIET_AFTER = 90 * DAY
"""Seconds without anything new after which a source is quiet."""

MOVED_AFTER = 7 * DAY
"""Seconds that a permanent redirect must have led to one address before that is asked instead."""

GONE_AFTER = DAY
"""Seconds between two answers of 410 that make a source gone."""

GONE_INTERVAL = 30 * DAY
"""Seconds after which even a gone source is looked at again."""

NEWS_LISTED = 2 * DAY
"""Seconds that a news sitemap lists an article."""

_KEPT_STATES = (SourceState.PROVISIONAL, SourceState.PAUSED, SourceState.SUPERSEDED)
Values = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a successful poll has brought.

    Attributes:
        listed: how many articles, or children, the document lists.
        new: how many of them were not known.
        changed: it is another document than the last time.
        baseline: it is the source's first reading.
        whole: it was read to its end.
        role: what part the document has in its tree.
        hint: seconds that the site asks to wait.
        newest: the newest date that it lists, where its dates can be relied on.
        renumbered: its guids cannot be relied on.
        etag: as sent.
        last_modified: as sent.
        body_hash: of the body; None where there was none, or it is not to be relied on.
    """

    listed: int = 0
    new: int = 0
    changed: bool = False
    baseline: bool = False
    whole: bool = True
    role: Role = Role.SINGLE
    hint: float | None = None
    newest: float | None = None
    renumbered: bool = False
    etag: str | None = None
    last_modified: str | None = None
    body_hash: bytes | None = None

    @property
    def news(self) -> int:
        """Return how much counts as new: nothing of a baseline."""
        return 0 if self.baseline else self.new


def is_gap(row: Watched, facts: Facts, now: float) -> bool:
    """Say whether nothing was known of a document that lists its newest entries only.

    Not where what it listed before cannot be there any more: it had listed nothing yet, or a news sitemap's two days
    (Google, "Create a news sitemap") have gone by since its newest article.
    """
    window = row.kind is not SourceKind.ARTICLE_SITEMAP and facts.role is not Role.INDEX
    if not window or facts.baseline or row.read_day is None or not 0 < facts.listed == facts.new:
        return False
    if row.newest is None:
        return facts.newest is None
    return row.kind is not SourceKind.NEWS_SITEMAP or now - row.newest <= NEWS_LISTED


def after_success(row: Watched, facts: Facts, answer: Answer, now: float) -> Values:
    """Return the values of a source that answered in order.

    Args:
        row: as it was.
        facts: what the poll has brought.
        answer: as it came.
        now: seconds since 1970.
    """
    gap = is_gap(row, facts, now)
    interval, wait = _interval(row, facts, gap=gap)
    role = _role(row, facts)
    # Lastmods of sections may stand still: each is looked at once a day whatever they say.
    daily = role is Role.RESTING and row.kind is SourceKind.SECTIONS
    waits = role in WAITING_ROLES and not daily
    values: Values = {
        "failures": 0.0,
        "error": None,
        "failing_since": None,
        "gone_since": None,
        "last_poll": now,
        "last_ok": now,
        "interval_s": interval,
        "next_at": None if waits else now + jittered(LONGEST if daily else wait, row.id, now),
        "role": role.value,
        "state": _state(row, facts, now),
        "read_lastmod": row.index_lastmod,
        "misled": row.misled + 1 if row.index_lastmod != row.read_lastmod and not facts.new else 0,
        "polls": row.polls + 1,
        "gaps": row.gaps + gap,
        "guids": row.guids and not facts.renumbered,
        "newest": max(filter(None, (row.newest, facts.newest)), default=None),
        "unchanged": row.unchanged + 1 if answer.not_modified else 0,
    }
    if facts.changed:
        values["last_change"] = now
        # A second reading counts even where it is cut too: a file past our cap must not stay at its baseline for ever.
        if facts.whole or row.last_ok is not None:
            values["read_day"] = day_of(now)
    if facts.news:
        values["last_new"] = now
    if facts.body_hash is not None:
        values |= {"etag": facts.etag, "last_modified": facts.last_modified, "body_hash": facts.body_hash}
    return values | _movement(row, answer, now)


def _role(row: Watched, facts: Facts) -> Role:
    if not facts.news or facts.role not in (Role.RESTING, Role.RETIRED):
        return facts.role
    # A section that moved as its sitemap said goes on waiting for that; one with news behind a still lastmod does not.
    told = row.kind is SourceKind.SECTIONS and row.index_lastmod != row.read_lastmod
    return facts.role if told else Role.HEAD


def _interval(row: Watched, facts: Facts, *, gap: bool) -> tuple[float, float]:
    """Return the source's own interval from now on, and what the site's hints make of it."""
    if facts.role is Role.INDEX:
        shortest = SECTIONS_SHORTEST if row.kind is SourceKind.SECTIONS else INDEX_SHORTEST
        share = 0.0 if facts.news else 1.0
        interval = next_interval(row.interval_s, share, gap=False, shortest=shortest, longest=INDEX_LONGEST)
        return interval, interval
    share = known_share(facts.listed, facts.news, growing=row.kind is SourceKind.ARTICLE_SITEMAP)
    if facts.baseline:
        return row.interval_s, row.interval_s
    interval = next_interval(row.interval_s, share, gap=gap, shortest=SHORTEST, longest=LONGEST)
    return interval, hinted(interval, share, facts.hint)


def _state(row: Watched, facts: Facts, now: float) -> str:
    if row.state in _KEPT_STATES:
        return row.state.value
    last = now if facts.news else max(row.last_new or 0.0, row.added_at)
    lists_only = facts.role is not Role.SINGLE  # of a tree most files are quiet, and that says nothing
    return (SourceState.QUIET if now - last > QUIET_AFTER and not lists_only else SourceState.LIVE).value


def _movement(row: Watched, answer: Answer, now: float) -> Values:
    """Return a new address at once where only the scheme is another, else after seven days of the same one."""
    # A child is asked where its index says.
    if answer.moved is None or answer.moved == row.url or row.parent_id is not None:
        return {"moved_to": None, "moved_since": None}
    since = row.moved_since if row.moved_to == answer.moved and row.moved_since else now
    if answer.moved == row.url.replace("http:", "https:", 1) or now - since >= MOVED_AFTER:
        return {"url": answer.moved, "moved_to": None, "moved_since": None}
    return {"moved_to": answer.moved, "moved_since": since}


def after_trouble(row: Watched, verdict: Verdict, now: float) -> Values:
    """Return the values of a source that did not answer in order.

    Args:
        row: as it was.
        verdict: what is wrong.
        now: seconds since 1970.
    """
    failures = row.failures + WEIGHT[verdict.trouble]
    wait = max(back_off(row.interval_s, failures), verdict.rest)
    gone_since = (row.gone_since or now) if verdict.trouble is Trouble.GONE else None
    state = _failed_state(row, verdict, failures, gone_since, now)
    if verdict.trouble is Trouble.GONE:
        wait = GONE_INTERVAL if state is SourceState.GONE else GONE_AFTER + 60.0
    return {
        "failures": failures,
        "error": verdict.note,
        "failing_since": row.failing_since or now,
        "gone_since": gone_since,
        "last_poll": now,
        # A day apart is no less than a day.
        "next_at": now + (wait if verdict.trouble is Trouble.GONE else jittered(wait, row.id, now)),
        "state": state.value,
        "polls": row.polls + 1,
    }


def _failed_state(row: Watched, verdict: Verdict, failures: float, gone_since: float | None, now: float) -> SourceState:
    if row.state in _KEPT_STATES:
        return row.state
    if verdict.trouble is Trouble.REFUSED:
        return SourceState.REFUSED
    if gone_since is not None and now - gone_since >= GONE_AFTER:
        return SourceState.GONE
    return SourceState.FAILING if failures >= 1.0 else row.state
