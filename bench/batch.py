"""How many sites a second one core discovers, and how that grows: the pause off, the web in memory.

    python bench/batch.py [--quick]

Each site costs three requests: robots.txt that names a news sitemap, a front page of 300 links, the sitemap of 100
stories. What the imitated web itself takes is measured apart, with a bare loop over the same requests.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
import tracemalloc
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitediscover import PoliteSession
    from sitediscover.testing import Call

sys.path.insert(0, str(Path(__file__).parent.parent))

from sitediscover import Article, Outcome, discover_many
from sitediscover.batch.groups import Groups
from sitediscover.testing import FakeClock, FakeWeb, page, urlset

NOW = datetime(2026, 11, 30, 5, 20, tzinfo=UTC)
LINKS, STORIES = 300, 100
TARGET = 60.0
HERE = "https://here.example"


def paths() -> list[str]:
    return [f"/2026/11/{n % 28 + 1:02}/the-council-decides-about-the-harbour-{n}.html" for n in range(LINKS)]


FRONT = page(paths(), title="The Daily Example").encode()
STORIES_LISTED = urlset(
    [
        Article(url=HERE + path, title=f"Story {n}", published=NOW - timedelta(minutes=17 * n), language="en")
        for n, path in enumerate(paths()[:STORIES])
    ],
    news="The Daily Example",
).encode()


def sitemap(call: Call) -> bytes:
    return STORIES_LISTED.replace(HERE.encode(), call.url.rpartition("/")[0].encode())


def web(count: int) -> FakeWeb:
    answers = {"/": FRONT, "/news-sitemap.xml": sitemap}
    robots = "User-agent: *\nDisallow: /intern/\nSitemap: {}/news-sitemap.xml\n"
    sites = (f"https://daily-{number}.example" for number in range(count))
    return FakeWeb({site: {"/robots.txt": robots.format(site), **answers} for site in sites}, clock=FakeClock(NOW))


def discovered(count: int, workers: int) -> tuple[float, float]:
    """CPU seconds and wall seconds of a batch."""
    made = web(count)
    with made.session(pause=0) as session:
        start, began = time.process_time(), time.perf_counter()
        for found in discover_many([f"daily-{n}.example" for n in range(count)], session=session, workers=workers):
            assert found.outcome is Outcome.NEWS_SITEMAP, found
            assert len(found.requests) == 3, found.requests
            made.calls.clear()  # the web's own memory is none of the library's
        return time.process_time() - start, time.perf_counter() - began


def asked_only(count: int) -> float:
    """CPU seconds of the same requests, and nothing done with the answers."""
    with web(count).session(pause=0) as session:
        start = time.process_time()
        for number in range(count):
            asked(session, f"https://daily-{number}.example")
        return time.process_time() - start


def asked(session: PoliteSession, site: str) -> None:
    session.robots(f"{site}/")
    session.get(f"{site}/")
    session.stream(f"{site}/news-sitemap.xml").close()


def growth(sizes: list[int], workers: int) -> float:
    print(f"{LINKS} links, {STORIES} entries, {workers} threads; sites per second and core, by processor time")
    print("| sites | seconds of processor | ms per site | sites per second and core | wall seconds | peak RSS, MB |")
    print("|--:|--:|--:|--:|--:|--:|")
    best = 0.0
    for count in sizes:
        cpu, wall = discovered(count, workers)
        rate = count / cpu
        best = max(best, rate)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"| {count:,} | {cpu:.2f} | {cpu / count * 1e3:.2f} | {rate:.0f} | {wall:.2f} | {peak:.0f} |", flush=True)
    return best


def reading(count: int) -> None:
    names = [f"daily-{number}.example" for number in range(count)]
    begin = time.process_time()
    groups = Groups(names)
    spent = time.process_time() - begin
    del groups
    tracemalloc.start()
    groups = Groups(names[: count // 10])
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"\nreading {count:,} names: {spent:.1f} s, {held / len(groups):.0f} bytes a name besides the name itself")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer sites")
    options = parser.parse_args()
    discovered(20, 1)  # what is imported and compiled on first use
    fetched = asked_only(200) / 200
    rate = growth([100, 1_000] if options.quick else [100, 1_000, 10_000], 32)
    print(f"of this the three requests as such, made and kept in order by the session: {fetched * 1e3:.2f} ms per site")
    verdict = "met" if rate >= TARGET else "MISSED"
    print(f"{rate:.0f} a second and core at best; the aim is at least {TARGET:.0f}: {verdict}")
    reading(100_000 if options.quick else 1_000_000)


if __name__ == "__main__":
    main()
