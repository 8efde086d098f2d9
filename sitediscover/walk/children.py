"""The children of a sitemap index: which are asked for, in what order, and why the others are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sitediscover.urls import host_of, same_site
from sitediscover.walk.file import older_than
from sitediscover.walk.model import SitemapStatus, SitemapStub
from sitediscover.walk.names import best_first
from sitediscover.walk.rows import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence
    from datetime import datetime

    from sitediscover.model import SitemapEntry
    from sitediscover.walk.file import SitemapFile

MAX_CHILDREN = 50_000
"""Children of one index that are looked at; sitemaps.org allows no more in a file."""

MAX_FLAGGED = 100
"""Children of one index, off site or too deep, that get a report of their own; the others are only counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a walk takes of what there is.

    Attributes:
        since: children whose lastmod is older are not asked for; aware.
        max_depth: how many indexes may stand above a file.
        choose: returns the wanted children of an index, in order; None for all of them.
        news_first: the best names of the whole tree go first, not those of one index after the other.
    """

    since: datetime | None = None
    max_depth: int = 3
    choose: Callable[[Sequence[SitemapStub]], Iterable[SitemapStub]] | None = None
    news_first: bool = False


class Child(NamedTuple):
    """A child of an index: to be asked for, or why it is only reported."""

    task: Task
    status: SitemapStatus | None = None


def children_of(
    index: SitemapFile, plan: Plan, *, known: Container[str], site: str, hosts: Container[str], number: int, room: int
) -> tuple[Child, ...]:
    """Read an index; return the children that are reported, then those that are asked for, in their order.

    A child is the site's by its registrable domain, or by its host where that is its index's or one that robots.txt
    names; others' sitemaps are listed to promote their pages (news-crawl#32). All others are counted in
    `index.skipped`.

    Args:
        index: the file; it is read to its end.
        plan: what is taken.
        known: addresses that need no second look.
        site: the site's origin.
        hosts: those that belong to the site besides its registrable domain.
        number: of the report that the index is about to get.
        room: how many may be asked for.

    Raises:
        ValueError: `choose` has returned something else than it was given.
    """
    fresh = _fresh(index, known)
    depth, since = index.task.depth + 1, plan.since
    current = {url: entry for url, entry in fresh.items() if since is None or not older_than(entry, since)}
    host = {url: host_of(url) for url in current}
    ours = {name for name in set(host.values()) if name in hosts or same_site(f"https://{name}/", site)}
    tasks = {url: _task(entry, number, depth) for url, entry in current.items()}
    off_site = [Child(task, SitemapStatus.OFF_SITE) for url, task in tasks.items() if host[url] not in ours]
    inside = [task for url, task in tasks.items() if host[url] in ours]
    if depth > plan.max_depth:
        wanted, flagged = [], [*off_site, *(Child(task, SitemapStatus.TOO_DEEP) for task in inside)]
    else:
        stubs = best_first(_stub(current[task.url], index.url, depth) for task in inside)
        wanted, flagged = [Child(tasks[stub.url]) for stub in _chosen(stubs, plan)], off_site
        index.capped = index.capped or len(wanted) > room
    index.skipped += len(fresh) - len(wanted[:room])
    return (*flagged[:MAX_FLAGGED], *wanted[:room])


def _fresh(index: SitemapFile, known: Container[str]) -> dict[str, SitemapEntry]:
    """Return the children that need a look, by their addresses; those beyond the cap are counted."""
    fresh: dict[str, SitemapEntry] = {}
    for entry in index:
        if entry.url in known or entry.url in fresh:
            continue
        if len(fresh) < MAX_CHILDREN:
            fresh[entry.url] = entry
        else:
            index.capped = True
            index.skipped += 1
    return fresh


def _chosen(stubs: list[SitemapStub], plan: Plan) -> Iterable[SitemapStub]:
    if plan.choose is None:
        return stubs
    chosen = dict.fromkeys(plan.choose(stubs))
    strange = chosen.keys() - set(stubs)
    if strange:
        raise ValueError(f"choose has returned what it was not given: {strange.pop()!r:.80}")
    return chosen


def _task(entry: SitemapEntry, parent: int, depth: int) -> Task:
    modified = entry.modified.isoformat() if entry.modified else None
    return Task(url=entry.url, modified=modified, parent=parent, depth=depth)


def _stub(entry: SitemapEntry, parent: str, depth: int) -> SitemapStub:
    return SitemapStub(url=entry.url, modified=entry.modified, parent=parent, depth=depth)
