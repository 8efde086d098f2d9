"""What an index's lastmods make of its children, and an index that lists other indexes."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from worlds import DAY, HOUR, at

from sitediscover import Article, Source, SourceKind
from sitediscover.model import Precision, SitemapEntry
from sitediscover.testing import Answer, FakeClock, FakeWeb, sitemap_index, urlset
from sitediscover.watch import Role, SourceState, Watchlist
from sitediscover.watch.schema import Watched
from sitediscover.watch.tree import RETIRED_AFTER, lastmod_text, plan_children

NOW = 1_790_000_000.0
SITE = "https://a.example"


def watched(number: int, **values: object) -> Watched:
    """A row of an article tree that has not changed for a month."""
    row: dict[str, object] = dict.fromkeys(each.name for each in fields(Watched))
    row |= {
        "id": number,
        "url": f"{SITE}/sitemap-{number}.xml",
        "kind": SourceKind.ARTICLE_SITEMAP,
        "state": SourceState.LIVE,
        "role": Role.RESTING,
        "added_at": NOW - 400 * DAY,
        "last_ok": NOW - 10 * DAY,
        "last_change": NOW - 30 * DAY,
        "read_day": 1,
        "failures": 0.0,
        "misled": 0,
    }
    return Watched(**(row | values))


def listed(*moments: float | None, precision: Precision = Precision.SECOND) -> list[SitemapEntry]:
    """The children 1, 2, ... as an index lists them."""
    return [
        SitemapEntry(
            url=f"{SITE}/sitemap-{number}.xml",
            modified=at(moment) if moment else None,
            modified_precision=precision if moment else None,
        )
        for number, moment in enumerate(moments, 1)
    ]


def as_told(children: list[Watched], listing: list[SitemapEntry]) -> list[Watched]:
    """The children as they stand once they were read under these lastmods."""
    texts = [lastmod_text(entry) for entry in listing]
    return [replace(child, index_lastmod=text, read_lastmod=text) for child, text in zip(children, texts, strict=True)]


INDEX = watched(0, url=f"{SITE}/sitemap.xml", role=Role.INDEX, audited_at=NOW)


def plan(children: list[Watched], listing: list[SitemapEntry], index: Watched = INDEX):
    return plan_children(index, children, listing, whole=True, now=NOW)


# Three files; the last one has the news.
MOMENTS = (NOW - 300 * DAY, NOW - 200 * DAY, NOW - HOUR)


def archive(**first: object) -> list[Watched]:
    children = [watched(1, **first), watched(2), watched(3, role=Role.HEAD, last_new=NOW - HOUR)]
    return as_told(children, listed(*MOMENTS))


@pytest.mark.parametrize(
    "since, retired", [(RETIRED_AFTER - HOUR, False), (RETIRED_AFTER + HOUR, True)], ids=["before", "after"]
)
def test_a_child_is_retired_once_nothing_changed_for_180_days(since, retired):
    made = plan(archive(last_change=NOW - since), listed(*MOMENTS))
    assert (made.changed.get(1, {}).get("role") is Role.RETIRED) is retired


def test_a_child_that_never_changed_is_retired_180_days_after_it_was_added():
    made = plan(archive(last_change=None, added_at=NOW - RETIRED_AFTER - HOUR), listed(*MOMENTS))
    assert made.changed[1]["role"] is Role.RETIRED


def test_the_head_is_never_retired_however_long_nothing_came():
    children = as_told([watched(1), watched(2), watched(3, role=Role.HEAD, last_new=NOW - 400 * DAY)], listed(*MOMENTS))
    assert "role" not in plan(children, listed(*MOMENTS)).changed.get(3, {})


def test_a_retired_child_is_not_audited_and_a_resting_one_is():
    index = replace(INDEX, audited_at=NOW - 2 * DAY)
    children = archive(role=Role.RETIRED, last_ok=NOW - 300 * DAY, last_change=NOW - 300 * DAY)
    made = plan(children, listed(*MOMENTS), index)
    assert made.audited
    assert made.changed == {2: {"next_at": NOW}}


def test_a_retired_child_whose_lastmod_moves_is_read_again():
    made = plan(archive(role=Role.RETIRED), listed(NOW - 60, *MOMENTS[1:]))
    assert made.changed[1]["role"] is Role.RESTING
    assert made.changed[1]["next_at"] == NOW
    assert made.news == 1


def day_precise(read: float) -> bool:
    """Say whether a child whose lastmod is a day, and stands still, is asked again; `read` is when it last was."""
    day = NOW // DAY * DAY
    listing = listed(day - 300 * DAY, day, day - 200 * DAY, precision=Precision.DAY)
    children = [watched(1), watched(2, last_ok=read), watched(3, role=Role.HEAD, last_new=NOW - HOUR)]
    return plan(as_told(children, listing), listing).changed.get(2, {}).get("next_at") == NOW


def test_a_lastmod_of_today_that_names_only_a_day_may_hide_a_second_change():
    assert day_precise(NOW - 13 * HOUR)


def test_but_it_is_not_asked_again_within_half_a_day():
    assert not day_precise(NOW - 2 * HOUR)


def test_a_day_that_was_over_when_the_child_was_read_hides_nothing():
    listing = listed(NOW - 300 * DAY, NOW - 9 * DAY, NOW - 200 * DAY, precision=Precision.DAY)
    children = [watched(1), watched(2, last_ok=NOW - 5 * DAY), watched(3, role=Role.HEAD, last_new=NOW - HOUR)]
    assert plan(as_told(children, listing), listing).changed == {}


def test_a_moment_hides_nothing():
    listing = listed(NOW - 300 * DAY, NOW - 20 * HOUR, NOW - 200 * DAY)
    children = [
        watched(1),
        watched(2, last_ok=NOW - 19 * HOUR),
        watched(3, role=Role.HEAD, last_new=NOW - HOUR),
    ]
    assert plan(as_told(children, listing), listing).changed == {}


class Nested:
    """An index of two indexes, one for each year; each of those lists one file a month."""

    def __init__(self, store: str) -> None:
        self.clock = FakeClock(NOW)
        self.months = {
            f"{year}-{month:02}": [self.story(f"{year}-{month:02}")] for year in (2025, 2026) for month in (1, 2)
        }
        paths = {"/sitemap.xml": self.years, "/2025.xml": self.year, "/2026.xml": self.year, "*": self.month}
        self.web = FakeWeb({SITE: paths}, clock=self.clock)
        self.watch = Watchlist(store, session=self.web.session())

    def story(self, month: str, number: int = 0) -> Article:
        moment = self.clock.time() if number else NOW - 100 * DAY
        url = f"{SITE}/{month.replace('-', '/')}/a-story-of-this-month-number-{number}"
        return Article(url=url, title=None, modified=at(moment))

    def moved(self, start: str):
        return max(a.modified for month, listed in self.months.items() if month.startswith(start) for a in listed)

    def years(self, call):
        return sitemap_index((f"{SITE}/{year}.xml", self.moved(str(year))) for year in (2025, 2026))

    def year(self, call):
        year = call.url[-8:-4]
        return sitemap_index((f"{SITE}/{m}.xml", self.moved(m)) for m in self.months if m.startswith(year))

    def month(self, call):
        listed = self.months.get(call.url[-11:-4])
        return urlset(listed) if listed else Answer(status=404)

    def polled(self, hours: float) -> list[str]:
        """Poll as things fall due; return what was delivered."""
        end, found = self.clock.time() + hours * HOUR, []
        while self.clock.time() < end:
            found += [article.url for article in self.watch.poll()]
            self.clock.advance(600)
        return found


def test_an_index_of_indexes_is_watched_as_one_tree(store):
    world = Nested(store)
    with world.watch:
        world.watch.add(Source(kind=SourceKind.ARTICLE_SITEMAP, url=f"{SITE}/sitemap.xml"))
        assert world.polled(30) == []
        roles = {source.url.removeprefix(SITE): source.role for source in world.watch.sources(children=True)}
        assert [url for url, role in roles.items() if role is Role.INDEX] == ["/sitemap.xml", "/2025.xml", "/2026.xml"]
        assert len(roles) == 7

        new, old = world.story("2026-02", 1), world.story("2025-01", 1)
        world.months["2026-02"].append(new)
        world.months["2025-01"].append(old)
        found = world.polled(12)
        assert sorted(found) == sorted([new.url, old.url])

        world.months["2026-03"] = [world.story("2026-03", 1)]
        assert world.polled(12) == [world.months["2026-03"][0].url]
