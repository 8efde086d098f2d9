"""SitemapWalk: the pages of a site's sitemap tree, lazily, stoppable and resumable."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Self

from sitediscover.errors import FetchError
from sitediscover.urls import host_of, origin_of, parse_site, same_site
from sitediscover.walk.base import Walk
from sitediscover.walk.children import Plan
from sitediscover.walk.file import older_than
from sitediscover.walk.names import WELL_KNOWN_SITEMAPS, is_sitemap_url
from sitediscover.walk.saved import VERSION, SavedWalk
from sitediscover.walk.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pandas import DataFrame

    from sitediscover.fetch import PoliteSession
    from sitediscover.model import SitemapEntry
    from sitediscover.parse.robots import Robots
    from sitediscover.walk.file import SitemapFile
    from sitediscover.walk.model import SitemapStub

_MOST_HOSTS = 1_024


class SitemapWalk(Walk):
    """Yield the pages that a site's sitemaps list, fetching one file at a time and none before it is needed.

    The walk starts from the Sitemap lines of robots.txt, news names first; where there are none, from the usual names,
    one after the other until one answers; where `site` is itself the address of a sitemap, from that one alone. It is
    its own iterator: a second loop goes on where the first one was left. A page that two sitemaps list comes twice.

    Args:
        site: a host, any URL of the site, or the address of a sitemap.
        session: the door to the network, whose `max_requests` bounds the walk; None for one of its own.
        since: only what has changed since then: a moment, a day, or a time before now. A child is left out where its
            lastmod in the index is readable and older, a page where its dates are; undated ones stay. What has no
            time zone is in UTC.
        max_depth: how many indexes may stand above a file.
        choose: takes the children of an index that would be fetched (news names first, then newest lastmod, then
            newest date in the name, then their order) and returns those that are wanted, in order.
        respect_robots: leave out, and count, the pages that robots.txt closes to us. Sitemaps themselves are never
            fetched against it.

    Raises:
        InvalidSite: the text cannot name a site.
        ValueError: max_depth is below 0.
    """

    def __init__(
        self,
        site: str,
        *,
        session: PoliteSession | None = None,
        since: datetime | date | timedelta | None = None,
        max_depth: int = 3,
        choose: Callable[[Sequence[SitemapStub]], Iterable[SitemapStub]] | None = None,
        respect_robots: bool = True,
    ) -> None:
        if max_depth < 0:
            raise ValueError(f"max_depth is 0 or more, not {max_depth}")
        super().__init__(site, session)
        self._text = site
        self._resumed = False
        self._respect_robots = respect_robots
        self._tree.plan = Plan(since=_moment(since, self._site.now()), max_depth=max_depth, choose=choose)
        self._rules: dict[str, Robots | None] = {}
        self._own_hosts: dict[str, bool] = {}

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> SitemapEntry:
        while self._file is not None or self._open():
            file = self._file
            assert file is not None  # noqa: S101 - _open has told so; this tells mypy
            try:
                for entry in file:
                    kept = self._kept(entry, file)
                    if kept is not None and file.is_new:
                        self._given = (file.read, file.seal)
                        return kept
            except BaseException:  # interrupted: the file is still to be read to its end
                self._put_back()
                raise
            self._finish(file)
        self.close()
        raise StopIteration

    def frame(self, limit: int | None = None) -> DataFrame:
        """Walk on, and return the pages that come as a pandas frame, one a row.

        Args:
            limit: most pages; None for all that are left.

        Returns:
            url, sitemap, modified, published, title and what else an entry tells in a word; times are in UTC.

        Raises:
            MissingPackage: pandas is not installed; nothing was asked.
        """
        from sitediscover.display.frames import entries_frame  # noqa: PLC0415 - pandas may not be there

        return entries_frame(self, limit)

    # -- stopping and going on --------------------------------------------------------------------------------------

    def state(self) -> dict[str, object]:
        """Return all that is needed to go on later, in another process too, as plain JSON types.

        It holds the sitemaps that were read and those that were not, never the pages. Taken in the middle of a file
        it knows how many of its entries were given: going on, the file is fetched again and these are not repeated,
        unless it has changed since; then it is read from its start.
        """
        begun = self._begun or self._resumed
        plan = self._tree.plan
        return {
            "version": VERSION,
            "site": self._site.origin if begun else self._text,
            "begun": begun,
            "since": plan.since.isoformat() if plan.since else None,
            "max_depth": plan.max_depth,
            "respect_robots": self._respect_robots,
            "pending": [*self._unfinished(), *self._tree.pending],
            "reports": self._tree.reports.copy(),
        }

    @classmethod
    def resume(
        cls,
        state: Mapping[str, object],
        *,
        session: PoliteSession | None = None,
        choose: Callable[[Sequence[SitemapStub]], Iterable[SitemapStub]] | None = None,
    ) -> Self:
        """Return a walk that goes on where another one was when its state was taken.

        robots.txt is asked again, and `max_requests` counts anew.

        Args:
            state: what `state` returned.
            session: the door to the network; None for one of its own.
            choose: as for a new walk; functions are not part of a state.

        Raises:
            InvalidData: it is no such state.
        """
        saved = SavedWalk.of(state)
        walk = cls(
            saved.site,
            session=session,
            since=saved.since,
            max_depth=saved.max_depth,
            choose=choose,
            respect_robots=saved.respect_robots,
        )
        walk._resumed = saved.begun
        walk._tree = Tree(walk._site, walk._tree.plan, saved.pending, saved.reports)
        return walk

    # -- reading ----------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        named = self._named()
        start = parse_site(self._text).path
        if self._resumed:
            return
        if is_sitemap_url(start):
            self._tree.add([f"{self._site.origin}{start}"])
        elif named:
            self._tree.add(named)
        else:
            self._tree.add((f"{self._site.origin}{path}" for path in WELL_KNOWN_SITEMAPS), guess=True)

    def _kept(self, entry: SitemapEntry, file: SitemapFile) -> SitemapEntry | None:
        """Return an entry as it is given, or None where it is left out and counted."""
        since = self._tree.plan.since
        if since is not None and older_than(entry, since):
            file.older += 1
            return None
        if self._respect_robots and not self._is_open(entry.url):
            file.closed += 1
            return None
        # A sitemap on another host, named by robots.txt, lists the site's own pages.
        off_site = entry.off_site and not self._is_own(entry.url)
        file.off_site += off_site
        if off_site is entry.off_site and entry.sitemap == file.url:
            return entry
        return replace(entry, sitemap=file.url, off_site=off_site)

    def _is_open(self, url: str) -> bool:
        """Say whether a page is open to us, by the rules of its own origin where these are known already."""
        # A walk knows two or three origins, and asks this of every page.
        rules = next((rules for root, rules in self._rules.items() if url.startswith(root)), None)
        return rules is None or rules.allows(url)

    def _is_own(self, url: str) -> bool:
        host = host_of(url)
        if host not in self._own_hosts and len(self._own_hosts) < _MOST_HOSTS:
            self._own_hosts[host] = same_site(url, self._site.origin)
        return self._own_hosts.get(host, False)

    def _open(self) -> bool:
        found = super()._open()
        if self._begun:
            self._learn(f"{self._site.origin}/")
        if self._file is not None:
            self._learn(f"{origin_of(self._file.final_url)}/")
        return found

    def _learn(self, root: str) -> None:
        """Keep the rules of an origin that was asked already: its robots.txt was read for that."""
        if root not in self._rules:
            try:
                self._rules[root] = self.session.robots(root)
            except FetchError:
                self._rules[root] = None


def _moment(since: datetime | date | timedelta | None, now: datetime) -> datetime | None:
    """Return the moment that a caller means; a day begins at midnight UTC."""
    if since is None:
        return None
    if isinstance(since, timedelta):
        return now - since
    if not isinstance(since, datetime):
        since = datetime.combine(since, time())
    return since if since.tzinfo else since.replace(tzinfo=UTC)
