"""Many sites: read, grouped, asked, and answered as they finish."""

from __future__ import annotations

import pickle
import threading
from contextlib import ExitStack
from itertools import count
from typing import TYPE_CHECKING, Protocol, TypedDict, Unpack

from sitediscover.batch.checkpoint import Checkpoint
from sitediscover.batch.executors import Shards
from sitediscover.batch.findings import not_asked
from sitediscover.batch.groups import Groups, shards
from sitediscover.batch.progress import bar
from sitediscover.batch.threads import Threads
from sitediscover.batch.worker import StopFile, Task, new_discoverer, new_session
from sitediscover.strategies import registry

if TYPE_CHECKING:
    import os
    from collections import Counter
    from collections.abc import Iterable, Iterator, Mapping
    from concurrent.futures import Executor

    from sitediscover.batch.findings import Finding
    from sitediscover.batch.groups import Group
    from sitediscover.discoverer import Order, StrategyLike
    from sitediscover.fetch import PoliteSession
    from sitediscover.model import Discovery


class DiscovererOptions(TypedDict, total=False):
    """What `discover_many` passes on to each Discoverer."""

    strategies: Iterable[StrategyLike] | None
    session: PoliteSession | None
    order: Order
    thorough: bool


class _Run(Protocol):
    """A way to ask groups of sites."""

    def __iter__(self) -> Iterator[Finding]: ...
    def close(self) -> list[Finding]: ...


def discover_many(
    sites: Iterable[str],
    *,
    executor: Executor | None = None,
    workers: int = 32,
    progress: bool = False,
    resume: str | os.PathLike[str] | None = None,
    session_options: Mapping[str, object] | None = None,
    **discoverer_options: Unpack[DiscovererOptions],
) -> Iterator[Discovery]:
    """Find how many sites can be followed, and yield each answer as it is known.

    Every site that is given gets one Discovery, also one that cannot be asked: its outcome is `stopped`, its stop
    `unreachable`, and the reason stands among its failures. One that is given twice is asked once and yielded twice.
    Sites of one registrable domain are asked one after another. The input is read whole before the first request; a
    million texts take about 120 MB besides themselves, the answers are not kept.

    Args:
        sites: hosts, or URLs of the sites.
        executor: where shards of sites run, any `concurrent.futures.Executor`; None for threads of this process.
        workers: how many sites are asked at once, in this process or in each process of the executor.
        progress: show a bar on stderr, where that is a terminal.
        resume: a checkpoint in JSON Lines; sites that it holds are yielded from it, every new answer is added to it.
        session_options: the keyword arguments of the PoliteSession that each process builds; plain data, where the
            executor's workers are processes.
        discoverer_options: `strategies`, `order` and `thorough`, as Discoverer takes them; `session`, without an
            executor, in the place of `session_options`.

    Raises:
        TypeError: an option that there is none; sites that are one text.
        ValueError: an option that makes no sense.
        UnknownStrategy: a name that no strategy is registered under.
        MissingPackage: progress is asked for, and tqdm is not installed.
        Exception: a programming error in a custom strategy, once the other sites are done.
    """
    if isinstance(sites, str | bytes):
        raise TypeError("sites is an iterable of texts, not one text")
    if workers < 1:
        raise ValueError(f"workers is a whole number, at least 1, not {workers!r:.80}")
    session = discoverer_options.pop("session", None)
    if session is not None and (executor is not None or session_options is not None):
        raise ValueError("session goes with threads only, and without session_options: workers build their own")
    batch = _Batch(workers, dict(session_options or {}), _portable(discoverer_options), session)
    batch.check()
    return batch.run(sites, executor, resume, progress=progress)


def _portable(options: DiscovererOptions) -> dict[str, object]:
    """Return options as they can travel: a name that is registered in this process may be unknown in another."""
    given = options.get("strategies")
    if given is None:
        return {**options}
    return {**options, "strategies": [_resolved(each) if isinstance(each, str) else each for each in given]}


def _resolved(name: str) -> StrategyLike:
    strategy = registry.get(name)
    try:
        pickle.dumps(strategy)
    except Exception:  # noqa: BLE001 - __reduce__ is anybody's code
        return name
    return strategy


class _Batch:
    def __init__(
        self, workers: int, session: dict[str, object], discoverer: dict[str, object], shared: PoliteSession | None
    ) -> None:
        self._workers = workers
        self._session = session
        self._discoverer = discoverer
        self._shared = shared
        self._closed = threading.Event()
        self._repeated: dict[str, int] = {}
        self._errors: list[BaseException] = []
        self._numbers = count()

    def check(self) -> None:
        """Raise what is wrong with the options here and now, not with the first result."""
        session = self._shared or new_session(self._session, self._closed.is_set)
        new_discoverer(self._discoverer, session)
        if self._shared is None:
            session.close()

    def run(
        self,
        sites: Iterable[str],
        executor: Executor | None,
        resume: str | os.PathLike[str] | None,
        *,
        progress: bool,
    ) -> Iterator[Discovery]:
        groups = Groups(sites)
        with ExitStack() as stack:
            counter = stack.enter_context(bar(groups.total, wanted=progress))
            checkpoint = None if resume is None else stack.enter_context(Checkpoint(resume))
            for discovery in self._answers(groups, executor, checkpoint):
                counter.update()
                yield discovery
        self._raise_errors()

    def _answers(self, groups: Groups, executor: Executor | None, checkpoint: Checkpoint | None) -> Iterator[Discovery]:
        for given, error in groups.rejected:
            yield not_asked(given, error)
        for text, discovery in checkpoint.read() if checkpoint is not None else ():
            for _ in range(groups.take(text)):
                yield discovery
        run = self._started(groups, executor)
        try:
            for finding in run:
                self._keep(finding, checkpoint)
                for _ in range(self._repeated.pop(finding.text, 1) if finding.discovery else 0):
                    assert finding.discovery is not None  # noqa: S101 - tells mypy
                    yield finding.discovery
        finally:
            self._closed.set()
            for finding in run.close():
                self._keep(finding, checkpoint)

    def _keep(self, finding: Finding, checkpoint: Checkpoint | None) -> None:
        if finding.error is not None:
            self._errors.append(finding.error)
        elif finding.discovery is not None and finding.kept and checkpoint is not None:
            checkpoint.write(finding.text, finding.discovery)

    def _started(self, groups: Groups, executor: Executor | None) -> _Run:
        if executor is not None:
            stop = StopFile.new()
            packed = shards(self._counted(groups.groups()), len(groups))
            run = Shards(packed, executor, lambda shard: self._task(shard, stop))
            run.probe()
            return run
        session = self._shared or new_session(self._session, self._closed.is_set)
        discoverer = new_discoverer(self._discoverer, session)
        return Threads(self._counted(groups.groups()), discoverer, self._workers, self._closed.is_set)

    def _task(self, shard: tuple[Group, ...], stop: StopFile) -> Task:
        return Task(
            shard=shard,
            workers=self._workers,
            session=self._session,
            discoverer=self._discoverer,
            stop=stop,
            number=next(self._numbers),
        )

    def _counted(self, groups: Iterator[Counter[str]]) -> Iterator[Group]:
        for group in groups:
            self._repeated |= {text: times for text, times in group.items() if times > 1}
            yield tuple(group)

    def _raise_errors(self) -> None:
        if not self._errors:
            return
        first, *others = self._errors
        if others:
            first.add_note(f"and {len(others)} more ended with an error")
        raise first
