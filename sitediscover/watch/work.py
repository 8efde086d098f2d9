"""What a worker does with a host that is due: hand out what waits, ask one source, write it down, hand out again."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select, update

from sitediscover.discoverer import Discoverer
from sitediscover.errors import HostIsBusy, NothingToFollow
from sitediscover.urls import origin_of, parse_site
from sitediscover.watch import catalog
from sitediscover.watch.intake import look_up, take
from sitediscover.watch.lease import LeaseLost, fence, host_key
from sitediscover.watch.mend import SKEW, set_right
from sitediscover.watch.model import FirstRead, SourceState
from sitediscover.watch.reader import read_answer
from sitediscover.watch.record import Poll, record
from sitediscover.watch.schedule import DAY, MINUTE, jittered
from sitediscover.watch.schema import Watched, article, host, source
from sitediscover.watch.stopping import sleep
from sitediscover.watch.verdict import Trouble, judge_answer
from sitediscover.watch.visit import HostBusy, Tenure, visit

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from sqlalchemy import Connection, Row

    from sitediscover.fetch import Clock, PoliteSession
    from sitediscover.model import Article
    from sitediscover.watch.database import Database
    from sitediscover.watch.intake import Taken
    from sitediscover.watch.lease import Lease, Leases
    from sitediscover.watch.stopping import Enough
    from sitediscover.watch.verdict import Verdict

FAILING_FOR = 14 * DAY
"""Seconds of failures after which a source's site is searched again."""

NOT_ITSELF_FOR = 3.0
"""Failures in a row after which a feed that answers with a page is given up, and its site is searched again."""

SEARCH_LASTS = 30 * MINUTE
"""Seconds that a host is leased for a search."""

_BUSY_WAIT = 30.0
_PATIENCE = 120.0
# A poll waits for a host's pause, where more of that host is due, and not for its Retry-After.
_LONGEST_PAUSE = 2 * MINUTE


_NEXT = (
    select(host.c.next_at)
    .where(host.c.next_at.is_not(None), host.c.lease_until <= bindparam("now"))
    .order_by(host.c.next_at)
    .limit(1)
)
_DUE = (
    select(source)
    .where(source.c.host == bindparam("name"), source.c.next_at <= bindparam("now"))
    .order_by(source.c.next_at)
    .limit(1)
)
_WAITING = (
    select(article)
    .where(article.c.host == bindparam("name"), article.c.delivered_at.is_(None), article.c.held.is_(False))
    .order_by(article.c.id)
    .limit(1)
)
_DELIVERED = update(article).where(article.c.id == bindparam("number"))


