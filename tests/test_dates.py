"""Dates as sites write them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.dates import MAX_DATE, parse_date
from sitediscover.model import Precision

TEN = datetime(2021, 3, 9, 10, 20, 30, tzinfo=UTC)


def hours(number):
    return timezone(timedelta(hours=number))


@pytest.mark.parametrize(
    "text,at,precision",
    [
        ("2021", datetime(2021, 1, 1, tzinfo=UTC), Precision.YEAR),
        ("2021-03", datetime(2021, 3, 1, tzinfo=UTC), Precision.MONTH),
        ("2021-03-09", datetime(2021, 3, 9, tzinfo=UTC), Precision.DAY),
        ("2021-03-09T10:20", datetime(2021, 3, 9, 10, 20, tzinfo=UTC), Precision.SECOND),
        ("2021-03-09T10:20:30", TEN, Precision.SECOND),
        ("20210309", datetime(2021, 3, 9, tzinfo=UTC), Precision.DAY),
        ("2021-W10-2", datetime(2021, 3, 9, tzinfo=UTC), Precision.DAY),
        ("2021-068", datetime(2021, 3, 9, tzinfo=UTC), Precision.DAY),
        ("9 Mar 2021", datetime(2021, 3, 9, tzinfo=UTC), Precision.DAY),
        ("March 9, 2021", datetime(2021, 3, 9, tzinfo=UTC), Precision.DAY),
        ("Tue Mar 09 2021", datetime(2021, 3, 9, tzinfo=UTC), Precision.DAY),
    ],
)
def test_what_is_told_is_the_precision_and_the_rest_is_the_start_of_it(text, at, precision):
    moment = parse_date(text)
    assert (moment.at, moment.precision, moment.zone_known) == (at, precision, False)


@pytest.mark.parametrize(
    "text",
    [
        "2021-03-09T10:20:30Z",
        "2021-03-09T10:20:30z",
        "2021-03-09t10:20:30Z",
        "2021-03-09 10:20:30Z",
        "2021-03-09T10:20:30+00:00",
        "2021-03-09T10:20:30+0000",
        "2021-03-09T10:20:30+00",
        "2021-03-09T10:20:30 +00:00",
        "2021-03-09 10:20:30 +0000",
        "2021-03-09 10:20:30 UTC",
        "2021-03-09T10:20:30 GMT+00:00",
        "2021-3-9T10:20:30Z",
        "2021/03/09 10:20:30 GMT",
        "2021-03-09T10:20:30.0000000Z",
        "20210309T102030Z",
        "  2021-03-09T10:20:30Z\n\t",
        "\u00a02021-03-09T10:20:30Z\u3000",
        "Tue, 09 Mar 2021 10:20:30 GMT",
        "Tue, 9 Mar 2021 10:20:30 UT",
        "Tuesday, 09-Mar-21 10:20:30 GMT",
        "tue, 09 mar 2021 10:20:30 gmt",
        "09 March 2021 10:20:30 +0000",
        "9 Mar 21 10:20:30 Z",
        "Mon, 09 Mar 2021 10:20:30 GMT",
        "Tue, 09 Mar 2021 10:20:30 +0000 (no comment)",
        "Tue Mar 09 10:20:30 UTC 2021",
        "Tue Mar  9 10:20:30 GMT 2021",
        "Tue,09 Mar 2021 10:20:30 GMT",
        "Tue, 09 Mar, 2021 10:20:30 Etc/GMT",
        "09 Mar 2021 12:20:30 MEST",
        "March 9, 2021 10:20:30 UTC",
        "Tue, Mar 9, 2021, 10:20:30 GMT",
        "Tue Mar 09 2021 10:20:30 GMT+0000 (Coordinated Universal Time)",
        "2021-03-09T10:20:30Z[UTC]",
        "2021-03-09T11:20:30+01:00[Europe/Paris][u-ca=iso8601]",
        "1615285230",
        "1615285230000",
        "1615285230.0",
    ],
)
def test_one_instant_is_read_from_each_of_its_spellings(text):
    moment = parse_date(text)
    assert (moment.at, moment.precision, moment.zone_known) == (TEN, Precision.SECOND, True)


@pytest.mark.parametrize(
    "text,zone",
    [
        ("2021-03-09T10:20:30-03:30", timezone(-timedelta(hours=3, minutes=30))),
        ("2021-03-09T10:20:30+0530", timezone(timedelta(hours=5, minutes=30))),
        ("2021-03-09 10:20:30 +9", hours(9)),
        ("2021-03-09 10:20:30 JST", hours(9)),
        ("9 Mar 2021 10:20:30 EST", hours(-5)),
        ("9 Mar 2021 10:20:30 PDT", hours(-7)),
        ("9 Mar 2021 10:20:30 -0800 (PST)", hours(-8)),
        ("2021-03-09+01:00", hours(1)),
    ],
)
def test_the_zone_that_is_told_is_kept(text, zone):
    moment = parse_date(text)
    assert moment.at.utcoffset() == zone.utcoffset(None)
    assert moment.at.replace(tzinfo=None).date() == TEN.date()
    assert moment.zone_known


@pytest.mark.parametrize(
    "text", ["9 Mar 2021 10:20:30 IST", "9 Mar 2021 10:20:30 ET", "9 Mar 2021 10:20:30 K", "Tue Mar  9 10:20:30 2021"]
)
def test_utc_is_assumed_and_said_to_be_where_a_zone_is_missing_or_could_be_several(text):
    moment = parse_date(text)
    assert (moment.at, moment.zone_known) == (TEN, False)


@pytest.mark.parametrize("digits,microsecond", [("5", 500_000), ("123456", 123_456), ("123456789", 123_456)])
@pytest.mark.parametrize("form", ["2021-03-09T10:20:30.{}Z", "2021-3-9 10:20:30.{}Z", "2021-03-09T10:20:30,{} +0000"])
def test_fractions_of_a_second_may_have_any_length(form, digits, microsecond):
    assert parse_date(form.format(digits)).at == TEN.replace(microsecond=microsecond)


@pytest.mark.parametrize("text,year", [("9 Mar 00", 2000), ("9 Mar 49", 2049), ("9 Mar 50", 1950), ("9 Mar 99", 1999)])
def test_two_digit_years_are_read_as_rfc_5322_reads_them(text, year):
    assert parse_date(text).at.year == year


@pytest.mark.parametrize(
    "text",
    ["2021-03-09T24:00:00Z", "2021-03-09 24:00", "20210309T240000", "2021-03-09T24:00:00.0", "9 Mar 2021 24:00:00 GMT"],
)
def test_the_hour_24_ends_a_day(text):
    assert parse_date(text).at == datetime(2021, 3, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    ["2016-12-31T23:59:60Z", "2016-12-31 23:59:60", "Sat, 31 Dec 2016 23:59:60 GMT", "2017-01-01T05:29:60+05:30"],
)
def test_a_leap_second_is_the_start_of_what_follows(text):
    assert parse_date(text).at == datetime(2017, 1, 1, tzinfo=UTC)


def test_thirteen_digits_are_milliseconds_and_never_a_year():
    assert parse_date("1615285230250").at == TEN.replace(microsecond=250_000)


@pytest.mark.parametrize(
    "text",
    [
        *("03/04/2021", "3.4.2021", "04-03-2021", "03/04/21"),
        *("9 mars 2021", "9. März 2021", "9 avril 2021", "mar, 09 may. 2021", "2021年3月9日", "hier", "yesterday"),
        *("2021-02-30", "2021-13-01", "2021-00-00", "32 Mar 2021", "30 Feb 2021 10:00:00 GMT", "2021-366"),
        *("2016-12-31T23:59:61Z", "2016-12-31T23:58:60Z", "2021-03-09T10:20:60", "9999-12-31T23:59:60Z"),
        *(
            "mars 9, 2021",
            "Mar 9, 21",
            "March 32, 2021",
            "March 9, 2021 10:20 PM",
            "2021-03-09-01",
            "2021-03-09T10:20:30[UTC]",
        ),
        *("2021-03-09T25:00:00", "2021-3-9 10:61", "2021-03-09T24:00:01Z", "2021-03-09T10:20:30+25:00"),
        *("0000", "0000-01-01", "0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00", "9999-12-31T24:00:00"),
        *("2021-03-09 10:20:30 PM", "2021-03-09x10:20", "2021-03-09T", "2021-W10", "10:20", "20210309102030"),
        *("", " ", "0", "-1615285230", "16152852300", "16152852300000000", "nan", "2021-03-09T10:20:30Z, or so"),
        *("\uff12\uff10\uff12\uff11", "\u0662\u0660\u0662\u0661-\u0660\u0663-\u0660\u0669", "2021\x00"),
    ],
)
def test_what_means_two_things_or_nothing_is_no_date(text):
    assert parse_date(text) is None


@pytest.mark.parametrize("value", [None, 1615285230, b"2021-03-09", TEN])
def test_what_is_no_text_is_no_date(value):
    assert parse_date(value) is None


def test_a_text_that_is_too_long_is_not_read():
    padded = "Tue, 09 Mar 2021 10:20:30 GMT (" + "x" * 32 + ")"
    assert len(padded) == MAX_DATE
    assert parse_date(padded).at == TEN
    assert parse_date(padded[:-1] + "x)") is None


def test_nothing_is_filled_in_from_today():
    for year in (1996, 2096):
        assert parse_date(str(year)).at == datetime(year, 1, 1, tzinfo=UTC)


# Fixed offsets: where a clock is put back, a zone's hour stands for two instants and equals neither (PEP 495).
_ZONES = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
_DATES = st.datetimes(timezones=_ZONES)


@given(_DATES.filter(lambda at: 1 < at.year < 9999))
def test_what_datetime_writes_is_read_back(at):
    assert parse_date(at.isoformat()).at == at
    assert parse_date(at.isoformat(" ", "seconds")).at == at.replace(microsecond=0)


@given(st.text() | st.from_regex(r"[0-9TZ:+./ \-JanMonGMT]{1,40}", fullmatch=True) | st.integers().map(str))
def test_no_text_makes_it_raise_and_every_date_can_be_compared(text):
    moment = parse_date(text)
    if moment is not None:
        assert (moment.at <= TEN) in (True, False)
        assert moment.at.astimezone(UTC) == moment.at


@given(_DATES, st.data())
def test_a_damaged_date_never_raises(at, data):
    text = at.strftime("%a, %d %b %Y %H:%M:%S %z")
    cut = data.draw(st.integers(0, len(text)))
    parse_date(text[:cut] + data.draw(st.text(max_size=3)) + text[cut + 1 :])
