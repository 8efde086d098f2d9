"""Plots of results. Each takes an Axes or makes one, and returns it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote

from sitediscover.display.markup import count
from sitediscover.display.waterfall import group, starts
from sitediscover.errors import MissingPackage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from pandas import DataFrame, Series

    from sitediscover.model import Request

MOST_FILES = 8
"""Sitemaps that a histogram tells apart; the others are one more colour."""

MOST_ROWS = 40
"""Rows that a plot with a row for each thing has at most."""

_COLOURS = {"ok": "#2f7fd6", "hop": "#b07800", "fail": "#d0453b"}
_MEANINGS = {"ok": "answered", "hop": "redirected", "fail": "refused or failed"}
_BINS = 48
_LABEL = 44
_SAFE = "/?&=%:@+,;~!()*'[]#$"


class Costly(Protocol):
    """What has requests: a Discovery, a walk."""

    @property
    def requests(self) -> tuple[Request, ...]:
        """Return what was asked, in order."""
        ...


def plot_requests(found: Costly, *, ax: Axes | None = None) -> Axes:
    """Plot the requests on a time line, each from its start to the end of its answer, waits left out.

    Args:
        found: a Discovery or a walk; its first forty requests are drawn.
        ax: where to draw; a new figure where none is given.

    Raises:
        MissingPackage: matplotlib is not installed.
    """
    requests = found.requests[:MOST_ROWS]
    ax = _axes(ax, rows=len(requests))
    for row, (request, start) in enumerate(zip(requests, starts(requests), strict=True)):
        kind = group(request)
        ax.barh(row, request.seconds, left=start, color=_COLOURS[kind], label=_MEANINGS[kind])
    _name_rows(ax, [f"{request.step}  {_short(request.url)}" for request in requests])
    ax.set_xlabel("seconds, waits left out")
    left = len(found.requests) - len(requests)
    ax.set_title(count(len(found.requests), "request") + (f", the last {left} not drawn" if left else ""))
    _legend(ax)
    return ax


def plot_lastmod(pages: DataFrame, *, ax: Axes | None = None) -> Axes:
    """Plot when the pages of a site were modified, by the sitemap that lists them.

    Args:
        pages: what `SitemapWalk.frame` returned; the eight largest sitemaps have a colour each.
        ax: where to draw; a new figure where none is given.

    Raises:
        MissingPackage: matplotlib is not installed.
    """
    ax = _axes(ax)
    dated = pages[pages["modified"].notna()]
    files = dated["sitemap"].fillna("").value_counts()
    largest = list(files.index[:MOST_FILES])
    groups = [(_short(name), dated[dated["sitemap"] == name]) for name in largest]
    if len(files) > MOST_FILES:
        groups.append((f"{len(files) - MOST_FILES} others", dated[~dated["sitemap"].isin(largest)]))
    if groups:
        times = [rows["modified"].dt.tz_localize(None).to_numpy() for _, rows in groups]
        ax.hist(times, bins=_BINS, stacked=True, label=[name for name, _ in groups])
        _legend(ax)
        _tell_dates(ax)
    ax.set_xlabel("lastmod, UTC")
    ax.set_ylabel("pages")
    ax.set_title(f"{len(dated):,} of {count(len(pages), 'page')} dated")
    return ax


def plot_days(pages: DataFrame, *, ax: Axes | None = None) -> Axes:
    """Plot the days that each sitemap covers: where a row has a hole, nothing is listed of that day.

    Args:
        pages: what `SitemapWalk.frame` returned; a page counts for the day it was published, or else modified. The
            forty sitemaps with the newest pages are drawn.
        ax: where to draw; a new figure where none is given.

    Raises:
        MissingPackage: matplotlib is not installed.
    """
    days = pages["published"].fillna(pages["modified"]).dt.tz_localize(None).dt.floor("D")
    dated = pages.assign(day=days)[days.notna()]
    newest = dated.groupby("sitemap")["day"].max().sort_values(ascending=False)
    names = [str(name) for name in newest.index[:MOST_ROWS]]
    ax = _axes(ax, rows=len(names))
    for row, name in enumerate(names):
        ax.broken_barh(_runs(dated.loc[dated["sitemap"] == name, "day"]), (row - 0.4, 0.8), color=_COLOURS["ok"])
    _name_rows(ax, [_short(name) for name in names])
    if names:
        ax.xaxis_date()
        _tell_dates(ax)
    covered = dated["day"].nunique()
    span = (dated["day"].max() - dated["day"].min()).days + 1 if covered else 0
    ax.set_xlabel("day, UTC")
    ax.set_title(f"{covered:,} of {count(span, 'day')}, {count(len(newest), 'sitemap')}")
    return ax


def plot_intervals(watched: DataFrame, *, ax: Axes | None = None) -> Axes:
    """Plot how often each source is asked against how much it tells.

    Above the line a poll brings more than one new article, below it less.

    Args:
        watched: what `Watchlist.frame` returned; sources without a rate, or that tell nothing, have no place in it.
        ax: where to draw; a new figure where none is given.

    Raises:
        MissingPackage: matplotlib is not installed.
    """
    ax = _axes(ax)
    drawn = watched[watched["rate"] > 0]
    for kind, rows in drawn.groupby("kind"):
        ax.scatter(rows["rate"], rows["interval"] / 3_600, label=str(kind).replace("_", " "), alpha=0.8)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.xaxis.set_major_formatter("{x:g}")
    ax.yaxis.set_major_formatter("{x:g}")
    if len(drawn):
        ends = [drawn["rate"].min() / 2, drawn["rate"].max() * 2]
        ax.plot(ends, [24 / end for end in ends], linestyle="--", color="gray", label="one new article a poll")
        _legend(ax)
    ax.set_xlabel("new articles a day")
    ax.set_ylabel("hours between two polls")
    ax.set_title(f"{len(drawn):,} of {count(len(watched), 'source')} with something new")
    return ax


def _axes(ax: Axes | None, rows: int = 0) -> Axes:
    """Return the Axes to draw on.

    Args:
        ax: what the caller has given.
        rows: how many rows a new figure must have room for; 0 for a plot without rows.
    """
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot as plt  # noqa: PLC0415 - an extra, and a second to import
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        raise MissingPackage("plots need matplotlib: pip install 'sitediscover[notebook]'") from error
    height = 1.4 + 0.26 * max(rows, 2) if rows else 4.0
    return plt.subplots(figsize=(9.0, height), layout="constrained")[1]


def _runs(days: Series) -> list[tuple[float, float]]:
    """Return the days as runs without a hole: each its first day and its length, as matplotlib counts days."""
    from matplotlib.dates import date2num  # noqa: PLC0415 - _axes has found it

    days_since = date2num(days.to_numpy())  # type: ignore[no-untyped-call]  # matplotlib.dates
    numbers = sorted({float(number) for number in days_since})
    runs: list[tuple[float, float]] = []
    for number in numbers:
        if runs and runs[-1][0] + runs[-1][1] >= number:
            runs[-1] = (runs[-1][0], number + 1 - runs[-1][0])
        else:
            runs.append((number, 1.0))
    return runs


def _short(url: str) -> str:
    """Return an address without its scheme, its end where it is long, in characters that every font has."""
    shown = quote(url.partition("://")[2] or url, safe=_SAFE)
    shown = shown if len(shown) <= _LABEL else f"\u2026{shown[1 - _LABEL :]}"
    # Between two dollar signs matplotlib reads TeX, and raises where it is none.
    return shown.replace("$", r"\$")


def _name_rows(ax: Axes, names: Sequence[str]) -> None:
    """Name the rows of a plot, the first on top."""
    ax.set_yticks(range(len(names)), labels=list(names))
    ax.invert_yaxis()


def _tell_dates(ax: Axes) -> None:
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter  # noqa: PLC0415 - _axes has found it

    locator = AutoDateLocator()  # type: ignore[no-untyped-call]  # matplotlib.dates
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]  # matplotlib.dates


def _legend(ax: Axes) -> None:
    """Name each colour once; nothing where there is none."""
    handles, labels = ax.get_legend_handles_labels()
    named = dict(zip(labels, handles, strict=True))
    if named:
        # Beside the plot, where it hides nothing.
        ax.legend(named.values(), named.keys(), fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
