"""Ask a source: one document, hop by hop, each host of them ours for as long as it takes."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from sitediscover.errors import FetchError, TooManyRedirects
from sitediscover.fetch import Ledger
from sitediscover.model import SourceKind
from sitediscover.urls import resolve
from sitediscover.watch.lease import host_key
from sitediscover.watch.reader import MAX_SITEMAP
from sitediscover.watch.schedule import MAX_UNCHANGED
from sitediscover.watch.verdict import Answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitediscover.fetch import Clock, Page, PoliteSession
    from sitediscover.watch.lease import Lease, Leases
    from sitediscover.watch.schema import Watched

MAX_HOPS = 5
"""Redirects followed, as many as a session follows by default."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PERMANENT = frozenset({301, 308})
_SITEMAPS = (SourceKind.NEWS_SITEMAP, SourceKind.ARTICLE_SITEMAP)
_STEP = "watch"


class HostBusy(Exception):
    """Raised where a redirect leads to a host that another worker is asking, or that is at rest.

    Args:
        name: the host.
        rest: seconds that it has asked to be left alone.
    """

    def __init__(self, name: str, rest: float) -> None:
        super().__init__(name, rest)
        self.rest = rest


@dataclass(slots=True)
class Tenure:
    """The hosts that a worker holds while it asks one source; the first is the source's own.

    Attributes:
        leases: this worker's.
        session: the door to the network.
        clock: what time is asked of.
        own: the lease that was claimed.
        held: all leases, by host.
        free_at: when each host that was asked may be asked again, for politeness' sake.
        blocked: until when hosts asked to be left alone, seconds since 1970.
    """

    leases: Leases
    session: PoliteSession
    clock: Clock
    own: Lease
    held: dict[str, Lease] = field(default_factory=dict)
    free_at: dict[str, float] = field(default_factory=dict)
    blocked: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.held[self.own.host] = self.own

    def now(self) -> float:
        """Return seconds since 1970."""
        return self.clock.time()

    def hold(self, url: str, *, seconds: float | None = None) -> None:
        """Make sure that a URL's host is ours while it is asked.

        Args:
            url: what is to be asked.
            seconds: for how long; as long as any request may take by default.

        Raises:
            LeaseLost: it was ours, and was taken over.
            HostBusy: it is another's, or has to rest.
        """
        name = host_key(url)
        if name not in self.held:
            lease = self.leases.borrow(name, self.now())
            if lease is None:
                raise HostBusy(name, self.leases.rest(name, self.now()))
            self.held[name] = lease
        lease = self.held[name]
        if lease.until < self.now() + (self.leases.needed if seconds is None else seconds):
            self.leases.renew(lease, self.now(), seconds=seconds)

    def hold_own(self) -> None:
        """Make sure that the source's own host is ours for as long as a request may take."""
        if self.own.until < self.now() + self.leases.needed:
            self.leases.renew(self.own, self.now())

    @contextmanager
    def asking(self, url: str, *, seconds: float | None = None) -> Iterator[None]:
        """Hold a host while it is asked, and note the pause that it is owed then."""
        self.hold(url, seconds=seconds)
        pause = self.session.pause
        try:
            yield
            # The rules were read a moment ago: nothing is asked for them.
            pause = max(pause, self.session.robots(url).crawl_delay or 0.0)
        finally:
            self.free_at[host_key(url)] = self.now() + pause

    def asked(self) -> None:
        """Note that all hosts were asked just now."""
        self.free_at.update(dict.fromkeys(self.held, self.now() + self.session.pause))

    def block(self, url: str, seconds: float) -> None:
        """Note that a host asked to be left alone."""
        self.blocked[host_key(url)] = self.now() + seconds

    def close(self) -> float | None:
        """Give all hosts back; return when the source's own may go on, where more of it is due already."""
        more = None
        for name, lease in self.held.items():
            blocked = self.blocked.get(name, 0.0)
            due = self.leases.release(lease, self.now(), free_at=self.free_at.get(name, 0.0), blocked_until=blocked)
            more = due if lease is self.own else more
        return more


def visit(row: Watched, session: PoliteSession, tenure: Tenure) -> Answer:
    """Ask for a source's document, if it has changed.

    Args:
        row: the source.
        session: the door to the network.
        tenure: the hosts that are ours.

    Raises:
        LeaseLost: the host was taken over.
        HostBusy: it redirects to a host that cannot be asked now.
    """
    ledger = Ledger(session.max_requests)
    url, permanent = row.url, True
    # A server that answers 304 for ever is asked without validators now and then.
    etag, last_modified = (row.etag, row.last_modified) if row.unchanged < MAX_UNCHANGED else (None, None)
    seen = [url]
    while True:
        try:
            with tenure.asking(url):
                page = session.get(
                    url,
                    ledger=ledger,
                    step=_STEP,
                    etag=etag,
                    last_modified=last_modified,
                    max_bytes=MAX_SITEMAP if row.kind in _SITEMAPS else None,
                    allow_redirects=False,
                )
            target = _target(page, seen)
        except FetchError as error:
            return Answer(url=url, error=error, requests=ledger.spent)
        if target is None:
            return _answer(page, moved=permanent and len(seen) > 1, requests=ledger.spent)
        permanent = permanent and page.status in _PERMANENT
        url = target
        seen.append(url)


def _target(page: Page, seen: list[str]) -> str | None:
    """Return where a redirect leads; None where an answer is none."""
    location = page.headers.get("Location", "").strip() if page.status in _REDIRECTS else ""
    if not location:
        return None
    target = resolve(page.url, location)
    if target is None:
        raise TooManyRedirects(page.url, f"a redirect to what cannot be asked: {urljoin(page.url, location)[:80]}")
    if target in seen or len(seen) > MAX_HOPS:
        raise TooManyRedirects(page.url, "a circle" if target in seen else f"more than {MAX_HOPS} redirects")
    return target


def _answer(page: Page, *, moved: bool, requests: int) -> Answer:
    return Answer(
        status=page.status,
        url=page.url,
        headers=page.headers,
        body=page.body,
        truncated=page.truncated,
        moved=page.url if moved and page.status < HTTPStatus.BAD_REQUEST else None,
        not_modified=page.not_modified,
        requests=requests,
    )
