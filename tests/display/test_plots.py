"""Plots: each returns its Axes, says what it left out, and draws nothing from nothing."""

from __future__ import annotations

import sys
from dataclasses import replace

import pandas as pd
import pytest

from sitediscover import Discovery, Outcome, Request
from sitediscover.display import plot_days, plot_intervals, plot_lastmod, plot_requests
from sitediscover.errors import MissingPackage

plt = pytest.importorskip("matplotlib.pyplot")
SITE = "https://paper.example"


@pytest.fixture(autouse=True)
def _figures_are_closed(monkeypatch):
    plt.switch_backend("Agg")
    yield
    plt.close("all")


def drawn(ax):
    """Draw a plot for real, and return its texts."""
    ax.figure.canvas.draw()
    legend = ax.get_legend()
    return {
        "title": ax.get_title(),
        "rows": [label.get_text() for label in ax.get_yticklabels()],
        "legend": [entry.get_text() for entry in legend.get_texts()] if legend else [],
    }


def entries(*rows):
    """Return a frame as `SitemapWalk.frame` does, of (sitemap, modified, published)."""
    frame = pd.DataFrame(list(rows), columns=["sitemap", "modified", "published"])
    for name in ("modified", "published"):
        frame[name] = pd.to_datetime(frame[name], utc=True, format="ISO8601").astype("datetime64[us, UTC]")
    return frame.assign(sitemap=frame["sitemap"].astype("string"))


def test_requests_are_bars_from_their_start_to_their_end(found):
    ax = plot_requests(found)
    bars = [(bar.get_x(), bar.get_width()) for bar in ax.patches]
    assert bars == [(0, 0.25), (0.25, 0.75), (1.0, 0.5), (1.5, 0.5)]
    told = drawn(ax)
    assert told["legend"] == ["redirected", "answered", "refused or failed"]
    assert told["rows"][0] == "robots  paper.example/robots.txt"
    assert ax.yaxis_inverted(), "the first stands on top"


def test_requests_past_forty_are_counted_not_drawn(found):
    many = replace(found, requests=tuple(Request(step="x", url=f"{SITE}/{n}", seconds=0.1) for n in range(45)))
    ax = plot_requests(many)
    assert len(ax.patches) == 40
    assert drawn(ax)["title"] == "45 requests, the last 5 not drawn"


def test_a_walk_has_requests_to_plot_too(walk):
    list(walk)
    assert len(plot_requests(walk).patches) == len(walk.requests)


def test_lastmods_are_stacked_by_sitemap(walk):
    pages = walk.frame()
    ax = plot_lastmod(pages)
    told = drawn(ax)
    assert told["legend"] == ["paper.example/news.xml"]
    assert told["title"] == "19 of 20 pages dated"
    assert sum(bar.get_height() for bar in ax.patches) == 19


def test_the_largest_eight_sitemaps_have_a_colour_each():
    rows = [(f"{SITE}/{file}.xml", f"2026-01-{day:02}", None) for file in range(11) for day in range(1, 14 - file)]
    told = drawn(plot_lastmod(entries(*rows)))
    assert told["legend"] == [*(f"paper.example/{file}.xml" for file in range(8)), "3 others"]


def test_days_covered_show_their_holes(walk):
    ax = plot_days(walk.frame())
    told = drawn(ax)
    assert told["title"] == "19 of 20 days, 1 sitemap"
    assert told["rows"] == ["paper.example/news.xml"]
    (spans,) = ax.collections
    assert [path.get_extents().width for path in spans.get_paths()] == [12, 7]


def test_a_page_counts_for_the_day_it_was_published_or_else_modified():
    pages = entries(
        (f"{SITE}/a.xml", "2026-01-09", "2026-01-01"),
        (f"{SITE}/a.xml", "2026-01-02", None),
        (f"{SITE}/b.xml", "2026-01-04T23:30:00+00:00", None),
        (f"{SITE}/c.xml", None, None),
    )
    ax = plot_days(pages)
    told = drawn(ax)
    assert told["title"] == "3 of 4 days, 2 sitemaps"
    assert told["rows"] == ["paper.example/b.xml", "paper.example/a.xml"]


