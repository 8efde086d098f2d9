"""What a large sitemap tree costs, and how late its news are, whatever its lastmods are worth."""

from __future__ import annotations

from statistics import median

import pytest
from worlds import DAY, HOUR, Timetable, TreeSite, at

from sitediscover.testing import Answer, FakeClock, FakeWeb, sitemap_index, urlset
from sitediscover.watch import Role, Watchlist

pytestmark = pytest.mark.slow

MONTHS, DAYS, LEARNING = 120, 4, 2


class Archive(TreeSite):
    """A hundred and twenty monthly files: old ones that never change, and this month's."""

    def months(self, now):
        months = [f"{2015 + n // 12}-{n % 12 + 1:02}" for n in range(12, MONTHS + 10)]
        return {month: [self.table.start - 30 * DAY] for month in months} | super().months(now)

    def index(self, call):
        if self.lastmods == "honest":
            url = f"https://{self.host}/sitemap-"
            return sitemap_index(
                (f"{url}{month}.xml", at(max(times))) for month, times in sorted(self.months(call.at).items())
            )
        return super().index(call)

    def child(self, call):
        month = call.url.partition("sitemap-")[2].removesuffix(".xml")
        if month >= "2026":
            return super().child(call)
        story = f"https://{self.host}/{month.replace('-', '/')}/an-old-story-number-"
        return Answer(body=urlset(f"{story}{number}" for number in range(20)))


def watched(store, lastmods):
    """Return requests a day and the median delay in minutes, once the first days' readings are done."""
    clock = FakeClock(1_767_571_200.0)  # the fifth of January 2026
    table = Timetable(host="archive.example", start=clock.time(), days=DAYS, per_day=40, before=160)
    site = Archive(table, lastmods)
    end, settled = clock.time() + DAYS * DAY, clock.time() + LEARNING * DAY
    web = FakeWeb(site.web(), clock=clock)
    delays, per_day = [], [0] * DAYS
    with web.session() as session, Watchlist(store, session=session) as watch:
        watch.add(site.source())
        while clock.time() < end:
            delays.extend((article.modified.timestamp(), clock.time()) for article in watch.poll())
            clock.advance(max(1.0, (watch._worker.next_due() or 0.0) - clock.time()))
        roles = [source.role for source in watch.sources(children=True)]
    for call in web.calls:
        if call.at < end:
            per_day[int((call.at - table.start) // DAY)] += 1
    late = [(seen - told) / 60 for told, seen in delays if told > settled]
    missing = sum(table.start < moment < end - 2 * HOUR for moment in table.times) - len(delays)
    return per_day, median(late), missing, roles


@pytest.mark.parametrize("lastmods", ["honest", "frozen", "now", "none"])
def test_a_tree_of_120_files_costs_under_100_requests_a_day_and_is_read_within_15_minutes(store, lastmods):
    per_day, delay, missing, roles = watched(store, lastmods)
    assert max(per_day) < 100, per_day
    assert delay < 15
    assert missing <= 0
    assert roles.count(Role.INDEX) == 1
    assert len(roles) == MONTHS + 1