class Worker:
    """Polls one host at a time.

    Args:
        database: the store.
        leases: this worker's.
        session: the door to the network.
        clock: what time is asked of.
    """

    def __init__(self, database: Database, leases: Leases, session: PoliteSession, clock: Clock) -> None:
        self._database = database
        self._leases = leases
        self._session = session
        self._clock = clock
        self._ahead = clock.time() - clock.monotonic()
        database.write(lambda connection: set_right(connection, clock.time()))

    def poll(self, enough: Enough) -> Generator[Article, None, None]:
        """Yield what is new until nothing is due; an article counts as delivered when the next is asked for.

        Args:
            enough: says when to end; told of each article that was delivered.
        """
        self._watch_clock()
        pausing: dict[str, float] = {}  # hosts of which more is due once their pause is over
        while not enough():
            lease = self._leases.claim(self._now())
            if lease is None:
                if not pausing:
                    return
                sleep(self._clock, min(pausing.values()) - self._now(), enough)
                pausing = {name: at for name, at in pausing.items() if at > self._now()}
                continue
            tenure = Tenure(self._leases, self._session, self._clock, lease)
            try:
                # Where the host was taken over, its articles are handed out by who has it now.
                with suppress(LeaseLost):
                    yield from self._serve(tenure, enough)
            finally:
                more = tenure.close()
            if more is not None and more - self._now() <= _LONGEST_PAUSE:
                pausing[lease.host] = more

    def look_up(self, text: str) -> Taken:
        """Return what to store of a site or a URL; its host is ours while it is asked.

        Args:
            text: a host, or a URL.

        Raises:
            WatchError: the host is held by another worker, or nothing was found.
        """
        origin = parse_site(text).origin
        tenure = Tenure(self._leases, self._session, self._clock, self._wait_for(origin))
        try:
            tenure.hold(origin, seconds=SEARCH_LASTS)
            with suppress(HostBusy):
                tenure.hold(_other_name(origin), seconds=SEARCH_LASTS)
            return look_up(text, self._session)
        finally:
            tenure.asked()
            tenure.close()

    def _wait_for(self, origin: str) -> Lease:
        until = self._now() + _PATIENCE
        while (lease := self._leases.borrow(host_key(origin), self._now())) is None:
            if self._now() >= until:
                raise HostIsBusy(f"{origin} is being asked by another worker, or at rest: try again later")
            self._clock.sleep(1.0)
        return lease

    def next_due(self) -> float | None:
        """Return when the next host falls due that nobody holds, seconds since 1970; None where none ever does."""
        self._watch_clock()
        with self._database.reading() as connection:
            return connection.scalar(_NEXT, {"now": self._now()})

    def _now(self) -> float:
        return self._clock.time()

    def _watch_clock(self) -> None:
        """Notice where the clock was set back: what was due by its old time would wait for that to come again."""
        ahead = self._clock.time() - self._clock.monotonic()
        if ahead < self._ahead - SKEW:
            self._database.write(lambda connection: set_right(connection, self._now()))
            self._ahead = ahead
        self._ahead = max(self._ahead, ahead)

    def _serve(self, tenure: Tenure, enough: Enough) -> Iterator[Article]:
        yield from self._hand_out(tenure, enough)
        if enough() or self._now() < tenure.own.free_at:
            return
        row = self._due(tenure.own.host)
        if row is not None:
            new = self._ask(row, tenure)
            yield from self._hand_out(tenure, enough) if new else ()

    def _due(self, name: str) -> Watched | None:
        with self._database.reading() as connection:
            found = connection.execute(_DUE, {"name": name, "now": self._now()}).mappings().first()
        return None if found is None else Watched.of(found)

    def _hand_out(self, tenure: Tenure, enough: Enough) -> Iterator[Article]:
        with self._database.reading() as connection:
            row = connection.execute(_WAITING, {"name": tenure.own.host}).first()
        if row is None:
            return
        # Whoever receives one may take as long over it as a request may.
        tenure.hold_own()
        while row is not None:
            yield catalog.as_article(row)
            row = self._delivered(tenure, row.id)
            enough.delivered()
            if enough():
                return

    def _delivered(self, tenure: Tenure, number: int) -> Row[Any] | None:
        """Note that an article has arrived; return the next, which a person may have removed a moment ago."""

        def work(connection: Connection) -> Row[Any] | None:
            fence(connection, tenure.own)
            now = self._now()
            connection.execute(_DELIVERED, {"number": number, "delivered_at": now})
            if tenure.own.until < now + self._leases.needed:
                self._leases.lengthen(connection, tenure.own, now)
            return connection.execute(_WAITING, {"name": tenure.own.host}).first()

        return self._database.write(work)

    def _ask(self, row: Watched, tenure: Tenure) -> int:
        """Poll a source; return how many articles are new."""
        try:
            answer = visit(row, self._session, tenure)
        except HostBusy as busy:
            self._put_off(row, tenure, jittered(_BUSY_WAIT, row.id, self._now()) + busy.rest)
            return 0
        now = self._now()
        verdict, brought = judge_answer(answer, now), None
        if verdict.trouble is Trouble.NONE and not answer.not_modified:
            verdict, brought = read_answer(row, answer, now)
        if verdict.rest:
            tenure.block(answer.url, verdict.rest)
        poll = Poll(row=row, answer=answer, verdict=verdict, brought=brought, now=now)
        new = self._database.write(lambda connection: record(connection, poll, tenure.own))
        if _needs_successor(row, verdict, now):
            self._search(row, tenure)
        return new

    def _put_off(self, row: Watched, tenure: Tenure, seconds: float) -> None:
        def work(connection: Connection) -> None:
            fence(connection, tenure.own)
            until = self._now() + seconds
            # Not where a person has paused it meanwhile.
            due = source.c.id == row.id, source.c.next_at.is_not(None)
            connection.execute(update(source).where(*due).values(next_at=until))

        self._database.write(work)

    def _search(self, row: Watched, tenure: Tenure) -> None:
        """Discover a site again and propose what is found, for a person to approve."""
        try:
            for url in (row.origin, _other_name(row.origin)):
                tenure.hold(url, seconds=SEARCH_LASTS)
        except HostBusy:
            return  # next time
        with Discoverer(session=self._session) as discoverer:
            found = discoverer.discover(row.origin)
        tenure.asked()
        now = self._now()
        options = {
            "state": SourceState.PROVISIONAL,
            "first_read": FirstRead.BASELINE,
            "include": row.include,
            "exclude": row.exclude,
            "max_age": row.max_age,
            "replaces": row.id,
            # What came since the old one last answered is new.
            "added_at": row.last_ok or row.added_at,
        }

        def work(connection: Connection) -> None:
            fence(connection, tenure.own)
            if not connection.execute(update(source).where(source.c.id == row.id).values(searched_at=now)).rowcount:
                return  # a person has removed it meanwhile
            with suppress(NothingToFollow):
                catalog.add(connection, take(found), options, now)

        self._database.write(work)


def _needs_successor(row: Watched, verdict: Verdict, now: float) -> bool:
    if verdict.trouble is Trouble.NONE or row.parent_id is not None:
        return False
    if row.searched_at is not None and now - row.searched_at < FAILING_FOR:
        return False
    too_long = row.failing_since is not None and now - row.failing_since >= FAILING_FOR
    return too_long or (verdict.trouble is Trouble.NOT_ITSELF and row.failures + 1.0 >= NOT_ITSELF_FOR)


def _other_name(origin: str) -> str:
    """Return a site's address with www, or without: a search may be sent from one to the other."""
    scheme, _, rest = origin_of(origin).partition("://")
    return f"{scheme}://{rest.removeprefix('www.') if rest.startswith('www.') else f'www.{rest}'}"
