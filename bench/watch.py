"""What a large store costs: 100,000 sources on 50,000 hosts, claimed, polled and released on SQLite."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median

SIZES = (1_000, 100_000)
ROUNDS = 400
AIM_MS, AIM_MIB = 5.0, 200


def fill(url: str, sources: int) -> None:
    from sitediscover.watch.database import Database
    from sitediscover.watch.schema import host, source

    database = Database(url)
    now = 1_767_225_600.0
    hosts = [f"h{number}.example" for number in range(max(1, sources // 2))]
    rows = [
        {
            "site": hosts[number % len(hosts)],
            "host": hosts[number % len(hosts)],
            "kind": "feed",
            "url": f"https://{hosts[number % len(hosts)]}/feed/{number}",
            "origin": f"https://{hosts[number % len(hosts)]}",
            "state": "live",
            "role": "single",
            "first_read": "baseline",
            "added_at": now,
            "interval_s": 3600.0,
            "next_at": now + number % 3600,
        }
        for number in range(sources)
    ]
    database.write(lambda c: c.execute(host.insert(), [{"host": name, "next_at": now} for name in hosts]))
    database.write(lambda c: c.execute(source.insert(), rows))
    database.close()


def measure(url: str) -> None:
    """Print milliseconds a claim, a release, a whole poll (of a feed of ten items), and MiB at the most."""
    from sitediscover.model import Article
    from sitediscover.testing import FakeClock, FakeWeb, feed
    from sitediscover.watch import Watchlist
    from sitediscover.watch.database import Database
    from sitediscover.watch.lease import Leases
    from sitediscover.watch.work import Enough

    database = Database(url)
    leases = Leases(database, owner="bench", needed=120.0, margin=60.0)
    clock = FakeClock(1_767_225_600.0 + 7_200)
    claims, releases, polls = [], [], []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        lease = leases.claim(clock.time())
        claimed = time.perf_counter()
        leases.release(lease, clock.time(), free_at=clock.time() + 1)
        claims.append(claimed - started)
        releases.append(time.perf_counter() - claimed)
        clock.advance(0.01)
    database.close()
    body = feed(Article(url=f"https://h.example/2026/01/01/a-story-about-number-{n}") for n in range(10))

    class Everywhere(Mapping):
        """A web in which every host has the same feed; a dict of them all would be what is measured."""

        def __getitem__(self, origin):
            return {"*": body}

        def __iter__(self):
            return iter(())

        def __len__(self):
            return 0

    web = FakeWeb(Everywhere(), clock=clock)
    with web.session() as session, Watchlist(url, session=session) as watch:
        worker = watch._worker  # noqa: SLF001 - one host is measured, where poll() goes on to the next
        for _ in range(ROUNDS):
            one_host = iter((False, False))
            started = time.perf_counter()
            list(worker.poll(Enough(ends=lambda turns=one_host: next(turns, True))))
            polls.append(time.perf_counter() - started)
        watch.stats()
        for _ in watch.sources():
            pass
    # Not getrusage: its maximum is handed down from the process that started this one.
    peak = int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1024
    print(*(f"{median(times) * 1000:.3f}" for times in (claims, releases, polls)), f"{peak:.0f}")


def main() -> None:
    print(f"{'sources':>8} {'claim ms':>9} {'release ms':>11} {'poll ms':>8} {'peak MiB':>9}  (medians of {ROUNDS})")
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            url = f"sqlite:///{Path(folder) / 'watch.db'}"
            fill(url, size)
            code = f"from bench.watch import measure; measure({url!r})"
            # In a process of its own: what filling the store took is not counted.
            found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
            claim, release, poll, peak = found.split()
            print(f"{size:8} {claim:>9} {release:>11} {poll:>8} {peak:>9}")
    print(f"aims: claim and release under {AIM_MS:g} ms each, under {AIM_MIB} MiB, a poll no dearer with more sources")


if __name__ == "__main__":
    main()
