"""What a worker of an executor does: one shard of sites, from plain data."""

from __future__ import annotations

import atexit
import os
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitediscover.batch.threads import StoppableClock, Threads
from sitediscover.discoverer import Discoverer
from sitediscover.fetch import PoliteSession

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sitediscover.batch.findings import Finding
    from sitediscover.batch.groups import Shard

_KEPT = 4
_discoverers: dict[str, Discoverer] = {}
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class StopFile:
    """A stop sign that every process of this machine can see: a file.

    Workers on other machines do not see it; what they have begun they finish.

    Attributes:
        path: where it appears.
    """

    path: str

    @classmethod
    def new(cls) -> StopFile:
        """Return a sign that is not up."""
        return cls(str(Path(tempfile.gettempdir(), f"sitediscover-stop-{os.urandom(16).hex()}")))

    def is_set(self) -> bool:
        """Say whether the sign is up."""
        return Path(self.path).exists()

    def set(self) -> None:
        """Put it up until the program ends."""
        Path(self.path).touch()
        atexit.register(Path(self.path).unlink, missing_ok=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A shard, and how to ask.

    Attributes:
        shard: the sites.
        workers: threads in the worker's process.
        session: the options of the PoliteSession that each process builds.
        discoverer: the options of the Discoverer.
        stop: the batch's stop sign; its path is the batch's name.
        number: no two tasks are equal: Dask takes equal ones for one unless it is told not to.
    """

    shard: Shard
    workers: int
    session: Mapping[str, object]
    discoverer: Mapping[str, object]
    stop: StopFile
    number: int


def run_shard(task: Task) -> list[Finding]:
    """Ask the sites of a shard.

    Args:
        task: plain data.

    Returns:
        One finding per site; fewer where the batch was stopped.
    """
    discoverer = _discoverer(task)
    return list(Threads(iter(task.shard), discoverer, task.workers, task.stop.is_set))


def _discoverer(task: Task) -> Discoverer:
    """Return the batch's one Discoverer in this process: its session knows when a host was asked last."""
    with _lock:
        known = _discoverers.get(task.stop.path)
        if known is None:
            session = new_session(task.session, task.stop.is_set)
            known = _discoverers[task.stop.path] = new_discoverer(task.discoverer, session)
            for batch in list(_discoverers)[:-_KEPT]:
                del _discoverers[batch]
        return known


def forget(stop: StopFile) -> None:
    """Close what a batch has left in this process."""
    with _lock, suppress(KeyError):
        _discoverers.pop(stop.path).session.close()


def new_session(options: Mapping[str, object], stopped: Callable[[], bool]) -> PoliteSession:
    """Return a session whose waiting ends with its batch.

    Args:
        options: the keyword arguments of PoliteSession.
        stopped: says whether the batch has been stopped.

    Raises:
        TypeError: an option that there is none.
        ValueError: an option that makes no sense.
    """
    given: dict[str, Any] = {"clock": None, **options}
    return PoliteSession(**{**given, "clock": given["clock"] or StoppableClock(stopped)})


def new_discoverer(options: Mapping[str, object], session: PoliteSession) -> Discoverer:
    """Return a Discoverer on a session.

    Args:
        options: the keyword arguments of Discoverer, but for the session.
        session: the door to the network.
    """
    given: dict[str, Any] = dict(options)
    return Discoverer(**given, session=session)
