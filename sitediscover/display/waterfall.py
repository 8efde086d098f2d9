"""The requests as a waterfall: one row each, a bar from its start to the end of its answer, in plain CSS. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitediscover.display.markup import count, duration, fold, left_out, link, size, table, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitediscover.model import Request

MAX_ROWS = 60
"""Requests that are drawn."""

_HEAD = (
    ("step", "", 15),
    ("address", "", 36),
    ("status", "sd-num", 8),
    ("size", "sd-num", 11),
    ("time", "sd-num", 10),
    ("when", "", 20),
)


def total(requests: Sequence[Request]) -> float:
    """Return the seconds that all requests took, waits left out."""
    return sum(request.seconds for request in requests)


def starts(requests: Sequence[Request]) -> list[float]:
    """Return the seconds at which each request started, had none of them waited for its turn."""
    found, at = [], 0.0
    for request in requests:
        found.append(at)
        at += request.seconds
    return found


def group(request: Request) -> str:
    """Return what a request came to: ok, hop (it was sent elsewhere) or fail."""
    if request.status is None or request.status >= 400:  # noqa: PLR2004 - RFC 9110: 4xx and 5xx are errors
        return "fail"
    return "hop" if 300 <= request.status < 400 and request.status != 304 else "ok"  # noqa: PLR2004 - 304 is an answer


def waterfall(requests: Sequence[Request], site: str, *, opened: bool = True) -> str:
    """Return the requests of a search as rows with bars.

    Args:
        requests: in their order.
        site: the origin that goes without saying in addresses.
        opened: they are seen at once.
    """
    whole = total(requests)
    shown = list(zip(requests, starts(requests), strict=True))[:MAX_ROWS]
    rows = table(_HEAD, (_cells(request, site, start, whole) for request, start in shown)) if shown else ""
    title = f"{count(len(requests), 'request')}, one at a time"
    return fold(title, rows + left_out(len(requests) - len(shown), "requests"), opened=opened)


def _cells(request: Request, site: str, start: float, whole: float) -> tuple[str, ...]:
    kind = group(request)
    status = "none" if request.status is None else str(request.status)
    note = f'<br><span class="sd-soft">{text(request.note)}</span>' if request.note else ""
    return (
        text(request.step),
        link(request.url, site=site) + note,
        f'<span class="sd-bad">{status}</span>' if kind == "fail" else status,
        size(request.size),
        duration(request.seconds),
        _bar(start / whole, request.seconds / whole, kind) if whole else "",
    )


def _bar(left: float, width: float, kind: str) -> str:
    place = f"left:{min(left, 0.99):.2%};width:{min(width, 1 - min(left, 0.99)):.2%}"
    return f'<span class="sd-track"><span class="sd-bar sd-{kind}" style="{place}"></span></span>'
