"""A month of sixty sites, good and bad, on a clock that nobody waits for."""

from __future__ import annotations

from collections import Counter

import pytest
from worlds import DAY, HOUR, FeedSite, NewsSite, SectionSite, Site, Timetable, TreeSite

from sitediscover.identity import article_key
from sitediscover.testing import FakeClock, FakeWeb
from sitediscover.watch import Watchlist

pytestmark = pytest.mark.slow

DAYS = 30
# The longest interval between two polls, its jitter, and what the first day's learning costs.
PATIENCE = 27 * HOUR

HABITS = (
    *("", "none", "tracking", "positions", "renumbered", "repeated", "undated"),
    *("moves", "outage", "busy", "dies", "always-304"),
)


def sites(start: float) -> list[Site]:
    def table(name: str, per_day: float, before: int = 60) -> Timetable:
        return Timetable(host=f"{name}.example", start=start, days=DAYS, per_day=per_day, before=before)

    made: list[Site] = []
    for number, habit in enumerate(HABITS * 3):
        window, per_day = ((20, 1.0), (10, 2.0), (15, 6.0 if habit == "" else 0.5))[number // len(HABITS)]
        made.append(FeedSite(table(f"feed{number}", per_day), window, habit))
    made += [NewsSite(table(f"news{number}", (12.0 if number == 0 else 2.0))) for number in range(16)]
    for number in range(4):
        lastmods = ("honest", "frozen", "now", "none")[number % 4]
        dates = number != 1
        made.append(
            TreeSite(table(f"tree{number}", 5.0 if number == 0 else 1.0, before=150), lastmods, entry_dates=dates)
        )
    for number in range(4):
        lastmods = ("honest", "frozen", "none", "pages")[number % 4]
        made.append(SectionSite(table(f"sections{number}", 4.0 if number == 0 else 1.0, before=120), lastmods))
    return made


def test_every_article_that_was_listed_long_enough_is_delivered_exactly_once(store):
    clock = FakeClock()
    start, end = clock.time(), clock.time() + DAYS * DAY
    world = sites(start)
    assert len(world) == 60
    web = FakeWeb({host: paths for site in world for host, paths in site.web().items()}, clock=clock)
    delivered: Counter[str] = Counter()
    with web.session() as session, Watchlist(store, session=session) as watch:
        for site in world:
            watch.add(site.source())
        while clock.time() < end:
            delivered.update(article_key(article.url) for article in watch.poll())
            due = watch._worker.next_due()
            clock.advance(max(1.0, (due or 0.0) - clock.time()))
    twice = {url: count for url, count in delivered.items() if count > 1}
    published = {article.url for site in world for moment, article in site.table.articles if moment > start}
    missing = {site.host: sorted(lost) for site in world if (lost := site.expected(end, PATIENCE) - delivered.keys())}
    assert twice == {}
    assert missing == {}
    assert delivered.keys() - published == set(), "of before the watching began"
    assert len(delivered) > 2_000
