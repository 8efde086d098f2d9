"""Many sites: one Discovery each, whatever happens, as they finish."""

from __future__ import annotations

import sys
import threading
import time

import pytest
from batch_help import as_set, fake, sites_of
from batch_strategies import Faulty

from sitediscover import Outcome, PoliteSession, StopReason, discover_many, register, registry
from sitediscover.batch.threads import Abandoned, StoppableClock
from sitediscover.errors import MissingPackage, UnknownStrategy
from sitediscover.testing import FakeWeb


@pytest.mark.slow
def test_threads_find_what_is_found_one_by_one(many):
    web, expected = many
    found = discover_many((one.site for one in expected), session_options={"proxy": web.proxy, "pause": 0}, workers=32)
    assert as_set(found) == as_set(expected)


def test_answers_come_as_they_finish():
    gate = threading.Event()

    def wait(_):
        gate.wait(10)
        return "late"

    web = FakeWeb({"https://slow.example": {"/": wait}, "https://fast.example": {"/": "here"}})
    answers = discover_many(["slow.example", "fast.example"], session=web.session())
    assert next(answers).site == "https://fast.example"
    gate.set()
    assert [found.site for found in answers] == ["https://slow.example"]


def test_sites_are_asked_in_the_order_of_the_input():
    names = [f"{n}.example" for n in range(9)]
    assert [found.site for found in discover_many(names, session=fake(*names).session(), workers=1)] == [
        f"https://{name}" for name in names
    ]


def test_sites_of_one_registrable_domain_are_never_asked_at_once():
    lock, at_once = threading.Lock(), []

    def alone(_):
        at_once.append(lock.acquire(blocking=False))
        time.sleep(0.01)
        if at_once[-1]:
            lock.release()
        return "here"

    names = [f"{name}.paper.example" for name in ("www", "news", "sport", "shop")]
    web = FakeWeb({f"https://{name}": {"*": alone} for name in names})
    assert len(list(discover_many(names, session=web.session(), workers=4))) == 4
    assert len(at_once) >= 8
    assert all(at_once)


def test_a_site_that_is_given_twice_is_asked_once_and_answered_twice():
    web = fake("a.example", "b.example")
    found = list(discover_many(["a.example", "b.example", "a.example", "a.example"], session=web.session()))
    assert sites_of(found) == ["a.example"] * 3 + ["b.example"]
    assert len(set(map(repr, found))) == 2
    assert sum(call.url == "https://a.example/" for call in web.calls) == 1


def test_two_spellings_of_one_site_are_two_questions():
    web = fake("a.example")
    assert len(list(discover_many(["a.example", "https://a.example/blog"], session=web.session()))) == 2
    assert sum(call.url == "https://a.example/" for call in web.calls) == 2


@pytest.mark.parametrize(
    "given", ["", "mailto:a@b.example", "https://user:pass@a.example", "http://[::1", "a b", None, 7]
)
def test_what_cannot_name_a_site_gets_a_discovery_that_says_so(given):
    found, other = discover_many([given, "a.example"], session=fake("a.example").session())
    assert found.outcome is Outcome.STOPPED
    assert found.stopped.reason is StopReason.UNREACHABLE
    assert found.failures[0].error.startswith("InvalidSite: ")
    assert found.requests == ()
    assert found.site == (given if isinstance(given, str) else repr(given))
    assert other.site == "https://a.example"


def test_a_site_that_does_not_answer_gets_its_discovery_like_any_other():
    found = {
        each.site: each for each in discover_many(["gone.example", "a.example"], session=fake("a.example").session())
    }
    assert found["http://gone.example"].stopped.reason is StopReason.UNREACHABLE
    assert found["https://a.example"].outcome is Outcome.NOTHING


def test_no_sites_no_answers():
    assert list(discover_many([])) == []


def test_a_programming_error_is_raised_after_the_other_sites_are_done():
    names = ["faulty.example", "a.example", "b.example", "keyword.example"]
    answers = discover_many(names, session=fake(*names).session(), strategies=[Faulty()], workers=1)
    assert [next(answers).site, next(answers).site] == ["https://a.example", "https://b.example"]
    with pytest.raises(ZeroDivisionError) as raised:
        next(answers)
    note, others = raised.value.__notes__
    assert "faulty.example" in note
    assert "1 / 0" in note, "the traceback of the worker"
    assert others == "and 1 more ended with an error"


