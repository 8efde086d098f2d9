"""Dates as sites write them: an aware datetime, how much of it was told, and whether a zone was. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

from sitediscover.model import Precision

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DATE = 64
"""Longest text taken for a date, in characters: parsers of dates take 0.2 s on 40 KB of junk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A date that was read.

    Attributes:
        at: when; aware, at the start of what was told (2014 is 2014-01-01T00:00 UTC).
        precision: how much of it was told.
        zone_known: False where UTC was assumed.
    """

    at: datetime
    precision: Precision
    zone_known: bool


# The months of RFC 5322 (3.3), and their whole English names: not calendar's, which speak the locale's language.
_NAMES = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTHS = {name: number for number, whole in enumerate(_NAMES, 1) for name in (whole, whole[:3])} | {"sept": 9}
# Hours east of UTC: the names of RFC 822 (5.1), then those in use that mean one thing only (IST means three).
# Any other name, a single letter too, counts as not told, as RFC 5322 (4.3) wants it.
_ZONES = {"Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6}
_ZONES |= {"PST": -8, "PDT": -7, "WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "MET": 1, "MEST": 2, "EET": 2, "EEST": 3}
_ZONES |= {"MSK": 3, "JST": 9, "KST": 9}
_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d\d?):?(\d\d)?", re.ASCII | re.IGNORECASE)

# Zone names other than UTC's are capitals: a date with PM or Uhr after it is not read.
_ZONE = r"(?:Etc/)?(?P<zone>(?:UTC|GMT)?[+-]\d\d?:?(?:\d\d)?|UTC?|GMT|Z|(?-i:(?![AP]M)[A-Z]{2,5}))"
_CLOCK = r"(?P<hour>\d\d?):(?P<minute>\d\d?)(?::(?P<second>\d\d?)(?:[.,](?P<fraction>\d+))?)?"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?(?:,\s*|\s+))?"
# W3C-DTF (sitemaps.org) as it is found: one-digit parts, slashes, a space for T, any zone. A year first is the only
# order of numbers that means one thing: 03/04/2024 is not read. Right behind a day an offset needs its minutes, as in
# XML Schema: 2024-05-03-01 is a number. Behind an offset Java names the zone in brackets, as RFC 9557 lets it.
_W3C = (
    r"(?P<year>\d{4})(?:(?P<mark>[-/])(?P<month>\d\d?)(?:(?P=mark)(?P<day>\d\d?)"
    rf"(?:(?:\s*T\s*|\s+){_CLOCK}|(?![+-]\d\d?\Z))(?:\s*{_ZONE}(?:\[[^\[\]]+\])*)?)?)?"
)
# RFC 822, RFC 5322 and RFC 850: `Fri, 05 Jan 2024 10:00:00 GMT`, `Friday, 05-Jan-24 10:00:00 GMT`.
_RFC822 = (
    rf"{_WEEKDAY}(?P<day>\d\d?)[\s-]+(?P<month>[a-z]{{3,9}})\.?,?[\s-]+(?P<year>\d{{4}}|\d\d)"
    rf"(?:,?\s+{_CLOCK}(?:\s*(?:{_ZONE}|[A-Z]))?(?:\s*\([^()]*\))?)?"
)
# asctime, the third form of RFC 9110 (5.6.7), with the zone that `date` and Java put before the year.
_ASCTIME = rf"{_WEEKDAY}(?P<month>[a-z]{{3,9}})\s+(?P<day>\d\d?)\s+{_CLOCK}(?:\s+{_ZONE})?\s+(?P<year>\d{{4}})"
# `January 5, 2024`, and what JavaScript's Date makes of itself: `Fri Jan 05 2024 10:00:00 GMT+0000 (...)`.
_MONTH_FIRST = (
    rf"{_WEEKDAY}(?P<month>[a-z]{{3,9}})\.?\s+(?P<day>\d\d?),?\s+(?P<year>\d{{4}})"
    rf"(?:,?\s+{_CLOCK}(?:\s*{_ZONE})?(?:\s*\([^()]*\))?)?"
)
# The groups have the same names in each, so one function builds the date from any of them.
_PATTERNS = tuple(re.compile(form, re.ASCII | re.IGNORECASE) for form in (_W3C, _RFC822, _ASCTIME, _MONTH_FIRST))
# Ten digits are seconds from 2001 to 2286, nine from 1973; thirteen are the milliseconds of a Java or JavaScript clock.
_EPOCH = re.compile(r"(?P<seconds>\d{9,10})(?:\.\d+)?|(?P<milliseconds>\d{13})", re.ASCII)
# What else ISO 8601 has: compact dates, weeks and ordinal dates.
_RARE = re.compile(r"\d{4}(?:\d{4}|-?W\d\d-?\d|-\d{3})(?P<time>T.+)?", re.ASCII)


def parse_date(text: str | None) -> Moment | None:
    """Read a date as sites write it; what is not told is never filled in from today.

    Read are W3C-DTF whole or in part (2014, 2014-07), ISO 8601, RFC 822 with its successors, and seconds or
    milliseconds since 1970. Dates that can mean two things (03/04/2024), words of other languages and impossible
    dates are not.

    Args:
        text: at most 64 characters, white space around them aside.

    Returns:
        The date, UTC where no zone was told; None where it cannot be read or is out of datetime's range.
    """
    if not isinstance(text, str):
        return None
    text = text.strip()
    if len(text) > MAX_DATE:
        return None
    for attempt in _ATTEMPTS:
        try:
            moment = attempt(text)
        except (ValueError, OverflowError):
            continue
        if moment is not None:
            return moment
    return None


def _iso(text: str) -> Moment | None:
    # fromisoformat takes any character between date and time, digits too: 1712010112345 would be a date in 1712.
    if text[4:5] != "-" or text[7:8] != "-" or text[10:11] not in ("", "T", " "):
        return None
    return _moment(datetime.fromisoformat(text), Precision.SECOND if len(text) > 10 else Precision.DAY)  # noqa: PLR2004


def _epoch(text: str) -> Moment | None:
    found = _EPOCH.fullmatch(text)
    if not found:
        return None
    seconds = float(text) if found["seconds"] else int(text) / 1000
    return _moment(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds), Precision.SECOND)


def _written(text: str) -> Moment | None:
    for pattern in _PATTERNS:
        found = pattern.fullmatch(text)
        if found:
            return _built(found.groupdict())
    return None


def _rare(text: str) -> Moment | None:
    found = _RARE.fullmatch(text)
    if not found:
        return None
    from dateutil.parser import isoparse  # noqa: PLC0415 - 15 ms of start-up, needed by few dates

    return _moment(isoparse(text), Precision.SECOND if found["time"] else Precision.DAY)


# By cost: fromisoformat takes 0.3 us, the patterns about 9, isoparse 16. dateutil's free parser (110 us) guesses, and
# fills gaps from today: it is never asked.
_ATTEMPTS: tuple[Callable[[str], Moment | None], ...] = (_iso, _epoch, _written, _rare)


_LEVELS = (
    ("hour", Precision.SECOND),
    ("day", Precision.DAY),
    ("month", Precision.MONTH),
    ("year", Precision.YEAR),
)


def _built(part: dict[str, str | None]) -> Moment:
    precision = next(level for name, level in _LEVELS if part[name])
    hour, minute, second = (int(part[name] or 0) for name in ("hour", "minute", "second"))
    fraction = int((part["fraction"] or "0")[:6].ljust(6, "0"))
    ends_day, leaps = (hour, minute, second, fraction) == _END_OF_DAY, second == _LEAP
    at = datetime(
        _year(part["year"] or ""),
        _month(part["month"] or "1"),
        int(part["day"] or 1),
        0 if ends_day else hour,
        minute,
        _LEAP - 1 if leaps else second,
        fraction,
        tzinfo=_zone(part["zone"] or ""),
    )
    if leaps and _aware(at).astimezone(UTC).strftime("%H:%M") != "23:59":
        raise ValueError("a leap second ends a day of UTC")
    return _moment(at + timedelta(days=ends_day, seconds=leaps), precision)


_END_OF_DAY, _LEAP = (24, 0, 0, 0), 60
"""ISO 8601 may call midnight the end of a day, and a leap second the 60th (RFC 3339, 5.7): each is what comes next."""


def _year(digits: str) -> int:
    # RFC 5322, 4.3: 00 to 49 are this century, 50 to 99 the last.
    year = int(digits)
    return year if len(digits) > 2 else year + (2000 if year < 50 else 1900)  # noqa: PLR2004


def _month(word: str) -> int:
    return int(word) if word.isdigit() else _MONTHS.get(word.lower(), 0)


def _zone(name: str) -> timezone | None:
    numeric = _OFFSET.fullmatch(name)
    if numeric:
        sign, hours, minutes = numeric.groups()
        offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
        return timezone(-offset if sign == "-" else offset)
    known = _ZONES.get(name.upper())
    return None if known is None else timezone(timedelta(hours=known))


def _moment(at: datetime, precision: Precision) -> Moment:
    aware = _aware(at)
    aware.astimezone(
        UTC
    )  # raises OverflowError where the offset leads out of datetime's years, as any comparison would
    return Moment(at=aware, precision=precision, zone_known=at.tzinfo is not None)


def _aware(at: datetime) -> datetime:
    return at if at.tzinfo else at.replace(tzinfo=UTC)
