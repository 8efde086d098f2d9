"""The demo: discover the miniature web in both orders and print what it took."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sitediscover.demo.server import MiniatureWeb, serve
from sitediscover.demo.sites import SITES, DemoSite, build_web
from sitediscover.discoverer import Discoverer
from sitediscover.model import SourceKind
from sitediscover.strategies import CLASSIC_PATHS, DEFAULT_STRATEGIES, CommonPaths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TextIO

    from sitediscover.discoverer import Order
    from sitediscover.fetch import PoliteSession
    from sitediscover.model import Discovery

_DAY = timedelta(hours=24)
_HEAD = ("site", "listed", "adaptive", "seconds", "outcome", "found")
ORDERS: tuple[Order, ...] = ("listed", "adaptive")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One discovery and the seconds it took."""

    found: Discovery
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table: a site, discovered in both orders."""

    site: DemoSite
    listed: Run
    adaptive: Run

    def as_expected(self, now: datetime) -> bool:
        """Say whether the figures are those of `sitediscover.demo.sites.SITES`.

        Args:
            now: the time the web was built for.
        """
        verdicts = {(run.found.outcome, describe(run.found, now)) for run in (self.listed, self.adaptive)}
        return (
            verdicts == {(self.site.outcome, self.site.found)}
            and len(self.listed.found.requests) == self.site.listed
            and len(self.adaptive.found.requests) <= self.site.adaptive
        )


def discover_in(order: Order, host: str, session: PoliteSession) -> Discovery:
    """Discover a site as the table does: in listed order with the classic nine addresses, else with the defaults.

    Args:
        order: listed or adaptive.
        host: the site.
        session: the way to it.
    """
    classic = [CommonPaths(paths=CLASSIC_PATHS) if isinstance(s, CommonPaths) else s for s in DEFAULT_STRATEGIES]
    return Discoverer(classic if order == "listed" else None, session=session, order=order).discover(host)


def run_demo(out: TextIO | None = None, *, pause: float = 0.05) -> int:
    """Discover the eight sites of the miniature web in both orders, and print a table.

    Args:
        out: where to print; standard output where none is given.
        pause: seconds between two requests to a host.

    Returns:
        The exit code: 0 where every figure is as `sitediscover.demo.sites.SITES` says, else 1.
    """
    out = out or sys.stdout
    now = datetime.now(UTC)
    print(f"Eight news sites in miniature on 127.0.0.1, {pause:g} s between requests (real sites: 1 s).\n", file=out)
    with serve(build_web(now)) as web:
        rows = [Row(site=site, **{order: _run(web, order, site, pause) for order in ORDERS}) for site in SITES]
    print(_table([_HEAD, *(_cells(row, now) for row in rows)]), file=out)
    wrong = [row.site.name for row in rows if not row.as_expected(now)]
    if wrong:
        print(f"\nNot as expected: {', '.join(wrong)}", file=out)
    return 1 if wrong else 0


def _run(web: MiniatureWeb, order: Order, site: DemoSite, pause: float) -> Run:
    with web.session(pause=pause) as session:
        start = time.perf_counter()
        return Run(found=discover_in(order, site.host, session), seconds=time.perf_counter() - start)


def keep_serving(out: TextIO | None = None, *, port: int = 0, wait: Callable[[], object] | None = None) -> int:
    """Serve the miniature web until interrupted, and print how other programs reach it.

    Args:
        out: where to print; standard output where none is given.
        port: where to listen; any free port where it is 0.
        wait: ends when it is time to end; waits for Ctrl-C where none is given.

    Returns:
        The exit code, 0.
    """
    with serve(build_web(datetime.now(UTC)), port=port) as web, suppress(KeyboardInterrupt):
        print(f"The miniature web is served on port {web.port} of 127.0.0.1. For another shell:\n", file=out)
        for name, value in web.environment.items():
            print(f"export {name}={value}", file=out)
        print(f"sitediscover discover {SITES[0].host}\n\nCtrl-C ends it.", file=out, flush=True)
        (wait or threading.Event().wait)()
    return 0


def describe(found: Discovery, now: datetime) -> str:
    """Say in a few words, with figures, what a discovery found.

    Args:
        found: the discovery.
        now: the end of the 24 hours that are counted.
    """
    if found.best is None:
        return found.stopped.reason.replace("_", " ") if found.stopped else "nothing to follow"
    best = found.best
    if best.kind is SourceKind.SECTIONS:
        fresh = _fresh((section.modified for section in best.sections), now)
        return f"{len(best.sections)} sections, {fresh} changed in the last 24 h"
    if best.kind is SourceKind.FEED:
        return best.url.partition("://")[2]
    fresh = _fresh((article.published or article.modified for article in best.articles), now)
    beside = f"; siblings: {len(best.siblings)}" if best.siblings else ""
    return f"{len(best.articles)} articles, {fresh} of the last 24 h{beside}"


def _fresh(dates: Iterable[datetime | None], now: datetime) -> int:
    return sum(date is not None and timedelta(0) <= now - date < _DAY for date in dates)


def _cells(row: Row, now: datetime) -> tuple[str, ...]:
    return (
        row.site.name,
        str(len(row.listed.found.requests)),
        str(len(row.adaptive.found.requests)),
        f"{row.listed.seconds:.2f} / {row.adaptive.seconds:.2f}",
        row.adaptive.found.outcome.replace("_", " "),
        describe(row.adaptive.found, now),
    )


def _table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows = [rows[0], tuple("-" * width for width in widths), *rows[1:]]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(map(str.rstrip, lines))
