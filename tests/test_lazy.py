"""A property that is worked out once, and never keeps another object waiting."""

from __future__ import annotations

import threading

import pytest

from sitediscover.lazy import lazy_property


class Thing:
    def __init__(self, work):
        self.work = work

    @lazy_property
    def value(self):
        """Return what the work gives."""
        return self.work()


def test_it_is_worked_out_once():
    worked = []
    thing = Thing(lambda: worked.append(1) or 7)
    assert [thing.value, thing.value, worked] == [7, 7, [1]]


def test_an_error_is_not_kept():
    answers = iter([KeyError(), 7])

    def work():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    thing = Thing(work)
    with pytest.raises(KeyError):
        _ = thing.value
    assert thing.value == 7


def test_objects_do_not_wait_for_each_other():
    both = threading.Barrier(2, timeout=10)
    threads = [threading.Thread(target=lambda: Thing(both.wait).value) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not both.broken


def test_it_can_be_documented():
    assert Thing.value.__doc__ == "Return what the work gives."
