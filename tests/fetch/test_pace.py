from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.fetch.pace import LONGEST_COOLING, Lanes, Line, SystemClock, retry_after
from sitediscover.testing import FakeClock

NOW = 1_767_225_600.0  # Thu, 01 Jan 2026 00:00:00 GMT
URL = "https://news.example/"


def nothing():
    return None


@pytest.fixture
def clock():
    return FakeClock(NOW)


@pytest.fixture
def lanes(clock):
    return Lanes(clock)


def take_turn(lanes, url=URL, gap=1.0, during=nothing):
    with lanes.lane(url) as lane, lane.turn(gap, nothing):
        during()


def test_first_request_waits_for_nothing(lanes, clock):
    take_turn(lanes)
    assert clock.slept == []


def test_pause_runs_from_the_end_of_one_answer_to_the_start_of_the_next(lanes, clock):
    take_turn(lanes, during=lambda: clock.advance(7))
    clock.advance(0.25)
    take_turn(lanes)
    assert clock.slept == [0.75]


def test_pause_that_is_over_is_not_waited_for(lanes, clock):
    take_turn(lanes)
    clock.advance(1.5)
    take_turn(lanes)
    assert clock.slept == []


def test_http_and_https_and_the_web_ports_of_a_host_stand_in_one_queue(lanes, clock):
    take_turn(lanes, "https://news.example/")
    take_turn(lanes, "http://news.example/")
    take_turn(lanes, "http://news.example:443/")
    assert clock.slept == [1.0, 1.0]


def test_hosts_and_other_ports_do_not_wait_for_each_other(lanes, clock):
    take_turn(lanes, "https://news.example/")
    take_turn(lanes, "https://www.news.example/")
    take_turn(lanes, "http://news.example:8000/")
    assert clock.slept == []


def test_host_that_cools_is_waited_for(lanes, clock):
    with lanes.lane(URL) as lane:
        lane.cool(5)
        lane.cool(2)
        assert lane.cooling() == 5
    take_turn(lanes)
    assert clock.slept == [5.0]


def test_address_that_rests_does_not_hold_up_its_host(lanes, clock):
    with lanes.lane(URL) as lane:
        lane.rest(URL, 50)
        assert lane.resting(URL) == 50
        assert lane.resting(URL + "other") == 0
        clock.advance(51)
        assert lane.resting(URL) == 0
        lane.rest(URL + "other", 1)
        assert lane.cooling() == 0
    take_turn(lanes)
    assert clock.slept == []


def test_check_that_raises_costs_no_pause_and_passes_the_turn_on(lanes, clock):
    def refuse():
        raise LookupError

    take_turn(lanes)
    clock.advance(0.5)
    with lanes.lane(URL) as lane, pytest.raises(LookupError), lane.turn(1.0, refuse):
        pass
    assert clock.slept == []
    take_turn(lanes)
    assert clock.slept == [0.5]


def test_interrupted_pause_passes_the_turn_on(clock):
    class Interrupted(FakeClock):
        def sleep(self, seconds):
            raise KeyboardInterrupt

    lanes = Lanes(Interrupted())
    take_turn(lanes)
    with pytest.raises(KeyboardInterrupt):
        take_turn(lanes)
    with pytest.raises(KeyboardInterrupt):  # it got its turn: the lane is not held
        take_turn(lanes)


def test_first_come_first_served(lanes):
    order, threads = [], []
    release = threading.Event()

    def stand(number):
        take_turn(lanes, gap=0, during=lambda: order.append(number))

    with lanes.lane(URL) as lane, lane.turn(0, nothing):
        for number in range(8):
            threads.append(threading.Thread(target=stand, args=(number,)))
            threads[-1].start()
            while len(lane._line._tickets) <= number + 1:
                release.wait(0.001)
    for thread in threads:
        thread.join(5)
    assert order == list(range(8))


