"""Strategies that worker processes import by name."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path


class KeywordOnlyError(Exception):
    """An error that no pickle takes, not even tblib's (Dask installs it): it would break a whole process pool."""

    def __init__(self, *, code):
        super().__init__(code)
        self.lock = threading.Lock()


class Deadly:
    """Kills its process at some sites: at those named `deadly` always, at those named `once` the first time."""

    name = "deadly"

    def discover(self, site):
        if "deadly" in site.origin:
            os.kill(os.getpid(), signal.SIGKILL)
        if "once" in site.origin:
            marker = Path(os.environ["SITEDISCOVER_MARKERS"], site.origin.rpartition("/")[2])
            if not marker.exists():
                marker.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return ()


class Faulty:
    """Has a bug that shows at some sites."""

    name = "faulty"

    def discover(self, site):
        if "faulty" in site.origin:
            return 1 / 0
        if "keyword" in site.origin:
            raise KeywordOnlyError(code=7)
        if "exit" in site.origin:
            raise SystemExit(3)
        return ()


class OnlyHere:
    """Cannot be made in a worker: it knows the process that imported it."""

    name = "only-here"

    def __init__(self):
        self.home = os.getpid()

    def __reduce__(self):
        return _only_in, (self.home,)

    def discover(self, site):
        return ()


def _only_in(home):
    if os.getpid() != home:
        raise ModuleNotFoundError("no such strategy in this process")
    return OnlyHere()
