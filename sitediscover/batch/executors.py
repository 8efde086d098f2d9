"""Shards of sites on any `concurrent.futures.Executor`; a worker that breaks loses none of them."""

from __future__ import annotations

import logging
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from itertools import chain, islice
from pickle import PicklingError
from typing import TYPE_CHECKING, Any, TypeAlias

from sitediscover.batch.findings import Finding, not_asked
from sitediscover.batch.worker import forget, run_shard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sitediscover.batch.groups import Shard
    from sitediscover.batch.worker import Task

_log = logging.getLogger(__name__)

IN_FLIGHT = 64
"""Shards that wait or run at once on an executor that does not tell how many workers it has."""

TRIES_ALONE = 2
"""How often a site may lose its worker while nothing else runs, before that is the answer."""

_TICK = 1.0
_Run: TypeAlias = "Future[list[Finding]]"


class Shards:
    """Iterate over what becomes of shards of sites on an executor.

    A shard whose worker is lost is asked again at the end, alone, and, should that lose a worker once more, site by
    site; a site that loses two workers while it runs alone gets a Discovery that says so. An executor that is broken
    for good is replaced: the process pools of the standard library and of loky by another of their kind, others by
    threads here.

    Args:
        shards: taken when there is room for one.
        executor: where they are to run.
        task: makes the task of a shard.
    """

    def __init__(self, shards: Iterator[Shard], executor: Executor, task: Callable[[Shard], Task]) -> None:
        self._shards = shards
        self._executor = executor
        self._task = task
        self._stop = task(()).stop
        self._spare: Executor | None = None
        self._running: dict[_Run, Shard] = {}
        self._suspects: deque[tuple[Shard, int]] = deque()
        self._ready: deque[Finding] = deque()

    def probe(self) -> None:
        """Let a worker build what it needs: what is wrong with the caller's options there is raised here.

        Raises:
            Exception: as it was raised in the worker, or on the way to it.
        """
        try:
            self._wait_for(())
        except BrokenExecutor:
            self._wait_for(())

    def __iter__(self) -> Iterator[Finding]:
        for _ in chain(self._spread(), self._one_by_one()):
            while self._ready:
                yield self._ready.popleft()

    def close(self) -> list[Finding]:
        """Stop; return what was found but not read yet."""
        left = [*self._ready, *(finding for run in self._running if _fine(run) for finding in run.result())]
        if not all(run.done() for run in self._running):
            self._stop.set()
        for run in self._running:
            run.cancel()
        if self._spare is not None:
            self._spare.shutdown(wait=False)
        forget(self._stop)
        return left

    def _spread(self) -> Iterator[None]:
        """Keep all workers busy; set those shards aside whose worker is lost."""
        room = getattr(self._executor, "_max_workers", IN_FLIGHT) + 1
        while True:
            for shard in islice(self._shards, room - len(self._running)):
                self._running[self._submit(shard)] = shard
            if not self._running:
                return
            done, _ = wait(self._running, timeout=_TICK, return_when=FIRST_COMPLETED)
            for run in done:
                shard = self._running.pop(run)
                if _fine(run):
                    self._ready.extend(run.result())
                else:
                    _log.warning("a worker was lost with %d sites: %s", sum(map(len, shard)), _in_short(_error(run)))
                    self._suspects.append((shard, 0))
            yield

    def _one_by_one(self) -> Iterator[None]:
        """Run the suspects, one at a time: whichever loses its worker now has done it itself."""
        while self._suspects:
            shard, tries = self._suspects.popleft()
            sites = [text for group in shard for text in group]
            try:
                self._ready.extend(self._wait_for(shard))
            except Exception as error:  # noqa: BLE001 - whatever the executor makes of a lost worker
                if len(sites) > 1:
                    self._suspects.extendleft((((text,),), 0) for text in reversed(sites))
                elif tries + 1 < TRIES_ALONE:
                    self._suspects.appendleft((shard, tries + 1))
                else:
                    self._ready.extend(lost(text, error) for text in sites)
            yield

    def _submit(self, shard: Shard) -> _Run:
        try:
            return self._executor.submit(run_shard, self._task(shard))
        except (TypeError, AttributeError, PicklingError):  # Dask's answer to what cannot travel
            raise
        except Exception as error:  # noqa: BLE001 - broken, or shut down: each executor has its own word for it
            _log.warning("the executor takes no more work (%s): another goes on", _in_short(error))
        if self._spare is not None:
            self._spare.shutdown(wait=False)
        self._executor = self._spare = spare(self._executor)
        return self._executor.submit(run_shard, self._task(shard))

    def _wait_for(self, shard: Shard) -> list[Finding]:
        run = self._submit(shard)
        self._running[run] = shard
        while not run.done():
            wait([run], timeout=_TICK)  # without a timeout Ctrl-C would not get through on Windows
        del self._running[run]
        return run.result()


def lost(text: str, error: BaseException) -> Finding:
    """Return what became of a site whose worker was lost each time it was asked.

    Args:
        text: the site as it was given.
        error: how the worker was lost.
    """
    return Finding(text=text, discovery=not_asked(text, error), kept=False)


def spare(broken: Executor) -> Executor:
    """Return an executor in the place of one that is broken for good: of its kind, or of threads.

    Args:
        broken: a process pool that lost a worker, or an executor that was shut down.
    """
    workers = getattr(broken, "_max_workers", IN_FLIGHT)
    with suppress(Exception):  # its last threads: a fork beside them would be warned of
        broken.shutdown(wait=True)
    for kind in type(broken).__mro__:
        if kind.__name__ == "ProcessPoolExecutor":  # the standard library's, and loky's
            context = getattr(broken, "_mp_context", None)
            options: dict[str, Any] = {} if context is None else {"mp_context": context}
            return kind(workers, **options)  # type: ignore[no-any-return]
    return ThreadPoolExecutor(workers)


def _in_short(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def _fine(run: _Run) -> bool:
    return run.done() and not run.cancelled() and run.exception() is None


def _error(run: _Run) -> BaseException:
    try:
        return run.exception() or RuntimeError("no error")
    except BaseException as error:  # noqa: BLE001 - a cancelled run
        return error
