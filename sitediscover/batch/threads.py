"""Groups of sites on threads of this process, all through one session."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING

from sitediscover.batch.findings import Finding, bug, not_asked
from sitediscover.errors import FetchError
from sitediscover.fetch import SystemClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sitediscover.batch.groups import Group
    from sitediscover.discoverer import Discoverer

_TICK = 0.2
"""Seconds between two looks at whether to stop."""


class Abandoned(BaseException):
    """Raised in the middle of a discovery whose batch has been stopped.

    No strategy that catches Exception holds it up.
    """


class StoppableClock(SystemClock):
    """The machine's clock; its sleep ends when the batch does.

    Args:
        stopped: says whether the batch has been stopped.
    """

    def __init__(self, stopped: Callable[[], bool]) -> None:
        self._stopped = stopped

    def sleep(self, seconds: float) -> None:
        """Return after that many seconds.

        Raises:
            Abandoned: the batch has been stopped.
        """
        until = self.monotonic() + seconds
        while True:
            if self._stopped():
                raise Abandoned
            left = until - self.monotonic()
            if left <= 0:
                return
            super().sleep(min(left, _TICK))


class Threads:
    """Iterate over what becomes of groups of sites, as it is found out.

    The threads are daemons: a site that does not answer holds up neither the end of the batch nor the program's.

    Args:
        groups: taken one at a time, when a thread is free.
        discoverer: shared by all threads, as its session is.
        workers: how many threads.
        stopped: says whether to end early.
    """

    def __init__(
        self, groups: Iterator[Group], discoverer: Discoverer, workers: int, stopped: Callable[[], bool]
    ) -> None:
        self._groups = groups
        self._discoverer = discoverer
        self._workers = workers
        self._stopped = stopped
        self._closed = threading.Event()
        self._lock = threading.Lock()
        # Bounded: a slow reader of the results slows the asking down.
        self._results: queue.Queue[Finding | None] = queue.Queue(2 * workers)

    def __iter__(self) -> Iterator[Finding]:
        running = 0
        while running < self._workers and (group := self._next()):
            threading.Thread(target=self._work, args=(group,), name=f"sitediscover-{running}", daemon=True).start()
            running += 1
        while running and not self._ended():
            try:
                # A wait without a timeout cannot be interrupted on Windows: Ctrl-C has to get through.
                finding = self._results.get(timeout=_TICK)
            except queue.Empty:
                continue
            if finding is None:
                running -= 1
            else:
                yield finding

    def close(self) -> list[Finding]:
        """Stop; return what was found but not read yet."""
        self._closed.set()
        left: list[Finding] = []
        while True:
            try:
                finding = self._results.get_nowait()
            except queue.Empty:
                return left
            if finding is not None:
                left.append(finding)

    def _ended(self) -> bool:
        return self._closed.is_set() or self._stopped()

    def _next(self) -> Group | None:
        with self._lock:
            return None if self._ended() else next(self._groups, None)

    def _work(self, group: Group | None) -> None:
        try:
            while group:
                for text in group:
                    if self._ended():
                        return
                    self._put(self._ask(text))
                group = self._next()
        except Abandoned:
            return
        finally:
            self._put(None)

    def _ask(self, text: str) -> Finding:
        try:
            return Finding(text=text, discovery=self._discoverer.discover(text))
        except FetchError as error:
            return Finding(text=text, discovery=not_asked(text, error))
        except Abandoned:
            raise
        except BaseException as error:  # noqa: BLE001 - raised where the results are read, after the other sites
            return bug(text, error)

    def _put(self, finding: Finding | None) -> None:
        while not self._ended():
            try:
                self._results.put(finding, timeout=_TICK)
            except queue.Full:
                continue
            return
