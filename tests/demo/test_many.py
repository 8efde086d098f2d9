"""Many small sites: each kind gets the verdict that is right for it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sitediscover import discover
from sitediscover.demo import build_many
from sitediscover.testing import Call, FakeClock, FakeWeb, respond

NOW = datetime(2026, 11, 30, 5, 20, tzinfo=UTC)
WEB, VERDICTS = build_many(16, NOW)


@pytest.mark.parametrize("site", VERDICTS)
def test_each_site_gets_its_verdict(site):
    web = FakeWeb(WEB, clock=FakeClock(NOW))
    with web.session() as session:
        assert discover(site, session=session).outcome is VERDICTS[site]


def test_every_site_has_stories_of_its_own():
    first, second = (f"http://site-{number:04}.example" for number in (0, 8))
    bodies = [respond(WEB, Call(url=f"{site}/")).body.replace(site.encode(), b"") for site in (first, second)]
    assert bodies[0] != bodies[1]


def test_there_are_as_many_as_were_asked_for():
    assert [len(build_many(count, NOW)[0]) for count in (0, 1, 9)] == [0, 1, 9]
