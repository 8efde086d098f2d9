"""Any executor gives what threads give, and a worker that is lost loses no site."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from batch_help import as_set, nothing_at, sites_of
from batch_strategies import Deadly, OnlyHere

from sitediscover import Outcome, StopReason, discover_many
from sitediscover.batch import worker
from sitediscover.batch.executors import spare
from sitediscover.batch.worker import StopFile, Task, forget, run_shard
from sitediscover.demo.server import serve

pytestmark = pytest.mark.slow


def pool(workers=2):
    """Return a process pool of fresh processes: a fork beside the server's threads would be warned of."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


def options(web, **more):
    return {"session_options": {"proxy": web.proxy, "pause": 0}, **more}


@pytest.fixture
def markers(monkeypatch, tmp_path):
    """Let strategies in worker processes remember what they have done."""
    monkeypatch.setenv("SITEDISCOVER_MARKERS", str(tmp_path))


@pytest.fixture(scope="module")
def plain():
    """Sites over plain http, whatever their name."""
    names = [f"{n}.example" for n in range(12)] + [
        "deadly.example",
        "once.example",
        "faulty.example",
        "deadly.paper.example",
        "www.paper.example",
    ]
    with serve({url.replace("https", "http"): paths for url, paths in nothing_at(*names).items()}) as served:
        yield served, [f"http://{name}" for name in names]


def test_a_process_pool_finds_what_is_found_one_by_one(many):
    web, expected = many
    with pool() as executor:
        found = list(discover_many([one.site for one in expected], executor=executor, **options(web)))
    assert as_set(found) == as_set(expected)


def test_a_worker_that_is_killed_loses_no_site(many):
    web, expected = many
    expected = expected[:64]
    with pool() as executor:
        answers = discover_many([one.site for one in expected], executor=executor, **options(web, workers=2))
        found = [next(answers)]
        os.kill(next(iter(executor._processes)), signal.SIGKILL)
        found += answers
    assert as_set(found) == as_set(expected)


def test_a_site_that_kills_its_worker_costs_itself_only(plain, markers, tmp_path):
    web, names = plain
    path = tmp_path / "found.jsonl"
    with pool() as executor:
        found = list(discover_many(names, executor=executor, resume=path, **options(web, strategies=[Deadly()])))
    assert sorted(each.site for each in found) == sorted(names)
    killed = [each for each in found if each.outcome is Outcome.STOPPED]
    assert sites_of(killed) == ["http://deadly.example", "http://deadly.paper.example"]
    assert {each.stopped.reason for each in killed} == {StopReason.UNREACHABLE}
    assert all("BrokenProcessPool" in each.failures[0].error for each in killed)
    assert len(path.read_text().splitlines()) == len(names) - 2, "they are tried again by the next run"


def test_an_executor_that_was_shut_down_is_replaced(plain):
    web, names = plain
    executor = pool()
    executor.shutdown()
    assert len(list(discover_many(names[:3], executor=executor, **options(web)))) == 3


def test_threads_of_an_executor_do_as_well(plain):
    web, names = plain
    with ThreadPoolExecutor(3) as executor:
        found = list(discover_many(names, executor=executor, **options(web)))
    assert sorted(each.site for each in found) == sorted(names)


def test_loky_does_as_well(plain, markers):
    loky = pytest.importorskip("loky")
    web, names = plain
    names = [name for name in names if "deadly" not in name]
    executor = loky.ProcessPoolExecutor(2)
    try:
        found = list(discover_many(names, executor=executor, **options(web, strategies=["batch_strategies:Deadly"])))
    finally:
        executor.shutdown(wait=True, kill_workers=True)
    assert sorted(each.site for each in found) == sorted(names)
    assert {each.outcome for each in found} == {Outcome.NOTHING}


@pytest.mark.parametrize(
    "given, error",
    [({"strategies": [lambda _: ()]}, "lambda"), ({"strategies": [OnlyHere()]}, "process pool")],
)
def test_what_workers_cannot_have_is_told_at_once(plain, given, error):
    web, names = plain
    with pool() as executor, pytest.raises(Exception, match=error):
        next(discover_many(names, executor=executor, **options(web, **given)))


def test_an_error_in_a_strategy_comes_back_from_the_worker(plain):
    web, _ = plain
    with pool() as executor:
        answers = discover_many(
            ["http://faulty.example", "http://1.example"],
            executor=executor,
            session_options={"proxy": web.proxy, "pause": 0},
            strategies=["batch_strategies:Faulty"],
        )
        found = []
        with pytest.raises(ZeroDivisionError) as raised:
            found.extend(answers)
    assert sites_of(found) == ["http://1.example"]
    assert "batch_strategies.py" in raised.value.__notes__[0]


class Immediate(Executor):
    """Runs what it is given at once; tasks whose number is listed are lost in some way instead."""

    def __init__(self, losses):
        self.losses = losses
        self.given = 0

    def submit(self, function, /, *args, **more):
        future = Future()
        loss = self.losses.get(self.given)
        self.given += 1
        if loss is None:
            future.set_result(function(*args, **more))
        elif loss is Future.cancel:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_exception(loss("lost"))
        return future


@pytest.mark.parametrize("loss", [BrokenExecutor, OSError, KeyboardInterrupt, Future.cancel])
def test_a_shard_that_is_lost_is_asked_again(plain, loss):
    web, names = plain
    executor = Immediate(dict.fromkeys((1, 3, 4), loss))  # 0 is the probe
    found = list(discover_many(names, executor=executor, **options(web)))
    assert sorted(each.site for each in found) == sorted(names)
    assert {each.outcome for each in found} == {Outcome.NOTHING}


def test_a_broken_probe_is_repeated_once(plain):
    web, names = plain
    assert len(list(discover_many(names[:2], executor=Immediate({0: BrokenExecutor}), **options(web)))) == 2
    with pytest.raises(BrokenExecutor):
        list(discover_many(names[:2], executor=Immediate({0: BrokenExecutor, 1: BrokenExecutor}), **options(web)))


def test_a_reader_that_leaves_early_stops_the_workers(plain, tmp_path):
    web, names = plain
    path = tmp_path / "found.jsonl"
    with ThreadPoolExecutor(1) as executor:
        # A pause of an hour: but for the stop sign the executor would never end.
        answers = discover_many(
            [names[0], "a b"], executor=executor, resume=path, session_options={"proxy": web.proxy, "pause": 3600}
        )
        assert next(answers).site == "a b"
        thread = executor.submit(lambda: None)
        thread.result()
        started = time.monotonic()
        answers.close()
    assert time.monotonic() - started < 3


def test_the_spare_of_an_unknown_executor_is_threads():
    with spare(Immediate({})) as found:
        assert isinstance(found, ThreadPoolExecutor)


def test_the_spare_of_a_process_pool_is_its_like():
    with pool(3) as broken, spare(broken) as found:
        assert found._max_workers == 3
        assert found._mp_context is broken._mp_context


def test_a_stop_sign_is_seen_by_all_who_know_its_path():
    sign = StopFile.new()
    assert not sign.is_set()
    sign.set()
    assert StopFile(sign.path).is_set()
    Path(sign.path).unlink()


def test_a_process_keeps_the_sessions_of_a_few_batches_only():
    def probe():
        stop = StopFile.new()
        run_shard(Task(shard=(), workers=1, session={}, discoverer={}, stop=stop, number=0))
        return stop

    stops = [probe() for _ in range(6)]
    assert [stop.path in worker._discoverers for stop in stops] == [False, False, True, True, True, True]
    for stop in stops:
        forget(stop)
    assert not any(stop.path in worker._discoverers for stop in stops)
