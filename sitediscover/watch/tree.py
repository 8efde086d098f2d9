"""What an index says about its children: which are new, which moved, which to poll like a feed. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sitediscover.judge import best_child_first
from sitediscover.model import Precision, SitemapEntry, SourceKind
from sitediscover.walk.lastmod import LastmodTally
from sitediscover.walk.model import LastmodTrust
from sitediscover.watch.model import Role, SourceState
from sitediscover.watch.schedule import DAY, HOUR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitediscover.watch.progress import Values
    from sitediscover.watch.schema import Watched

MAX_CHILDREN = 50_000
"""Children of one index; sitemaps.org allows as many."""

HOT_FOR = 3 * DAY
"""Seconds since its last new article during which a child is polled like a feed."""

MANY_MOVED, MOVED_SHARE = 5, 0.5
"""How many children, and which share of them, 0 to 1, must move together for it to say nothing about each."""

MAX_MOVED = 20
"""Moved sitemaps that one reading of an index makes due; the others wait for the next."""

MISLED_OFTEN = 3
"""Times in a row that a moved lastmod may bring nothing new before it is believed once a day only."""

AUDIT_EVERY = DAY
"""Seconds between two looks at a resting child that nothing speaks for."""

RETIRED_AFTER = 180 * DAY
"""Seconds without a change after which a child is not audited any more."""

BASELINE_EVERY = HOUR
"""Seconds between two first readings of old children: an archive of 120 files is no reason to hurry."""

# What a person has stopped, and what has been taken over, an index does not wake.
_LET_ALONE = (SourceState.PAUSED, SourceState.SUPERSEDED)

_SOME_DAY = 36 * HOUR
_UNREAD_HEADS = 3


@dataclass(slots=True)
class Plan:
    """What to do about an index's children.

    Attributes:
        added: the new ones' values.
        changed: new values of known ones, by number.
        news: how many children are new, or moved, among those that have no schedule of their own.
        audited: one of the resting ones was chosen.
    """

    added: list[Values] = field(default_factory=list)
    changed: dict[int, Values] = field(default_factory=dict)
    news: int = 0
    audited: bool = False

    def set(self, child: Watched, **values: object) -> None:
        """Change some of a child's values, those that are others already left out."""
        other = {name: value for name, value in values.items() if getattr(child, name) != value}
        if other:
            self.changed.setdefault(child.id, {}).update(other)


def plan_children(
    index: Watched, children: Sequence[Watched], listing: Sequence[SitemapEntry], *, whole: bool, now: float
) -> Plan:
    """Decide what an index's children are to do.

    Args:
        index: the index.
        children: those known.
        listing: those listed now.
        whole: the listing was read to its end, so that what it lacks is not there any more.
        now: seconds since 1970.
    """
    told = {entry.url: entry for entry in listing[:MAX_CHILDREN] if entry.url != index.url}
    known = {child.url: child for child in children}
    plan = Plan()
    _add(plan, index, [entry for url, entry in told.items() if url not in known], told, now)
    ours = [child for child in children if child.state not in _LET_ALONE]
    there = [child for child in ours if child.url in told]
    if whole:
        for child in ours:
            if child.url not in told and child.state is not SourceState.GONE:
                plan.set(child, state=SourceState.GONE, next_at=None)
    for child in there:
        # One that answers 410 itself is asked in its own time, whatever its index goes on listing.
        if child.state is SourceState.GONE and child.gone_since is None:
            plan.set(child, state=index.state, role=Role.RESTING, next_at=now)
    there = [child for child in there if child.gone_since is None]
    for child in children:  # those that are let alone learn what was said meanwhile once they are taken up again
        if child.url in told:
            plan.set(child, index_lastmod=lastmod_text(told[child.url]))
    trusted = _trusted(index, there, told, now)
    _cool_and_heat(plan, index, there, told, now)
    _wake_moved(plan, index, there, told, trusted=trusted, now=now)
    _audit(plan, index, there, now)
    return plan


def lastmod_text(entry: SitemapEntry) -> str | None:
    """Return what an index says about a child, as it is kept."""
    return entry.modified.astimezone(UTC).isoformat() if entry.modified else None


def _add(plan: Plan, index: Watched, new: list[SitemapEntry], told: Mapping[str, SitemapEntry], now: float) -> None:
    """Take in new children: those likely to carry the news are read at once, old ones in their own time."""
    first = index.read_day is None or index.role is not Role.INDEX  # a file of articles may become an index
    sections = index.kind is SourceKind.SECTIONS
    dated = sections and _dates(told, now)
    urgent = _candidates(list(told.values())) if first and not sections else {entry.url for entry in new}
    later = 0
    for entry in best_child_first(new):
        hot = entry.url in urgent
        later += not hot
        plan.added.append(
            {
                "url": entry.url,
                "role": Role.RESTING if dated or not hot else Role.HEAD,
                "next_at": now if hot else now + later * BASELINE_EVERY,
                "index_lastmod": lastmod_text(entry),
                "added_at": index.added_at if first else now,
            }
        )
    plan.news += 0 if first else len(new)


def _candidates(listing: list[SitemapEntry]) -> set[str]:
    """Return the children that most likely carry the news: the newest by lastmod, and both ends of the list."""
    return {entry.url for entry in (*best_child_first(listing)[:1], *listing[:1], *listing[-1:])}


