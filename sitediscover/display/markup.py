"""HTML from what others wrote: escaped, cut to a bearable length, links to http(s) only. Pure."""

from __future__ import annotations

import re
from datetime import UTC
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitediscover.display.style import SCOPE, STYLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

MAX_TEXT = 400
"""Characters of a text that are shown."""

# Control characters and lone surrogates: no browser shows them, and the latter cannot even be sent to one.
_UNSHOWABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_UNLINKABLE = re.compile(rf"\s|{_UNSHOWABLE.pattern}")
_SPANS = (("d", 86_400.0), ("h", 3_600.0), ("min", 60.0), ("s", 1.0), ("ms", 0.001))
_SIZES = ("B", "kB", "MB", "GB")


def text(value: object) -> str:
    """Return a text as HTML that cannot turn the text around it, whichever way it is written.

    Args:
        value: what somebody wrote; an enum is shown with spaces.
    """
    whole = str(value)
    shown = whole if len(whole) <= MAX_TEXT else f"{whole[: MAX_TEXT - 1]}\u2026"
    return f"<bdi>{escape(_UNSHOWABLE.sub(chr(0xFFFD), shown))}</bdi>"


def words(name: str) -> str:
    """Return a name of our own (an enum's value) as words."""
    return escape(name.replace("_", " "))


def link(url: str, label: str | None = None, *, site: str = "") -> str:
    """Return a link that tells its target nothing; a text where it is no address of the web.

    Args:
        url: where it leads.
        label: what it reads; where there is none the address, without its `https://`.
        site: an origin that goes without saying.
    """
    if label is None:
        own = bool(site) and url.startswith(f"{site}/")
        label = url.removeprefix(site) if own else url.removeprefix("https://")
    shown = text(label)
    if not _is_web(url):
        return shown
    return f'<a href="{escape(url)}" target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer">{shown}</a>'


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and _UNLINKABLE.search(url) is None


def count(number: int, noun: str) -> str:
    """Return a number with its noun, whose plural ends in s: 1 request, 1,200 requests."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """Return a time span in its fitting unit.

    Args:
        seconds: 0 or more.
    """
    unit, length = next(((name, length) for name, length in _SPANS if seconds >= length), ("s", 0.0))
    if not length:
        return "0 s" if seconds <= 0 else "< 1 ms"
    number = seconds / length
    return f"{number:.1f} {unit}" if number < 10 and unit != "ms" else f"{number:.0f} {unit}"  # noqa: PLR2004 - two digits


def size(number: float) -> str:
    """Return a number of bytes in its fitting unit, with powers of 1,000."""
    unit = 0
    while number >= 1_000 and unit < len(_SIZES) - 1:  # noqa: PLR2004 - a kilobyte
        number /= 1_000
        unit += 1
    return f"{number:.1f} {_SIZES[unit]}" if unit and number < 10 else f"{number:.0f} {_SIZES[unit]}"  # noqa: PLR2004


def moment(at: datetime | None) -> str:
    """Return a time in UTC, to the minute, without saying so; nothing where there is none."""
    if at is None:
        return ""
    try:
        return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"
    except OverflowError:  # the first or the last day that Python knows, in another zone
        return text(at.isoformat())


def listing(parts: Iterable[str], kind: str = "") -> str:
    """Return a list.

    Args:
        parts: its items, as HTML.
        kind: its class.
    """
    return f'<ul class="{kind}">{"".join(f"<li>{part}</li>" for part in parts)}</ul>'


def table(head: Sequence[tuple[str, str, int]], rows: Iterable[Sequence[str]]) -> str:
    """Return a table.

    Args:
        head: the name, class and width (percent) of each column.
        rows: their cells, as HTML.
    """
    classes = [kind for _, kind, _ in head]
    columns = "".join(f'<col style="width:{width}%">' for _, _, width in head)
    names = "".join(f'<th scope="col" class="{kind}">{name}</th>' for name, kind, _ in head)
    body = "".join(_row(row, classes) for row in rows)
    return f"<table><colgroup>{columns}</colgroup><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"


def _row(cells: Iterable[str], classes: Iterable[str]) -> str:
    row = "".join(f'<td class="{kind}">{cell}</td>' for cell, kind in zip(cells, classes, strict=True))
    return f"<tr>{row}</tr>"


def fold(title: str, body: str, *, opened: bool = False) -> str:
    """Return something that opens at a click.

    Args:
        title: what it reads while closed, as HTML.
        body: what is inside, as HTML; nothing is returned where it is empty.
        opened: it is open from the start.
    """
    return f"<details{' open' if opened else ''}><summary>{title}</summary>{body}</details>" if body else ""


def left_out(number: int, where: str) -> str:
    """Say how many of something are not shown, and where they are; nothing where all are."""
    return f'<p class="sd-soft">{number:,} more in {escape(where)}</p>' if number > 0 else ""


def card(*parts: str) -> str:
    """Return what a notebook shows: the parts in one box, with its style."""
    return f'{STYLE}<div class="{SCOPE}">{"".join(parts)}</div>'
