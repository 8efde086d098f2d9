"""Stories of the miniature web: headlines put together from word lists, dated from newest to oldest. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitediscover.model import Article

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, timedelta

# Who, does what, to what. The lists' lengths have no common divisor, so headlines repeat late.
_HEADLINES = {
    "en": (
        ("Harbour board", "City council", "Night ferry crew", "Chess federation", "Lighthouse trust", "Tram drivers"),
        ("approves", "questions", "postpones", "celebrates", "rebuilds", "abandons", "reopens"),
        ("the old swing bridge", "a floating library", "its winter timetable", "a kelp farm", "the tidal clock"),
    ),
    "ja": (
        ("港湾局が", "市議会が", "灯台の会が", "将棋連盟が", "渡し船組合が", "路面電車が"),
        ("古い橋の", "移動図書館の", "冬の時刻表の", "海藻畑の", "潮時計の", "夜市の", "水上庭園の"),
        ("再開を決定", "延期を発表", "見直しへ", "記念行事を開催", "調査を開始"),
    ),
}


def headline(number: int, language: str = "en") -> str:
    """Return a headline, the same for the same number.

    Args:
        number: which one.
        language: en or ja.
    """
    words = (choices[number % len(choices)] for choices in _HEADLINES[language])
    return ("" if language == "ja" else " ").join(words)


def slug(number: int) -> str:
    """Return an English headline as it stands in an address.

    Args:
        number: which one.
    """
    return headline(number).lower().replace(" ", "-")


def stories(
    count: int, newest: datetime, span: timedelta, url: Callable[[int, datetime], str], language: str = "en"
) -> list[Article]:
    """Return stories spread evenly over a span of time, newest first.

    Args:
        count: how many.
        newest: where the span ends.
        span: how far back it reaches; every story lies inside it.
        url: gives a story's address from its number (0 is the newest) and its date.
        language: en or ja.
    """
    dates = [(newest - span * (number + 0.5) / count).replace(microsecond=0) for number in range(count)]
    return [
        Article(
            url=url(number, date),
            title=headline(number, language),
            published=date,
            modified=date,
            language=language,
        )
        for number, date in enumerate(dates)
    ]
