"""Ctrl-C ends a batch within three seconds, with what was done."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest
from batch_help import NOW, sites_of

from sitediscover import Discovery, discover_many
from sitediscover.demo import build_many
from sitediscover.demo.server import serve
from sitediscover.testing import Answer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of another process are POSIX's"),
]

SCRIPT = """
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from multiprocessing import get_context
from sitediscover import discover_many

def executor(kind):
    if kind == "processes":
        return ProcessPoolExecutor(2, mp_context=get_context("spawn"))
    return ThreadPoolExecutor(2) if kind == "executor" else nullcontext()

if __name__ == "__main__":
    kind, pause, proxy, path, *sites = sys.argv[1:]
    with executor(kind) as workers:
        options = {"proxy": proxy, "pause": float(pause)}
        for found in discover_many(sites, executor=workers, workers=4, resume=path, session_options=options):
            print(found.site, flush=True)
"""


@pytest.mark.parametrize("kind, pause", [("threads", "0"), ("threads", "60"), ("processes", "60"), ("executor", "0")])
def test_interrupt_ends_the_program_within_three_seconds_and_the_checkpoint_resumes(tmp_path, kind, pause):
    web, _ = build_many(40, NOW)
    sites = list(web)
    for site in sites[20:]:
        web[site] = {"/robots.txt": Answer(delay=4)}  # silent for longer than anybody wants to wait
    # Two sites that cost one request: they are done whatever the pause.
    sites = [sites[7], sites[15], *sites[:7], *sites[20:]]
    script, path = tmp_path / "batch.py", tmp_path / "found.jsonl"
    script.write_text(SCRIPT)
    with serve(web) as served:
        command = [sys.executable, str(script), kind, pause, served.proxy, str(path), *sites]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.readline()
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            started = time.monotonic()
            _, errors = process.communicate(timeout=20)
        assert time.monotonic() - started < 3
        assert process.returncode != 0
        assert b"KeyboardInterrupt" in errors
        done = [Discovery.from_dict(json.loads(line)) for line in path.read_text().splitlines()]
        assert 1 <= len(done) < len(sites)
        left = sites[:9]
        found = list(
            discover_many(left, resume=path, session_options={"proxy": served.proxy, "pause": 0, "timeout": 1})
        )
    assert sites_of(found) == sorted(left)
    assert set(map(repr, done)) & set(map(repr, found))