def watched(*rows):
    frame = pd.DataFrame(list(rows), columns=["kind", "rate", "interval"])
    return frame.astype({"kind": "string", "rate": "float64", "interval": "float64"})


def test_intervals_stand_against_rates():
    frame = watched(("feed", 96.0, 900.0), ("news_sitemap", 6.0, 14_400.0), ("feed", None, 3_600.0), ("feed", 0.0, 9.0))
    ax = plot_intervals(frame)
    points = [tuple(point) for group in ax.collections for point in group.get_offsets()]
    assert points == [(96.0, 0.25), (6.0, 4.0)]
    told = drawn(ax)
    assert told["legend"] == ["feed", "news sitemap", "one new article a poll"]
    assert told["title"] == "2 of 4 sources with something new"
    rate, hours = ax.lines[0].get_data()
    assert [each * (24 / hour) ** -1 for each, hour in zip(rate, hours, strict=True)] == pytest.approx([1, 1])


def test_a_watchlist_that_was_never_polled_has_a_plot_without_points(watch):
    watch.add("paper.example")
    assert drawn(plot_intervals(watch.frame()))["title"] == "0 of 1 source with something new"


NOTHING = Discovery(site=SITE, outcome=Outcome.NOTHING)


@pytest.mark.parametrize(
    "plot, thing",
    [(plot_requests, NOTHING), (plot_lastmod, entries()), (plot_days, entries()), (plot_intervals, watched())],
    ids=["requests", "lastmod", "days", "intervals"],
)
def test_nothing_is_an_empty_plot(plot, thing):
    told = drawn(plot(thing))
    assert told["title"].startswith("0 ")
    assert told["legend"] == []


@pytest.mark.parametrize(
    "plot, thing",
    [(plot_requests, NOTHING), (plot_lastmod, entries()), (plot_days, entries()), (plot_intervals, watched())],
    ids=["requests", "lastmod", "days", "intervals"],
)
def test_a_plot_is_drawn_where_it_is_wanted(plot, thing):
    _, ax = plt.subplots()
    assert plot(thing, ax=ax) is ax


def test_any_address_can_be_a_label(found):
    # TeX that is none, characters that no font has, a name that matplotlib would hide, and one that is too long.
    paths = ("$\\frac{$", "\u65b0\u805e", "\x00\u202e", "_hidden", "x" * 500)
    requests = tuple(Request(step="sitemaps", url=f"{SITE}/{path}", status=200, seconds=0.1) for path in paths)
    labels = drawn(plot_requests(replace(found, requests=requests)))["rows"]
    assert len(labels) == len(set(labels)) == len(paths)
    assert all(len(label) < 60 and label.replace("\u2026", "").isascii() for label in labels)
    pages = entries(*((f"{SITE}/{path}", "2026-01-01", None) for path in paths), ("_no address", "2026-01-02", None))
    assert len(drawn(plot_lastmod(pages))["legend"]) >= len(paths)
    assert len(drawn(plot_days(pages))["rows"]) == len(paths) + 1


def test_without_matplotlib_the_command_that_installs_it_is_told(monkeypatch, found):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPackage, match=r"pip install 'sitediscover\[notebook\]'"):
        plot_requests(found)


def test_a_matplotlib_that_is_broken_is_not_called_missing(monkeypatch, found, tmp_path):
    (tmp_path / "matplotlib").mkdir()
    (tmp_path / "matplotlib" / "__init__.py").write_text("import a_module_that_matplotlib_needs\n")
    monkeypatch.delitem(sys.modules, "matplotlib")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="a_module_that_matplotlib_needs") as error:
        plot_requests(found)
    assert not isinstance(error.value, MissingPackage)
