"""What a notebook shows of a walk and of a Watchlist. Nothing is asked of any site for it. Pure but for the store."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from sitediscover.display.cards import cost, failures, name, stop, verdict
from sitediscover.display.markup import card, count, duration, fold, left_out, link, listing, moment, table, text, words
from sitediscover.display.waterfall import waterfall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitediscover.walk.base import Walk
    from sitediscover.walk.model import SitemapReport, SitemapStub
    from sitediscover.watch.model import SourceInfo, Stats
    from sitediscover.watch.shown import Watching

MAX_ROWS = 30
"""Files of a walk, and sources of a Watchlist, that are shown."""

_FINE = frozenset({"ok", "empty", "repeated"})
_TROUBLED = frozenset({"failing", "refused", "gone"})


def walk_card(walk: Walk) -> str:
    """Return a walk as HTML, as far as it has gone.

    Args:
        walk: through a site's sitemaps.
    """
    reports, pending = walk.reports, walk.pending
    read = count(sum(report.kind is not None for report in reports), "sitemap") + " read"
    trust = walk.lastmod_trust
    told = "" if trust is None else f'<p class="sd-soft">lastmod dates: {words(trust)}</p>'
    return card(
        name(walk.site),
        verdict(read, f"{len(pending):,} pending, {cost(walk.requests)}", bad=walk.stopped is not None),
        stop(walk.stopped),
        told,
        fold("Files", _reports(reports, walk.site), opened=True),
        fold(f"{len(pending):,} pending", _pending(pending, walk.site)),
        waterfall(walk.requests, walk.site, opened=False),
        failures(walk.failures),
    )


_FILES = (("file", "", 47), ("kind", "", 10), ("status", "", 13), ("lists", "sd-num", 11), ("left out", "", 19))


def _reports(reports: Sequence[SitemapReport], site: str) -> str:
    if not reports:
        return ""
    more = left_out(len(reports) - MAX_ROWS, "reports")
    return table(_FILES, (_report(report, site) for report in reports[:MAX_ROWS])) + more


def _report(report: SitemapReport, site: str) -> tuple[str, ...]:
    error = f'<br><span class="sd-soft">{text(report.error)}</span>' if report.error else ""
    status = words(report.status)
    left = {
        "closed": report.closed,
        "older": report.older,
        "off site": report.off_site,
        "skipped": report.skipped,
        "dropped": report.dropped,
    }
    return (
        link(report.url, site=site) + error,
        text(report.kind or ""),
        status if report.status in _FINE else f'<span class="sd-warn">{status}</span>',
        f"{report.entries:,}",
        ", ".join(f"{number:,} {why}" for why, number in left.items() if number),
    )


def _pending(stubs: Sequence[SitemapStub], site: str) -> str:
    if not stubs:
        return ""
    lines = (
        f'{link(stub.url, site=site)} <span class="sd-soft">{moment(stub.modified)}</span>' for stub in stubs[:MAX_ROWS]
    )
    return listing(lines) + left_out(len(stubs) - MAX_ROWS, "pending")


def watch_card(watch: Watching) -> str:
    """Return a Watchlist as HTML: its figures, and its first sources.

    Args:
        watch: what is followed.
    """
    stats = watch.stats()
    shown = list(islice(watch.sources(), MAX_ROWS + 1))
    more = '<p class="sd-soft">more in sources()</p>' if len(shown) > MAX_ROWS else ""
    rows = table(_WATCHED, map(_watched, shown[:MAX_ROWS])) if shown else ""
    return card(
        '<p class="sd-name">Watchlist</p>',
        verdict(count(stats.sources, "source"), _due(stats)),
        f'<p class="sd-soft">{_figures(stats)}</p>',
        fold("Sources", rows + more, opened=True),
    )


def _due(stats: Stats) -> str:
    late = f", the first for {duration(stats.late)}" if stats.due and stats.late else ""
    following = f", the next at {moment(stats.next_at)} UTC" if stats.next_at and not stats.due else ""
    return f"{count(stats.hosts, 'host')}, {stats.due:,} due{late}{following}"


def _figures(stats: Stats) -> str:
    states = [f"{number:,} {state}" for state, number in stats.states.items() if number]
    articles = f"{count(stats.articles, 'article')} in the store, {stats.waiting:,} to be delivered"
    held = [f"{stats.held:,} held"] if stats.held else []
    gaps = [f'<span class="sd-warn">{count(stats.gaps, "gap")}</span>'] if stats.gaps else []
    each = [f"{', '.join(states)}, documents of trees included"] if states else []
    return "; ".join([*each, articles, *held, *gaps])


_WATCHED = (
    ("source", "", 44),
    ("state", "", 12),
    ("every", "sd-num", 10),
    ("next, UTC", "", 17),
    ("last new, UTC", "", 17),
)


def _watched(info: SourceInfo) -> tuple[str, ...]:
    title = f"<br>{text(info.title)}" if info.title else ""
    error = f'<br><span class="sd-bad">{text(info.error)}</span>' if info.error else ""
    return (
        f'<span class="sd-kind">{words(info.kind)}</span>{link(info.url)}{title}{error}',
        f'<span class="sd-bad">{info.state}</span>' if info.state in _TROUBLED else str(info.state),
        duration(info.interval),
        moment(info.next_at),
        moment(info.last_new),
    )
