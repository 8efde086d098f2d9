"""Many threads through one session."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

from sitediscover.fetch import PoliteSession

PAUSE = 0.05
SWITCH = 0.01  # the server's threads note the end of an answer a moment after it has gone


def run(*jobs):
    failed = []

    def kept(job):
        try:
            job()
        except BaseException as error:  # noqa: BLE001 - a thread must not swallow it
            failed.append(error)

    threads = [threading.Thread(target=kept, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not failed


def test_server_never_sees_two_requests_at_once_nor_a_gap_under_the_pause(serve):
    def slow(handler):
        time.sleep(0.01)
        handler.answer(200, b"x" * 1000)

    server = serve({f"/{n}": slow for n in range(16)})
    with PoliteSession(pause=PAUSE, allow_private=True, max_requests=99) as session:
        run(*(lambda n=n: session.get(f"{server.url}/{n}") for n in range(16)))
    seen = sorted(server.seen, key=lambda entry: entry[1])
    assert len(seen) == 17
    assert server.most_at_once == 1
    gaps = [later[1] - earlier[2] for earlier, later in pairwise(seen)]
    assert min(gaps) >= PAUSE - SWITCH


def test_hosts_run_side_by_side(serve):
    together = threading.Barrier(64, timeout=20)

    def meet(handler):
        together.wait()
        handler.answer(200, b"x")

    servers = [serve({"/a": meet}) for _ in range(64)]
    with PoliteSession(pause=5, allow_private=True) as session:
        # Were any two of them in one queue, the barrier would never open.
        run(*(lambda server=server: session.robots(f"{server.url}/a") for server in servers))
    with PoliteSession(pause=0, allow_private=True, timeout=20) as session:
        run(*(lambda server=server: session.get(f"{server.url}/a") for server in servers))
    assert not together.broken
