"""Ctrl-C gets through, whatever the session is waiting for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

SCRIPT = """
import sys, threading
from sitediscover.fetch import PoliteSession
kind, url = sys.argv[1:]
session = PoliteSession(allow_private=True, pause=0 if kind != "pause" else 60)
if kind == "queue":
    threading.Thread(target=session.get, args=(url + "/silent",), daemon=True).start()
if kind == "pause":
    session.robots(url)
print("ready", flush=True)
session.get(url + "/silent")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another process are POSIX's")
@pytest.mark.parametrize("kind", ["read", "pause", "queue"])
def test_interrupt_ends_the_process_within_three_seconds(serve, kind):
    server = serve({"/silent": lambda handler: time.sleep(5)})
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, kind, server.url], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    ) as process:
        assert process.stdout.readline().strip() == b"ready"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        started = time.monotonic()
        _, errors = process.communicate(timeout=10)
    assert time.monotonic() - started < 3
    assert b"KeyboardInterrupt" in errors
