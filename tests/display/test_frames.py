"""Frames: their columns and types hold, whatever is in them; times are in UTC."""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone

import pandas as pd
import pytest

from sitediscover import Article, Discovery, Outcome
from sitediscover.display import frames
from sitediscover.errors import MissingPackage
from sitediscover.testing import feed
from sitediscover.walk import SitemapWalk
from sitediscover.walk.model import SitemapReport
from sitediscover.watch.model import PollRecord, SourceInfo, SourceState

NOW = datetime(2026, 3, 2, 12, 30, tzinfo=UTC)
SITE = "https://paper.example"


def types(frame):
    return {name: str(kind) for name, kind in frame.dtypes.items()}


def test_requests_stand_in_order_with_their_starts(found):
    frame = found.requests_frame()
    assert frame["start"].tolist() == [0, 0.25, 1.0, 1.5]
    assert frame["step"].tolist() == ["robots", "front-page", "common-paths", "common-paths"]
    assert frame["status"].tolist()[:3] == [301, 200, 403]
    assert pd.isna(frame["status"][3])
    assert frame["size"].sum() == 12_355


def test_sources_are_told_by_their_figures(found):
    frame = found.sources_frame()
    feed_row, sections_row = (frame.loc[number] for number in (0, 1))
    assert (feed_row["kind"], feed_row["articles"], feed_row["siblings"], feed_row["judged"]) == ("feed", 2, 1, 40)
    assert feed_row["newest"] == pd.Timestamp(NOW)
    assert feed_row["flags"] == "stale, mixed"
    assert sections_row["sections"] == 1
    assert pd.isna(sections_row["judged"])
    assert pd.isna(sections_row["newest"])


def test_an_empty_frame_has_the_columns_and_types_of_a_full_one(found, walk, watch):
    empty = Discovery(site=SITE, outcome=Outcome.NOTHING)
    assert types(empty.requests_frame()) == types(found.requests_frame())
    assert types(empty.sources_frame()) == types(found.sources_frame())
    pages, reports = walk.frame(limit=0), walk.reports_frame()
    assert len(pages) == len(reports) == 0
    assert types(walk.frame()) == types(pages)
    assert types(walk.reports_frame()) == types(reports)
    sources = watch.frame()
    watch.add("paper.example")
    assert types(watch.frame()) == types(sources)


def test_every_time_is_in_utc_to_the_microsecond(found, walk, watch):
    times = {"newest", "modified", "published", "next_at", "last_ok", "last_new", "added_at"}
    kinds = types(found.sources_frame()) | types(walk.frame()) | types(watch.frame())
    assert {name for name, kind in kinds.items() if kind == "datetime64[us, UTC]"} == times


@pytest.mark.parametrize(
    "at, expected",
    [
        (datetime(2026, 3, 2, 1, tzinfo=timezone(timedelta(hours=9))), "2026-03-01T16:00:00+00:00"),
        (datetime(1600, 1, 1, tzinfo=UTC), "1600-01-01T00:00:00+00:00"),
        (datetime(2999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), "2999-12-31T23:59:59.999999+00:00"),
        (datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9))), None),
        (datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-9))), None),
        (None, None),
    ],
    ids=["another zone", "before pandas' nanoseconds", "after them", "before year 1", "after year 9999", "none"],
)
def test_a_date_of_any_year_keeps_the_frame_whole(found, at, expected):
    evidence = replace(found.best.evidence, newest=at)
    frame = replace(found, sources=(replace(found.best, evidence=evidence),)).sources_frame()
    told = frame["newest"][0]
    assert (None if pd.isna(told) else told.isoformat()) == expected


def test_a_walk_goes_on_where_its_last_frame_ended(walk):
    first = walk.frame(limit=5)
    rest = walk.frame()
    assert (len(first), len(rest)) == (5, 15)
    assert not set(first["url"]) & set(rest["url"])
    news = first[first["sitemap"] == f"{SITE}/news.xml"]
    assert set(news["publication"]) == {"The Paper"}
    assert first["published"].is_monotonic_decreasing
    assert not rest["off_site"].any()


