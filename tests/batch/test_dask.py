"""A real Dask cluster of two processes."""

from __future__ import annotations

import os
import signal

import pytest
from batch_help import as_set

from sitediscover import discover_many

pytestmark = pytest.mark.slow

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")


@pytest.fixture(scope="module")
def client():
    # Dask's profiler asks sys._current_frames(), which up to Python 3.11 can stop a process for ever (gh-106883).
    with (
        dask.config.set({"distributed.worker.profile.enabled": False}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_dask_finds_what_is_found_one_by_one(many, client):
    web, expected = many
    executor = client.get_executor(pure=False)
    found = list(
        discover_many(
            [one.site for one in expected], executor=executor, session_options={"proxy": web.proxy, "pause": 0}
        )
    )
    assert as_set(found) == as_set(expected)


@pytest.mark.parametrize("pure", [False, True])
def test_a_worker_that_is_killed_in_the_middle_loses_no_site(many, client, pure):
    web, expected = many
    expected = expected[:64]
    answers = discover_many(
        [one.site for one in expected],
        executor=client.get_executor(pure=pure),
        workers=1,
        session_options={"proxy": web.proxy, "pause": 0},
    )
    found = [next(answers)]
    victim = next(iter(client.run(os.getpid).values()))
    os.kill(victim, signal.SIGKILL)
    found += answers
    assert as_set(found) == as_set(expected)
    assert victim not in client.run(os.getpid).values()


def test_a_closed_client_leaves_the_rest_to_threads(many, client):
    web, expected = many
    expected = expected[:16]
    with distributed.Client(client.scheduler.address, set_as_default=False) as closed:
        executor = closed.get_executor(pure=False)
    options = {"proxy": web.proxy, "pause": 0}
    found = list(discover_many([one.site for one in expected], executor=executor, session_options=options))
    assert as_set(found) == as_set(expected)
