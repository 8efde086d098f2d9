"""What every walk through a site's sitemaps shows of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from sitediscover.errors import SiteStopped
from sitediscover.fetch import PoliteSession
from sitediscover.site import Site
from sitediscover.walk.children import Plan
from sitediscover.walk.lastmod import overall
from sitediscover.walk.rows import Result, Task, row_of
from sitediscover.walk.tree import Tree

if TYPE_CHECKING:
    from types import TracebackType

    from pandas import DataFrame

    from sitediscover.model import Failure, Request, Stop
    from sitediscover.walk.file import SitemapFile
    from sitediscover.walk.model import LastmodTrust, SitemapReport, SitemapStub
    from sitediscover.walk.rows import Row


class Walk:
    """A walk through a site's sitemaps, one file at a time.

    Args:
        site: a host, or any URL of the site.
        session: the door to the network; None for one of its own, closed with the walk.

    Raises:
        InvalidSite: the text cannot name a site.
    """

    def __init__(self, site: str, session: PoliteSession | None) -> None:
        self._owned = session is None
        self.session = PoliteSession() if session is None else session
        self._site = Site(site, self.session)
        self._tree = Tree(self._site, Plan())
        self._begun = False
        self._file: SitemapFile | None = None
        self._given = (0, 0)
        self._seen_reports: tuple[SitemapReport, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        read, pending = len(self._tree.reports), len(self._tree.pending)
        return f"<{type(self).__name__} {self.site}: {read} sitemaps read, {pending} pending>"

    def _repr_html_(self) -> str:
        from sitediscover.display.lists import walk_card  # noqa: PLC0415 - only a notebook draws

        return walk_card(self)

    def reports_frame(self) -> DataFrame:
        """Return the reports as a pandas frame, one file a row; nothing is asked for it.

        Raises:
            MissingPackage: pandas is not installed.
        """
        from sitediscover.display.frames import reports_frame  # noqa: PLC0415 - pandas may not be there

        return reports_frame(self.reports)

    def close(self) -> None:
        """Close the session, where it is the walk's own."""
        if self._owned:
            self.session.close()

    @property
    def site(self) -> str:
        """Return the site's origin."""
        return self._site.origin

    @property
    def pending(self) -> tuple[SitemapStub, ...]:
        """Return the sitemaps that were named and not fetched yet, next first."""
        return tuple(Task.of(row).stub(self._tree.reports) for row in self._tree.pending)

    @property
    def reports(self) -> tuple[SitemapReport, ...]:
        """Return what came of each sitemap so far, in order; the one that is being read is not among them."""
        rows = self._tree.reports
        if len(self._seen_reports) != len(rows):
            new = (Result.of(row).report(rows) for row in rows[len(self._seen_reports) :])
            self._seen_reports = (*self._seen_reports, *new)
        return self._seen_reports

    @property
    def stopped(self) -> Stop | None:
        """Return why the site is not asked any more, or None."""
        return self._site.stopped

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Return what could not be asked, and why."""
        return self._site.failures

    @property
    def requests(self) -> tuple[Request, ...]:
        """Return what was asked, in order."""
        return self._site.requests

    @property
    def lastmod_trust(self) -> LastmodTrust | None:
        """Return whether the site's lastmod dates can be relied on, by most of its pages; None before any was read."""
        judged = ((report.lastmod_trust, report.entries) for report in self.reports if report.kind != "index")
        return overall((trust, entries) for trust, entries in judged if trust is not None)

    def _open(self) -> bool:
        """Open the next file that lists pages; say whether there is one."""
        if self._site.stopped is None and not self._begun:
            try:
                self._begin()
            except SiteStopped:  # told by `stopped`
                return False
            self._begun = True
        self._file = self._tree.open() if self._begun else None
        self._given = (self._file.done, self._file.task.seal) if self._file else (0, 0)
        return self._file is not None

    def _named(self) -> list[str]:
        """Return the sitemaps that robots.txt names."""
        return [url for url in self._site.robots.sitemaps if url != f"{self._site.origin}/robots.txt"]

    def _begin(self) -> None:
        """Read robots.txt, and fill the queue where it was not filled before."""
        raise NotImplementedError

    def _finish(self, file: SitemapFile) -> None:
        """Note that the open file was read to its end."""
        self._tree.finish(file)
        self._file = None

    def _put_back(self) -> None:
        """Leave the open file for later, knowing which of its entries were given."""
        self._tree.queue.extendleft(self._unfinished())
        self._file = None

    def _unfinished(self) -> list[Row]:
        """Return the open file as it will be taken up again; none where none is open."""
        if self._file is None:
            return []
        done, seal = self._given
        return [row_of(self._file.task._replace(done=done, seal=seal))]
