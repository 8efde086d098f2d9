"""A hundred workers killed at any moment: nothing lost, nothing stored twice, no host asked by two at once."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections import Counter

import pytest
from crowd import DAYS, SPEED, sites, web_of, work
from sqlalchemy import create_engine, text
from worlds import DAY

from sitediscover.identity import article_key
from sitediscover.testing import FakeClock
from sitediscover.watch import Watchlist

pytestmark = pytest.mark.slow

KILLS, WORKERS = 100, 4
EVERY = 0.25  # seconds between two kills


def test_killing_workers_loses_nothing_and_redelivers_at_most_one_article_each(store, tmp_path):
    start = 1_767_225_600.0
    world = sites(start)
    with web_of(world, tmp_path, FakeClock(start)).session() as session, Watchlist(store, session=session) as watch:
        for site in world:
            watch.add(site.source())
        assert list(watch.poll()) == [], "the first reading, before anything is published"
    origin = time.time()
    kill_workers(store, tmp_path, origin, start)
    drain(store, tmp_path, world, start + max(DAYS * DAY, (time.time() - origin) * SPEED) + DAY)

    delivered = Counter(map(article_key, (tmp_path / "delivered").read_text().split()))
    published = {article.url for site in world for moment, article in site.table.articles if moment > start}
    assert published - delivered.keys() == set()
    assert delivered.keys() - published == set()
    assert sum(delivered.values()) - len(delivered) <= KILLS
    assert stored_twice(store) == []
    assert not (tmp_path / "crowded").exists(), (tmp_path / "crowded").read_text()


def kill_workers(store, folder, origin, start):
    # A server that has everything imported already: a new worker is there in a few milliseconds.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["crowd", "sqlalchemy.dialects.sqlite", "psycopg", "feedparser", "lxml.html"])
    draw = random.Random(7)

    def new_worker():
        worker = context.Process(target=work, args=(store, str(folder), origin, start), daemon=True)
        worker.start()
        return worker

    workers = [new_worker() for _ in range(WORKERS)]
    try:
        for _ in range(KILLS):
            time.sleep(EVERY * draw.uniform(0.2, 1.8))
            victim = draw.randrange(WORKERS)
            assert workers[victim].is_alive(), "a worker ended by itself"
            workers[victim].kill()
            workers[victim].join()
            workers[victim] = new_worker()
    finally:
        for worker in workers:
            worker.kill()
            worker.join()


def drain(store, folder, world, now):
    """Let one more worker hand out and ask what is left, when all leases have ended and all is published."""
    clock = FakeClock(now)
    with web_of(world, folder, clock).session() as session, Watchlist(store, session=session) as watch:
        until = clock.time() + 2 * DAY
        while clock.time() < until:
            with (folder / "delivered").open("a") as notes:
                for article in watch.poll():
                    notes.write(f"{article.url}\n")
            clock.advance(max(60.0, (watch._worker.next_due() or 0.0) - clock.time()))


def stored_twice(store):
    engine = create_engine(store.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT url FROM article")).scalars().all()
    engine.dispose()
    return [url for url, count in Counter(map(article_key, rows)).items() if count > 1]
