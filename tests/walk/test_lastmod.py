"""Whether lastmod dates can be relied on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from sitediscover.model import SitemapEntry
from sitediscover.walk.lastmod import LastmodTally, overall
from sitediscover.walk.model import LastmodTrust

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def trust(dates):
    tally = LastmodTally(NOW.timestamp())
    for number, date in enumerate(dates):
        tally.add(SitemapEntry(url=f"https://a.example/{number}", modified=date))
    return tally.trust


@pytest.mark.parametrize(
    "dates, verdict",
    [
        ([], None),
        ([None] * 20, LastmodTrust.ABSENT),
        ([None] * 20 + [NOW - DAY], LastmodTrust.ABSENT),
        ([NOW - DAY * n for n in range(1, 20)], LastmodTrust.FINE),
        ([None] * 5 + [NOW - DAY * n for n in range(1, 20)], LastmodTrust.FINE),
        ([NOW - DAY * 40] * 20, LastmodTrust.ALL_SAME),
        ([NOW - DAY * 40] * 39 + [NOW - DAY], LastmodTrust.ALL_SAME),
        ([NOW - DAY * 40] * 10 + [NOW - DAY * 50] * 10, LastmodTrust.FINE),
        ([NOW - DAY * 40 + timedelta(seconds=20 * n) for n in range(30)], LastmodTrust.ALL_SAME),
        ([NOW - timedelta(minutes=2 * n) for n in range(20)], LastmodTrust.ALL_NOW),
        ([NOW] * 20, LastmodTrust.ALL_NOW),
        ([NOW + DAY * 400] * 2 + [NOW - DAY * n for n in range(1, 20)], LastmodTrust.FUTURE),
        ([NOW + DAY * 400] + [NOW - DAY * n for n in range(1, 40)], LastmodTrust.FINE),
        ([NOW + timedelta(hours=13)] * 3 + [NOW - DAY * n for n in range(1, 20)], LastmodTrust.FINE),
        ([NOW - DAY] * 4, LastmodTrust.FINE),
        ([NOW - DAY - timedelta(minutes=n) for n in range(12_000)], LastmodTrust.FINE),
    ],
)
def test_dates_are_judged_by_how_they_are_spread(dates, verdict):
    assert trust(dates) is verdict


def test_the_verdict_on_a_site_is_that_of_most_of_its_pages():
    judged = [(LastmodTrust.FINE, 10), (LastmodTrust.FINE, 10), (LastmodTrust.ALL_SAME, 50_000)]
    assert overall(judged) is LastmodTrust.ALL_SAME


def test_there_is_no_verdict_on_nothing():
    assert overall([]) is None
