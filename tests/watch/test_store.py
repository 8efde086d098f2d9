"""What the store survives: crashes, lost connections, a full disk, locks, texts that no database takes."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter

import pytest
from onesite import FEED, World
from pgserver import execute
from sqlalchemy import create_engine, event, text
from worlds import DAY, HOUR

from sitediscover import Article, Source, SourceKind
from sitediscover.errors import StoreFailed
from sitediscover.testing import FakeClock
from sitediscover.watch import Watchlist, database


class Crash(BaseException):
    """The process ends here, as far as the database can tell."""


@pytest.mark.parametrize("statement", range(1, 16))
def test_a_crash_before_any_statement_loses_nothing_and_delivers_at_most_one_again(world, statement):
    world.add()
    world.publish(5, 6)
    world.clock.advance(2 * HOUR)
    engine, seen, delivered = world.watch._database.engine, [], []

    def crash(connection, cursor, sql, *others):
        seen.append(sql)
        if len(seen) == statement:
            raise Crash

    event.listen(engine, "before_cursor_execute", crash)
    with pytest.raises(Crash):
        delivered.extend(article.title for article in world.watch.poll())
    event.remove(engine, "before_cursor_execute", crash)
    delivered += world.poll(HOUR) + world.poll(2 * DAY)
    counts = Counter(delivered)
    assert counts.keys() == {"Story 5", "Story 6"}
    assert sum(counts.values()) <= 3
    assert world.watch.stats().articles == 2


def test_a_full_disk_is_one_of_our_errors_and_soon_forgotten(sqlite_store):
    world = World(sqlite_store)
    world.add()
    world.articles += [Article(url=f"https://a.example/2026/{n}", title="t" * 1500) for n in range(400)]
    room = [0]

    @event.listens_for(world.watch._database.engine, "begin")
    def limit(connection):
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages + room[0]}")

    with pytest.raises(StoreFailed, match="full"):
        world.poll()
    room[0] = 10_000
    assert len(world.poll()) == 400
    world.watch.close()


def test_a_lock_that_is_held_too_long_is_one_of_our_errors(sqlite_store, monkeypatch):
    monkeypatch.setattr(database, "BUSY", 0.1)
    world = World(sqlite_store)
    world.add()
    world.publish(5)
    other = sqlite3.connect(sqlite_store.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    started = time.monotonic()
    with pytest.raises(StoreFailed, match="locked"):
        world.poll()
    assert time.monotonic() - started < 5, "it waits once, not five times"
    other.execute("ROLLBACK")
    other.close()
    assert world.poll(0) == ["Story 5"]
    world.watch.close()


@pytest.fixture
def server(postgres_server):
    """Give a store on PostgreSQL, and what loses all its connections."""
    name = f"lost{time.time_ns()}"
    execute(postgres_server, f"CREATE DATABASE {name}")

    def lose(*, come_back=True):
        execute(postgres_server, f"ALTER DATABASE {name} ALLOW_CONNECTIONS {come_back}")
        execute(postgres_server, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")

    made = World(f"postgresql://tester@/{name}?host={postgres_server}")
    yield made, lose
    made.watch.close()
    execute(postgres_server, f"DROP DATABASE {name} WITH (FORCE)")


def test_a_connection_that_is_lost_between_two_articles_is_made_again(server):
    world, lose = server
    world.add()
    world.publish(5, 6, 7)
    world.clock.advance(2 * HOUR)
    delivered = []
    for article in world.watch.poll():
        delivered.append(article.title)
        lose()
    assert delivered == ["Story 7", "Story 6", "Story 5"]


def test_a_transaction_that_loses_its_connection_is_made_again(server):
    world, lose = server
    world.add()
    world.publish(5)
    tried = []

    @event.listens_for(world.watch._database.engine, "before_cursor_execute")
    def lose_once(connection, cursor, sql, *others):
        if "INSERT INTO article" in sql:
            tried.append(sql)
            if len(tried) == 1:
                lose()

    assert world.poll() == ["Story 5"]
    assert len(tried) == 2


def test_a_server_that_is_away_is_one_of_our_errors_and_its_return_is_noticed(server):
    world, lose = server
    world.add()
    world.publish(5, 6)
    world.clock.advance(2 * HOUR)
    polling = world.watch.poll()
    next(polling)
    lose(come_back=False)
    with pytest.raises(StoreFailed):
        next(polling)
    lose()
    assert world.poll(HOUR) == ["Story 6", "Story 5"]


def test_what_no_database_can_hold_costs_only_itself(world):
    items = [
        {"id": f"https://a.example/2026/{n}", "title": "a\x00b\ud800c", "summary": "\udfff", "language": "\x00"}
        for n in range(3)
    ]
    world.paths["/feed"] = json.dumps(
        {"version": "https://jsonfeed.org/version/1.1", "title": "t\x00\ud800", "language": "e\x00n", "items": items}
    )
    source = world.watch.add(Source(kind=SourceKind.FEED, url=FEED), deliver_backlog=True)
    assert [article.title for article in world.watch.poll()] == ["abc"] * 3
    assert world.watch.source(source.id).title == "t"


def test_a_title_that_no_database_can_hold_is_stored_without(world):
    source = world.watch.add(Source(kind=SourceKind.FEED, url=FEED, title="a\x00b\ud800c"))
    assert source.title == "abc"


def test_a_store_in_memory_works_too():
    world = World("sqlite://")
    world.add()
    world.publish(5)
    assert world.poll() == ["Story 5"]
    assert len(list(world.watch.sources())) == world.watch.stats().sources == 1
    world.watch.close()


def test_a_database_that_cannot_be_opened_is_one_of_our_errors(tmp_path):
    with pytest.raises(StoreFailed, match="unable to open database file"):
        Watchlist(f"sqlite:///{tmp_path}/no/such/folder/own.db")


def test_a_database_that_breaks_later_is_one_of_our_errors(tmp_path):
    with Watchlist(f"sqlite:///{tmp_path}/own.db") as watch:
        engine = create_engine(f"sqlite:///{tmp_path}/own.db")
        with engine.begin() as connection:
            connection.execute(text("ALTER TABLE source RENAME TO other"))
        engine.dispose()
        with pytest.raises(StoreFailed, match="no such table"):
            list(watch.sources())


# -- a clock that is wrong


class WrongClock(FakeClock):
    """A clock that somebody sets."""

    wrong = 0.0

    def time(self) -> float:
        return super().time() + self.wrong


@pytest.mark.parametrize("running", [True, False], ids=["while it runs", "before it starts"])
def test_what_a_clock_wrote_that_was_years_ahead_is_put_right(store, running):
    clock = WrongClock()
    clock.wrong = 3650 * DAY
    world = World(store, clock)
    source = world.add()
    if not running:
        world.watch.close()
        clock.wrong = 0.0
        world.watch = Watchlist(store, session=world.session)
    clock.wrong = 0.0
    world.publish(5)
    assert world.poll(60) == ["Story 5"]
    told = world.watch.source(source.id)
    assert max(told.added_at, told.last_ok, told.last_new, told.next_at) < clock.now.replace(year=2027)
    world.watch.close()


def test_a_lease_of_years_ahead_holds_nobody_up(store):
    clock = WrongClock()
    clock.wrong = 3650 * DAY
    world = World(store, clock)
    world.add()
    world.publish(5, 6)
    clock.advance(2 * HOUR)
    polling = world.watch.poll()
    next(polling)  # and then the machine stops
    clock.wrong = 0.0
    with Watchlist(store, session=world.session) as other:
        assert [article.title for article in other.poll()] == ["Story 6", "Story 5"]
    polling.close()
    world.watch.close()


def test_a_clock_that_is_set_back_lengthens_no_sleep(sqlite_store):
    clock = WrongClock()
    world = World(sqlite_store, clock)
    world.add()
    started, asked = clock.monotonic(), []

    def stop():
        asked.append(clock.monotonic())
        if len(asked) == 5:
            clock.wrong = -DAY
        return len(asked) > 500

    world.publish(5)
    assert [article.title for article in world.watch.run(stop)] == ["Story 5"]
    assert clock.monotonic() - started < 600
    world.watch.close()


def test_weeks_of_sleep_are_no_reason_to_hurry(world):
    world.add()
    world.publish(5)
    asked = world.asked()
    assert world.poll(60 * DAY) == ["Story 5"]
    assert world.asked() == asked + 1


def test_a_run_hears_within_a_second_that_it_is_to_stop_while_it_waits_for_a_crawl_delay(sqlite_store):
    world = World(sqlite_store)
    world.paths["/robots.txt"] = "User-agent: *\nCrawl-delay: 30"
    for number in range(4):
        world.paths[f"/{number}"] = world.paths["/feed"]
        world.watch.add(Source(kind=SourceKind.FEED, url=f"https://a.example/{number}"))
    end = world.clock.time() + 45
    assert list(world.watch.run(lambda: world.clock.time() >= end)) == []
    assert 2 <= len(world.web.calls) < 5
    assert world.clock.time() < end + 2
    world.watch.close()
