"""When to ask again: intervals, hints, failures, validators."""

from __future__ import annotations

import pytest

from sitediscover.errors import DeadlineExceeded, NoConnection, RateLimited, RobotsDisallow, RobotsUnreachable
from sitediscover.watch.schedule import (
    DAY,
    HOUR,
    MINUTE,
    back_off,
    cache_hint,
    hinted,
    jittered,
    known_share,
    next_interval,
    rest_asked,
    usable_date,
)
from sitediscover.watch.verdict import Answer, Trouble, judge_answer

NOW = 1_767_225_600.0  # Thu, 01 Jan 2026 00:00:00 GMT


@pytest.mark.parametrize(
    "listed, new, growing, share",
    [
        (20, 14, False, 0.3),
        (20, 0, False, 1.0),
        (500, 15, False, 0.5),
        (900, 1, True, 0.5),
        (900, 9, True, 0.0),
        (0, 0, False, 1.0),
    ],
)
def test_what_is_known_is_told_by_the_newest_entries(listed, new, growing, share):
    assert known_share(listed, new, growing=growing) == pytest.approx(share)


@pytest.mark.parametrize(
    "share, gap, expected",
    [(0.2, False, 30), (0.5, False, 60), (0.9, False, 72), (0.0, True, 15), (1 / 3, False, 60), (2 / 3, False, 60)],
)
def test_an_interval_follows_what_was_known(share, gap, expected):
    assert next_interval(HOUR, share, gap=gap) == pytest.approx(expected * MINUTE)


def test_an_interval_stays_between_a_quarter_of_an_hour_and_a_day():
    assert next_interval(16 * MINUTE, 0.0, gap=True) == 15 * MINUTE
    assert next_interval(23 * HOUR, 1.0, gap=False) == DAY


def test_a_hint_lengthens_unless_the_reading_says_sooner():
    assert hinted(HOUR, 0.9, 3 * HOUR) == 3 * HOUR
    assert hinted(HOUR, 0.1, 3 * HOUR) == HOUR
    assert hinted(HOUR, 0.9, 60.0) == HOUR
    assert hinted(HOUR, 0.9, 365 * DAY) == DAY


@pytest.mark.parametrize(
    "headers, hint",
    [
        ({"Cache-Control": "public, max-age=600"}, 600),
        ({"Cache-Control": "s-maxage=9, max-age=600", "Age": "100"}, 500),
        ({"Expires": "Thu, 01 Jan 2026 01:00:00 GMT"}, 3600),
        ({"Expires": "0"}, None),
        ({"Cache-Control": "no-store"}, None),
        ({}, None),
    ],
)
def test_freshness_is_read_from_the_headers(headers, hint):
    assert cache_hint(headers, NOW) == hint


@pytest.mark.parametrize(
    "text, seconds",
    [
        ("120", 120),
        ("Thu, 01 Jan 2026 12:00:00 GMT", 12 * HOUR),
        ("259200", 3 * DAY),
        ("9" * 40, 30 * DAY),
        ("soon", None),
    ],
)
def test_retry_after_is_obeyed_in_full(text, seconds):
    assert rest_asked({"Retry-After": text}, NOW) == seconds


@pytest.mark.parametrize(
    "text, usable",
    [
        ("Wed, 31 Dec 2025 10:00:00 GMT", True),
        ("Thu, 01 Jan 2037 00:00:00 GMT", False),
        ("Thu, 01 Jan 1970 00:00:00 GMT", False),
        ("yesterday", False),
        (None, False),
    ],
)
def test_an_absurd_last_modified_is_not_sent_back(text, usable):
    assert usable_date(text, NOW) is usable


def test_failures_back_off_to_a_day_and_after_thirty_to_a_month_but_never_further():
    assert back_off(HOUR, 0.25) == pytest.approx(HOUR * 2**0.25)
    assert back_off(HOUR, 3) == 8 * HOUR
    assert back_off(HOUR, 29) == DAY
    assert back_off(HOUR, 30) == 2 * DAY
    assert back_off(HOUR, 1e9) == 30 * DAY


def test_jitter_is_small_and_the_same_twice():
    drawn = [jittered(HOUR, number, NOW) for number in range(200)]
    assert all(0.95 * HOUR <= each <= 1.05 * HOUR for each in drawn)
    assert len(set(drawn)) > 190
    assert jittered(HOUR, 3, NOW) == jittered(HOUR, 3, NOW)


URL = "https://a.example/feed"


@pytest.mark.parametrize(
    "answer, trouble",
    [
        (Answer(status=200), Trouble.NONE),
        (Answer(status=304, not_modified=True), Trouble.NONE),
        (Answer(status=304), Trouble.ABSENT),
        (Answer(status=404), Trouble.ABSENT),
        (Answer(status=410), Trouble.GONE),
        (Answer(status=403), Trouble.REFUSED),
        (Answer(status=500), Trouble.BROKEN),
        (Answer(status=503), Trouble.PASSING),
        (Answer(status=599), Trouble.BROKEN),
        (Answer(error=NoConnection(URL)), Trouble.PASSING),
        (Answer(error=DeadlineExceeded(URL)), Trouble.PASSING),
        (Answer(error=RobotsUnreachable(URL)), Trouble.BROKEN),
        (Answer(error=RobotsDisallow(URL)), Trouble.REFUSED),
    ],
)
def test_an_answer_is_judged_by_its_error_or_status(answer, trouble):
    assert judge_answer(answer, NOW).trouble is trouble


def test_a_429_rests_the_host_also_where_it_names_no_time():
    assert judge_answer(Answer(status=429), NOW).rest == 60
    assert judge_answer(Answer(status=429, headers={"Retry-After": "7200"}), NOW).rest == 7200
    assert judge_answer(Answer(error=RateLimited(URL, "429", 33.0)), NOW).rest == 33
