"""A worker that polls a small web on a fast clock until it is killed, and notes what it saw. Run by test_kills."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from worlds import FeedSite, NewsSite, Site, Timetable, TreeSite

from sitediscover.testing import FakeWeb
from sitediscover.watch import Watchlist

SPEED = 240.0  # seconds of the sites' time that pass in one of ours
DAYS = 0.1  # 36 s of ours
LEASE = 600.0  # 2.5 s of ours: a worker that the machine keeps waiting is not taken for dead


class FastClock:
    """The machine's clock, sped up; all processes see the same time."""

    def __init__(self, origin: float, start: float) -> None:
        self.origin, self.start = origin, start

    def time(self) -> float:
        return self.start + (time.time() - self.origin) * SPEED

    monotonic = time

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds / SPEED)

    def advance(self, seconds: float) -> None:
        """FakeWeb's answers have no delay."""


def sites(start: float) -> list[Site]:
    def table(name: str, per_day: float) -> Timetable:
        return Timetable(host=f"{name}.example", start=start, days=DAYS, per_day=per_day, before=30)

    made: list[Site] = [
        FeedSite(table(f"feed{n}", 500.0), 120, ("", "tracking", "renumbered")[n % 3]) for n in range(12)
    ]
    made += [NewsSite(table(f"news{n}", 500.0)) for n in range(6)]
    made += [TreeSite(table(f"tree{n}", 500.0), ("honest", "frozen", "now")[n % 3]) for n in range(3)]
    return made


def web_of(world: list[Site], folder: Path, clock: FastClock) -> FakeWeb:
    """Return the sites' web; each host knows whether it is asked by two at once."""

    def guarded(host: str, answer: object):
        def reply(call):
            with (folder / f"host-{host.partition('//')[2]}").open("w") as lock:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # let go by the kernel when we are killed
                except BlockingIOError:
                    note(folder / "crowded", call.url)
                time.sleep(0.002)
                return answer(call) if callable(answer) else answer

        return reply

    return FakeWeb(
        {
            host: {path: guarded(host, answer) for path, answer in paths.items()}
            for site in world
            for host, paths in site.web().items()
        },
        clock=clock,
    )


def note(path: Path, text: str) -> None:
    """Append a line, whole or not at all."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, f"{text}\n".encode())
    os.close(handle)


def work(store: str, folder: str, origin: float, start: float) -> None:
    """Poll until killed; an article is noted before the next one is asked for."""
    clock = FastClock(origin, start)
    web = web_of(sites(start), Path(folder), clock)
    with web.session() as session, Watchlist(store, session=session, lease=LEASE) as watch:
        for article in watch.run():
            note(Path(folder) / "delivered", article.url)