def test_one_who_gives_up_in_the_queue_holds_nobody_up(lanes, monkeypatch):
    done = threading.Event()
    with lanes.lane(URL) as lane:
        with lane.turn(0, nothing):
            lane._line._tickets[0].owner = 0  # another thread's
            monkeypatch.setattr(
                threading.Event, "wait", lambda self, timeout=None: (_ for _ in ()).throw(KeyboardInterrupt)
            )
            with pytest.raises(KeyboardInterrupt), lane.turn(0, nothing):
                pass
            monkeypatch.undo()
            assert len(lane._line._tickets) == 1
        with lane.turn(0, nothing):
            done.set()
    assert done.is_set()


def test_one_who_gives_up_just_as_the_turn_comes_passes_it_on(lanes, monkeypatch):
    with lanes.lane(URL) as lane:
        first = lane.turn(0, nothing)
        first.__enter__()
        lane._line._tickets[0].owner = 0  # another thread's

        def interrupted(event, timeout=None):
            first.__exit__(None, None, None)  # the turn comes, and Ctrl-C at once
            raise KeyboardInterrupt

        monkeypatch.setattr(threading.Event, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt), lane.turn(0, nothing):
            pass
        monkeypatch.undo()
        with lane.turn(0, nothing):
            assert len(lane._line._tickets) == 1
        assert not lane._line._tickets


def test_place_left_behind_by_an_interrupted_call_holds_nobody_up(lanes):
    with lanes.lane(URL) as lane:
        left_behind = lane.turn(0, nothing)
        left_behind.__enter__()  # Ctrl-C came before it could leave
        waiting = threading.Thread(target=take_turn, args=(lanes,), kwargs={"gap": 0})
        waiting.start()
        take_turn(lanes, gap=0)
        waiting.join(5)
        assert not waiting.is_alive()
        left_behind.__exit__(None, None, None)
        assert not lane._line._tickets


def test_interrupted_leaving_leaves_all_the_same(lanes, monkeypatch):
    leave = Line._leave

    def interrupted(line, ticket):
        monkeypatch.undo()
        raise KeyboardInterrupt

    with lanes.lane(URL) as lane:
        monkeypatch.setattr(Line, "_leave", interrupted)
        with pytest.raises(KeyboardInterrupt), lane.turn(0, nothing):
            pass
        assert Line._leave is leave
        assert not lane._line._tickets


def test_lanes_of_hosts_long_gone_are_dropped(lanes, clock, monkeypatch):
    monkeypatch.setattr("sitediscover.fetch.pace._KEPT_LANES", 3)
    for number in range(3):
        take_turn(lanes, f"https://{number}.example/")
    clock.advance(3600)
    with lanes.lane("https://0.example/") as held:
        take_turn(lanes, "https://new.example/")
        assert set(lanes._lanes) == {"0.example", "new.example"}
        assert lanes._lanes["0.example"] is held


@pytest.mark.parametrize(
    "header,seconds",
    [
        (None, None),
        ("", None),
        ("0", 0),
        ("120", 120),
        (" 5 ", 5),
        ("-5", None),
        ("soon", None),
        ("1.5", None),
        ("\u0665", None),
        ("99999999", LONGEST_COOLING),
        ("9" * 5000, LONGEST_COOLING),
        ("Thu, 01 Jan 2026 00:02:00 GMT", 120),
        ("Thu, 01 Jan 2026 00:02:00", 120),
        ("Thursday, 01-Jan-26 00:02:00 GMT", 120),
        ("Wed, 31 Dec 2025 00:00:00 GMT", 0),
        ("Wed, 21 Oct 2037 07:28:00 GMT", LONGEST_COOLING),
        ("Thu, 01 Jan 0001 00:00:00 GMT", 0),
        ("Thu, 99 Jan 2026 00:02:00 GMT", None),
        ("Thu, 01 Jan 99999 00:02:00 GMT", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(header, seconds):
    assert retry_after(header, NOW) == seconds


@given(st.text(max_size=100))
def test_no_retry_after_raises_or_is_out_of_bounds(text):
    found = retry_after(text, NOW)
    assert found is None or 0 <= found <= LONGEST_COOLING


def test_system_clock_is_the_systems():
    clock = SystemClock()
    assert abs(clock.time() - time.time()) < 5
    before = clock.monotonic()
    clock.sleep(0.001)
    assert clock.monotonic() >= before + 0.001