def test_an_exit_in_a_strategy_ends_nothing_early():
    names = ["exit.example", "a.example"]
    answers = discover_many(names, session=fake(*names).session(), strategies=[Faulty()])
    assert next(answers).site == "https://a.example"
    with pytest.raises(SystemExit):
        next(answers)


def test_an_error_that_cannot_travel_is_told_in_words():
    answers = discover_many(["keyword.example"], session=fake("keyword.example").session(), strategies=[Faulty()])
    with pytest.raises(RuntimeError, match="KeywordOnlyError: 7"):
        list(answers)


@pytest.mark.parametrize(
    "options, error",
    [
        ({"strategies": ["no-such"]}, UnknownStrategy),
        ({"order": "random"}, ValueError),
        ({"workers": 0}, ValueError),
        ({"session_options": {"pause": -1}}, ValueError),
        ({"session_options": {"speed": 1}}, TypeError),
        ({"color": "red"}, TypeError),
        ({"session": PoliteSession(), "session_options": {"pause": 0}}, ValueError),
    ],
)
def test_wrong_options_are_refused_at_once(options, error):
    with pytest.raises(error):
        discover_many(["a.example"], **options)


def test_one_text_is_no_list_of_sites():
    with pytest.raises(TypeError, match="one text"):
        discover_many("a.example")


def test_a_strategy_is_taken_by_its_registered_name():
    register("batch-none", lambda _: ())
    try:
        found = list(discover_many(["a.example"], session=fake("a.example").session(), strategies=["batch-none"]))
    finally:
        registry.unregister("batch-none")
    assert [len(each.requests) for each in found] == [2]


def test_a_reader_that_leaves_early_stops_the_asking():
    names = [f"{n}.example" for n in range(200)]
    web = fake(*names)
    answers = discover_many(names, session=web.session(), workers=2)
    next(answers)
    answers.close()
    for thread in threading.enumerate():
        if thread.name.startswith("sitediscover-"):
            thread.join(10)
            assert not thread.is_alive()
    assert len({call.url.split("/")[2] for call in web.calls}) < 20


def test_a_slow_reader_slows_the_asking_down():
    names = [f"{n}.example" for n in range(60)]
    web = fake(*names)
    answers = discover_many(names, session=web.session(), workers=2)
    next(answers)
    time.sleep(0.5)
    assert len({call.url.split("/")[2] for call in web.calls}) < 20
    assert len(list(answers)) == 59


def test_waiting_ends_with_the_batch():
    # With a pause of an hour the second request of each site is never made.
    answers = discover_many(
        ["http://127.0.0.1:9/", "a b"], session_options={"pause": 3600, "allow_private": True, "timeout": 1}
    )
    started = time.monotonic()
    assert next(answers).site == "a b"
    answers.close()
    assert time.monotonic() - started < 3


def test_progress_needs_a_terminal(capsys):
    assert len(list(discover_many(["a.example"], session=fake("a.example").session(), progress=True))) == 1
    assert capsys.readouterr() == ("", "")


def test_progress_is_shown_on_the_terminals_stderr(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    names = ["a.example", "b.example", "a.example", "a b"]
    assert len(list(discover_many(names, session=fake(*names[:2]).session(), progress=True))) == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert "4/4" in err


def test_progress_without_tqdm_says_what_to_install(monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with pytest.raises(MissingPackage, match=r"sitediscover\[progress\]"):
        list(discover_many(["a.example"], progress=True))


def test_a_pause_is_slept_to_its_end():
    started = time.monotonic()
    StoppableClock(lambda: False).sleep(0.3)
    assert time.monotonic() - started >= 0.3


def test_a_pause_ends_with_the_batch():
    with pytest.raises(Abandoned):
        StoppableClock(lambda: True).sleep(3600)


def test_a_stop_in_the_middle_of_a_site_leaves_no_answer():
    def abandon(_):
        raise Abandoned

    names = ["a.example", "b.example"]
    assert list(discover_many(names, session=fake(*names).session(), strategies=[abandon], workers=1)) == []