def _dates(told: Mapping[str, SitemapEntry], now: float) -> bool:
    """Say whether an index's lastmods can mean anything: there are some, and they are not made up on the spot."""
    tally = LastmodTally(now)
    for entry in told.values():
        tally.add(entry)
    return tally.trust is LastmodTrust.FINE


def _trusted(index: Watched, there: Sequence[Watched], told: Mapping[str, SitemapEntry], now: float) -> bool:
    """Say whether a moved lastmod tells something: not where they all move together, or are all the time of asking.

    Sections do move together: of a national paper's 187, 157 moved in a day.
    """
    if index.kind is SourceKind.SECTIONS:
        return _dates(told, now)
    before = [child for child in there if child.index_lastmod is not None]
    moved = sum(lastmod_text(told[child.url]) != child.index_lastmod for child in before)
    together = moved >= MANY_MOVED and moved > MOVED_SHARE * len(before)
    return not together and _dates(told, now)


def _cool_and_heat(
    plan: Plan, index: Watched, there: Sequence[Watched], told: Mapping[str, SitemapEntry], now: float
) -> None:
    """Poll like a feed what has news, and let the others rest."""
    sections = index.kind is SourceKind.SECTIONS
    # Where lastmods cannot tell, each section is asked itself.
    heads = (set() if _dates(told, now) else set(told)) if sections else _heads(there, told)
    for child in there:
        if child.role in (Role.INDEX, Role.ASIDE) or child.read_day is None:
            continue
        warm = now - (child.last_new or 0.0) < HOT_FOR and (child.role is Role.HEAD or not sections)
        hot = child.url in heads or warm
        if hot and child.role is not Role.HEAD:
            plan.set(child, role=Role.HEAD, next_at=now)
        elif not hot and child.role is Role.HEAD:
            plan.set(child, role=Role.RESTING, next_at=child.next_at if child.failures or sections else None)
        elif child.role is Role.RESTING and now - (child.last_change or child.added_at) > RETIRED_AFTER:
            plan.set(child, role=Role.RETIRED)


def _heads(there: Sequence[Watched], told: Mapping[str, SitemapEntry]) -> set[str]:
    """Return the children that are asked whatever happens: the last with news; before there was any, the likeliest."""
    with_news = [child for child in there if child.last_new is not None and child.role is not Role.INDEX]
    if with_news:
        return {max(with_news, key=lambda child: child.last_new or 0.0).url}
    dated = sorted((child for child in there if child.newest), key=lambda child: child.newest or 0.0, reverse=True)
    return {child.url for child in dated[:_UNREAD_HEADS]} or _candidates(list(told.values()))


def _can_be_woken(child: Watched, now: float) -> bool:
    if child.role not in (Role.RESTING, Role.RETIRED) or child.read_day is None or child.failures:
        return False
    return child.misled < MISLED_OFTEN or now - (child.last_ok or 0.0) >= DAY


def _wake_moved(
    plan: Plan, index: Watched, there: Sequence[Watched], told: Mapping[str, SitemapEntry], *, trusted: bool, now: float
) -> None:
    """Make due the resting children that moved since they were read."""
    waiting = []
    for child in there:
        lastmod = lastmod_text(told[child.url])
        if not trusted:
            # What moved under a lie is taken as read: it would be found moved the next time too.
            plan.set(child, read_lastmod=lastmod)
        elif _can_be_woken(child, now) and (
            lastmod != child.read_lastmod or _may_move_unseen(told[child.url], child, now)
        ):
            waiting.append(child)
    newest_first = sorted(waiting, key=lambda child: lastmod_text(told[child.url]) or "", reverse=True)
    due = newest_first if index.kind is SourceKind.SECTIONS else newest_first[:MAX_MOVED]
    for child in due:
        plan.set(child, next_at=now, role=Role.RESTING)
    plan.news += len(due)


def _may_move_unseen(entry: SitemapEntry, child: Watched, now: float) -> bool:
    """Say whether a lastmod that names only a day may be that of an earlier change of the same day."""
    if entry.modified is None or entry.modified_precision is not Precision.DAY or child.last_ok is None:
        return False
    until = entry.modified.timestamp() + _SOME_DAY
    return child.last_ok < until and now - child.last_ok > _SOME_DAY / 3


def _audit(plan: Plan, index: Watched, there: Sequence[Watched], now: float) -> None:
    """Once a day, have a look at the child that was not looked at for longest; sections have their own daily look."""
    if now - (index.audited_at or index.added_at) < AUDIT_EVERY or index.kind is SourceKind.SECTIONS:
        return
    resting = [
        child
        for child in there
        if child.role is Role.RESTING
        and child.read_day is not None
        and child.next_at is None
        and not plan.changed.get(child.id, {}).keys() & {"next_at", "role"}
    ]
    if resting:
        plan.set(min(resting, key=lambda child: child.last_ok or 0.0), next_at=now)
        plan.audited = True


def dates_of(moments: Sequence[datetime | None], now: float) -> float | None:
    """Return the newest of a document's dates in seconds since 1970, where they can be relied on.

    Args:
        moments: of its entries.
        now: seconds since 1970.
    """
    tally = LastmodTally(now)
    for moment in moments:
        tally.add(SitemapEntry(url="", modified=moment))
    past = [moment.timestamp() for moment in moments if moment is not None and moment.timestamp() <= now + HOUR]
    return max(past, default=None) if tally.trust is LastmodTrust.FINE else None
