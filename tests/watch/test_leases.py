"""Who may ask a host: one worker at a time, and nobody writes what is no longer theirs to write."""

from __future__ import annotations

import pytest
from worlds import HOUR

from sitediscover import Article, Source, SourceKind
from sitediscover.testing import Answer, FakeClock, FakeWeb, feed, redirect
from sitediscover.watch import Watchlist
from sitediscover.watch.database import Database
from sitediscover.watch.lease import LeaseLost, Leases, ensure_host, fence

NOW = 1_767_225_600.0
FEED = "https://a.example/feed"


@pytest.fixture
def leases(store):
    shared = Database(store)
    shared.write(lambda connection: ensure_host(connection, "a.example", NOW))
    yield tuple(Leases(shared, owner=name, needed=60.0, margin=40.0) for name in ("one", "two"))
    shared.close()


def test_a_host_is_claimed_by_one_until_it_is_released(leases):
    one, two = leases
    lease = one.claim(NOW)
    assert lease is not None
    assert two.claim(NOW) is None
    assert two.borrow("a.example", NOW) is None
    one.release(lease, NOW, free_at=NOW + 5)
    assert two.borrow("a.example", NOW + 1) is None, "the pause is for everybody"
    assert two.borrow("a.example", NOW + 5) is not None


def test_a_lease_that_ended_is_taken_over_and_its_old_owner_writes_nothing(leases):
    one, two = leases
    old = one.claim(NOW)
    new = two.claim(NOW + 101)
    assert new.epoch == old.epoch + 1
    with pytest.raises(LeaseLost):
        one.renew(old, NOW + 101)
    with pytest.raises(LeaseLost):
        one._database.write(lambda connection: fence(connection, old))
    one.release(old, NOW + 101, blocked_until=NOW + 1e6)
    two.renew(new, NOW + 101)


def test_a_renewed_lease_is_not_taken_over(leases):
    one, two = leases
    lease = one.claim(NOW)
    one.renew(lease, NOW + 90)
    assert two.claim(NOW + 150) is None


def test_a_host_is_looked_at_no_later_than_anybody_asked(leases):
    one, _ = leases
    for at, first in ((NOW + 50, NOW), (NOW - 50, NOW - 50), (None, NOW - 50)):
        one._database.write(lambda connection, at=at: ensure_host(connection, "a.example", at))
        assert (one.claim(first - 1) is None) is True
    assert one.claim(NOW - 50) is not None


class Two:
    """Two workers on one store and one web."""

    def __init__(self, store, web):
        self.clock = FakeClock()
        self.web = FakeWeb(web, clock=self.clock)
        self.one, self.two = (Watchlist(store, session=self.web.session()) for _ in range(2))

    def close(self):
        self.one.close()
        self.two.close()


def story(number):
    return Article(url=f"https://a.example/2026/01/a-story-number-{number}")


@pytest.fixture
def articles():
    return [story(1)]


@pytest.fixture
def two(store, articles):
    web = {
        "https://a.example": {"/feed": lambda call: feed(articles), "/away": redirect("https://b.example/feed", 302)},
        "https://b.example": {"/feed": lambda call: feed(articles)},
    }
    made = Two(store, web)
    yield made
    made.close()


def test_while_one_worker_hands_out_the_other_leaves_the_host_alone(two, articles):
    two.one.add(Source(kind=SourceKind.FEED, url=FEED))
    list(two.one.poll())
    articles += [story(2), story(3)]
    two.clock.advance(2 * HOUR)
    first = two.one.poll()
    assert next(first).url == story(2).url
    assert list(two.two.poll()) == []
    assert [article.url for article in first] == [story(3).url]


def test_a_receiver_that_is_slower_than_its_lease_ends_quietly_and_the_other_worker_delivers(two, articles):
    two.one.add(Source(kind=SourceKind.FEED, url=FEED))
    list(two.one.poll())
    articles += [story(2), story(3)]
    two.clock.advance(2 * HOUR)
    slow = two.one.poll()
    next(slow)
    two.clock.advance(10 * 60)
    assert len(list(two.two.poll())) == 2
    assert list(slow) == []


def test_a_redirect_leads_to_another_host_only_when_that_is_free(two, articles):
    two.one.add(Source(kind=SourceKind.FEED, url="https://a.example/away"))
    held = two.two._worker._leases.borrow("b.example", two.clock.time())
    list(two.one.poll())
    assert not any("b.example" in url for url in two.web.requests)
    two.two._worker._leases.release(held, two.clock.time())
    two.clock.advance(60)
    list(two.one.poll())
    assert "https://b.example/feed" in two.web.requests
    assert two.one.stats().seen == 1


def test_what_is_paused_while_it_is_asked_stays_paused(store):
    clock = FakeClock()
    pages = {}
    web = FakeWeb({"https://a.example": pages}, clock=clock)
    with Watchlist(store, session=web.session()) as watch:
        source = watch.add(Source(kind=SourceKind.FEED, url=FEED))

        def answer(call):
            watch.pause(source.id)
            return Answer(body=feed([story(1)]))

        pages["/feed"] = answer
        assert list(watch.poll()) == []
        assert watch.source(source.id).state == "paused"
        assert watch.source(source.id).next_at is None
        assert watch.stats().seen == 0


def test_a_circle_of_redirects_is_a_failure_and_nothing_more(store):
    web = FakeWeb({"https://a.example": {"/feed": redirect("/other"), "/other": redirect("/feed")}})
    with Watchlist(store, session=web.session()) as watch:
        source = watch.add(Source(kind=SourceKind.FEED, url=FEED))
        assert list(watch.poll()) == []
        assert "circle" in watch.source(source.id).error