def test_a_frame_of_reports_asks_nothing(web, walk):
    next(walk)
    asked = len(web.calls)
    assert walk.reports_frame()["url"].tolist() == [f"{SITE}/index.xml"]
    assert len(web.calls) == asked
    list(walk)
    frame = walk.reports_frame().set_index("url")
    assert frame.loc[f"{SITE}/old.xml", "closed"] == 1
    assert frame.loc[f"{SITE}/gone.xml", "status"] == "absent"


def test_frames_tell_all_that_reports_and_sources_tell(walk, watch):
    assert set(walk.reports_frame()) == {field.name for field in fields(SitemapReport)}
    left_out = {"include", "exclude"}
    assert set(watch.frame()) == {field.name for field in fields(SourceInfo)} - left_out | {"rate"}


def test_a_watchlist_tells_the_rate_of_each_source(clock, web, watch):
    watch.add("paper.example")
    clock.advance(60)
    assert list(watch.poll()) == []
    assert pd.isna(watch.frame()["rate"][0])
    clock.advance(2 * 3600)
    fresh = Article(url=f"{SITE}/2026/03/02/a-fresh-story", title="Fresh", published=clock.now)
    web_feed(web, [fresh])
    assert [article.url for article in watch.poll()] == [fresh.url]
    frame = watch.frame()
    log = watch.polls(1)
    assert frame["rate"][0] == pytest.approx(86_400 / (log[0].at - log[1].at).total_seconds())
    assert pd.isna(watch.frame(rates=False)["rate"][0])
    assert len(watch.frame(state=SourceState.PAUSED)) == 0


def test_the_numbers_of_a_frame_name_its_sources(clock, watch):
    watch.add("paper.example")
    clock.advance(60)
    list(watch.poll())
    number = watch.frame().loc[0, "id"]
    assert watch.source(number).url == f"{SITE}/feed.xml"
    assert len(watch.polls(number)) == 1
    watch.pause(number)
    assert watch.frame(state=SourceState.PAUSED)["id"].tolist() == [number]
    watch.resume(number)
    watch.approve(number)
    assert list(watch.collected(number)) == []
    watch.remove(number)
    assert watch.frame().empty


def web_feed(web, articles):
    web.adapter._web[SITE]["/feed.xml"] = feed(articles, title="The Paper")


def poll(hours, new, status=200):
    at = NOW + timedelta(hours=hours)
    return PollRecord(at=at, status=status, requests=1, listed=10, new=new, gap=False, note="")


@pytest.mark.parametrize(
    "polls, expected",
    [
        ([], None),
        ([poll(0, 10)], None),
        ([poll(0, 3), poll(0, 10)], None),
        ([poll(12, 3), poll(6, 1), poll(0, 10)], 8.0),
        ([poll(24, 0, status=None), poll(12, 3), poll(6, 0, status=503), poll(0, 10)], 6.0),
        ([poll(24, 0, status=304), poll(0, 10)], 0.0),
    ],
    ids=["none", "one", "no time", "the first only begins", "failures tell nothing", "nothing new"],
)
def test_a_rate_counts_what_came_since_the_earliest_poll(polls, expected):
    assert frames.rate(polls) == expected


def test_without_pandas_the_command_that_installs_it_is_told(monkeypatch, found, walk, web, watch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    for ask in (found.requests_frame, found.sources_frame, walk.frame, walk.reports_frame, watch.frame):
        with pytest.raises(MissingPackage, match=r"pip install 'sitediscover\[notebook\]'"):
            ask()
    assert web.calls == [], "nothing is asked for a frame that cannot be"


def test_a_pandas_that_is_broken_is_not_called_missing(monkeypatch, found, tmp_path):
    (tmp_path / "pandas.py").write_text("import a_module_that_pandas_needs\n")
    monkeypatch.delitem(sys.modules, "pandas")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="a_module_that_pandas_needs") as error:
        found.requests_frame()
    assert not isinstance(error.value, MissingPackage)


def test_an_entry_may_tell_nothing_but_its_address(web):
    walk = SitemapWalk("paper.example/old.xml", session=web.session())
    frame = walk.frame()
    assert frame["url"].tolist() == [f"{SITE}/2020/01/01/an-old-story-of-ours"]
    told = frame.drop(columns=["url", "sitemap", "off_site"])
    assert told.isna().all(axis=None)
