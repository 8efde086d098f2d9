"""The Watchlist: what is followed, and what is new of it. SQLAlchemy is imported where one is opened, not before."""

from __future__ import annotations

import os
import socket
import uuid
from typing import TYPE_CHECKING, Self

from sitediscover.errors import MissingPackage
from sitediscover.fetch import PoliteSession
from sitediscover.fetch.courier import RETRIES
from sitediscover.parse.opml import parse_opml
from sitediscover.watch.model import FirstRead, PollRecord, SourceInfo, SourceState, Stats
from sitediscover.watch.opml import write_opml
from sitediscover.watch.shown import Shown
from sitediscover.watch.stopping import Enough, as_function, sleep

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import timedelta
    from types import TracebackType

    from sitediscover.fetch import Clock
    from sitediscover.model import Article, Discovery, Source
    from sitediscover.watch.intake import Taken
    from sitediscover.watch.stopping import Stop


LEASE_MARGIN = 60.0
"""Seconds that a lease lasts beyond all that may happen under it."""

_LONGEST_WAIT = 60.0
_CRAWL_DELAY = 30.0


class Watchlist(Shown):
    """Follow sources of any kind, each asked no more often than it has something to tell; a context manager.

    Every new article is stored once and delivered at least once: exactly once, unless a process is killed while its
    caller is busy with an article, which is then delivered again. Several processes may share one store.

    Args:
        url: the store: an SQLAlchemy URL of SQLite, or of PostgreSQL (with psycopg) for several workers.
        session: the door to the network; None for one of its own, closed with the Watchlist.
        clock: what time is asked of; the session's by default.
        lease: seconds after which another worker takes over a host whose worker has died; by default as long as one
            request may take, and a margin.

    Raises:
        MissingPackage: SQLAlchemy, or the database's driver, is not installed.
        InvalidStore: no such database, or one that a newer version of this library has written.
    """

    def __init__(
        self,
        url: str = "sqlite:///sitediscover.db",
        *,
        session: PoliteSession | None = None,
        clock: Clock | None = None,
        lease: float | None = None,
    ) -> None:
        try:
            from sitediscover.watch import catalog, database, work  # noqa: PLC0415 - SQLAlchemy may not be there
            from sitediscover.watch.lease import Leases  # noqa: PLC0415
        except ModuleNotFoundError as error:
            if error.name != "sqlalchemy":
                raise
            raise MissingPackage("a Watchlist needs SQLAlchemy: pip install 'sitediscover[watch]'") from error
        self._catalog = catalog
        self._database = database.Database(url)
        self._owned = session is None
        self._session = PoliteSession(clock=clock) if session is None else session
        self._clock = self._session.clock if clock is None else clock
        # One answer: robots.txt and the document, each perhaps asked again, each time after the longest Crawl-delay;
        # then the transaction.
        longest = self._session.deadline + 2 * (1 + RETRIES) * _CRAWL_DELAY + database.BUSY
        needed = longest if lease is None else lease / 2
        owner = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        leases = Leases(self._database, owner=owner, needed=needed, margin=LEASE_MARGIN if lease is None else lease / 2)
        self._worker = work.Worker(self._database, leases, self._session, self._clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the store, and the session where it is the Watchlist's own."""
        self._database.close()
        if self._owned:
            self._session.close()

    # -- articles

    def poll(self, limit: int | None = None) -> Iterator[Article]:
        """Ask what is due, and yield what is new.

        An article counts as delivered once the next one is asked for. One that waits from before comes first.

        Args:
            limit: most articles; None for all. What is left is yielded by the next call.

        Raises:
            ValueError: the limit is below zero.
        """
        if limit is not None and limit < 0:
            raise ValueError(f"a limit is not below zero: {limit}")
        return self._worker.poll(Enough(limit))

    def run(self, stop: Stop = None) -> Iterator[Article]:
        """Yield what is new for as long as it is wanted, and sleep while nothing is due.

        Args:
            stop: an event, or a function, that says when to stop; None for never. It is asked between two articles,
                and every second of sleep.
        """
        ends = as_function(stop)
        while not ends():
            now = self._clock.time()
            due = self._worker.next_due()
            if due is not None and due <= now:
                yield from self._worker.poll(Enough(None, ends))
                continue
            sleep(self._clock, _LONGEST_WAIT if due is None else min(due - now, _LONGEST_WAIT), ends)

    # -- sources

    def add(
        self,
        what: Discovery | Source | str,
        *,
        provisional: bool = False,
        deliver_backlog: bool = False,
        include: Iterable[str] = (),
        exclude: Iterable[str] = (),
        max_age: timedelta | float | None = None,
    ) -> SourceInfo:
        """Watch a source; one that is watched already stays as it is.

        What its first reading lists is only noted, unless it is dated since: what came before is no news.

        Args:
            what: a discovery (its best source), a source, a site to be discovered, or the URL of a feed or sitemap.
            provisional: collect articles, and deliver none until the source is approved.
            deliver_backlog: deliver what the first reading lists too.
            include: regular expressions of which an article's address must hold one; Python's, so that one like
                `(a+)+$` may take for ever.
            exclude: regular expressions of which it must hold none.
            max_age: seconds since its date, or a timedelta, after which an article is not delivered.

        Raises:
            NothingToFollow: nothing was found.
            InvalidSite: the text names no site.
            FetchError: an address could not be asked.
            ValueError: a pattern is no regular expression, or the age is below zero.
        """
        from sitediscover.watch.filters import checked_age, checked_patterns  # noqa: PLC0415 - with the store's own modules

        options = {
            "state": SourceState.PROVISIONAL if provisional else SourceState.LIVE,
            "first_read": FirstRead.BACKLOG if deliver_backlog else FirstRead.BASELINE,
            "include": checked_patterns(include),
            "exclude": checked_patterns(exclude),
            "max_age": checked_age(max_age),
        }
        return self._add(self._worker.look_up(what) if isinstance(what, str) else self._take(what), options)

    def _take(self, what: Discovery | Source) -> Taken:
        from sitediscover.watch.intake import take  # noqa: PLC0415

        return take(what)

    def _add(self, taken: Taken, options: Mapping[str, object]) -> SourceInfo:
        now = self._clock.time()
        number = self._database.write(lambda connection: self._catalog.add(connection, taken, options, now))
        return self.source(number)

    def sources(self, *, children: bool = False, state: SourceState | None = None) -> Iterator[SourceInfo]:
        """Yield the sources, in the order they were added.

        Args:
            children: also the single documents of sitemap trees and sections.
            state: only those.
        """
        return self._catalog.listed(self._database, children=children, state=state)

    def source(self, number: int) -> SourceInfo:
        """Return one source.

        Args:
            number: its id.

        Raises:
            UnknownSource: there is none.
        """
        return self._catalog.info(self._database, number)

    def pause(self, number: int) -> None:
        """Ask a source no more until it is resumed.

        Args:
            number: its id.

        Raises:
            UnknownSource: there is none.
        """
        self._database.write(lambda connection: self._catalog.pause(connection, number))

    def resume(self, number: int) -> None:
        """Go on with a source that was paused; try one that fails, is gone or was superseded at once.

        Args:
            number: its id.

        Raises:
            UnknownSource: there is none.
        """
        now = self._clock.time()
        self._database.write(lambda connection: self._catalog.resume(connection, number, now))

    def approve(self, number: int) -> None:
        """Deliver a provisional source's articles, those collected included; what it was proposed for is superseded.

        Args:
            number: its id.

        Raises:
            UnknownSource: there is none.
        """
        now = self._clock.time()
        self._database.write(lambda connection: self._catalog.approve(connection, number, now))

    def remove(self, number: int) -> None:
        """Forget a source, its tree, and those of its articles that are not delivered yet.

        Args:
            number: its id.

        Raises:
            UnknownSource: there is none.
        """
        self._database.write(lambda connection: self._catalog.remove(connection, number))

    def collected(self, number: int) -> Iterator[Article]:
        """Yield the articles of a source that are in the store, delivered or not, the latest first.

        Args:
            number: its id.

        Raises:
            UnknownSource: there is none.
        """
        return self._catalog.collected(self._database, number)

    def polls(self, number: int) -> tuple[PollRecord, ...]:
        """Return the last thirty polls of a source, the latest first.

        Args:
            number: its id.
        """
        return self._catalog.polls(self._database, number)

    def stats(self) -> Stats:
        """Return the store in figures."""
        return self._catalog.stats(self._database, self._clock.time())

    # -- OPML

    def import_opml(self, data: bytes | str, *, provisional: bool = False) -> tuple[SourceInfo, ...]:
        """Watch the feeds of an OPML file; nothing is asked for it.

        Args:
            data: the file.
            provisional: collect articles, and deliver none until a source is approved.

        Returns:
            The sources, also those that were watched already.
        """
        from sitediscover.watch.intake import listed  # noqa: PLC0415 - with the store's own modules

        state = SourceState.PROVISIONAL if provisional else SourceState.LIVE
        options = {"state": state, "first_read": FirstRead.BASELINE}
        return tuple(self._add(listed(line), options) for line in parse_opml(data))

    def export_opml(self) -> str:
        """Return the sources as an OPML file: feeds as every reader knows them, the others for `import_opml` only."""
        return write_opml(self.sources(), self._clock.time())
