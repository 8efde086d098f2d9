"""What an answer means for a source: in order, unchanged, or which kind of trouble. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import TYPE_CHECKING

from sitediscover.errors import (
    BlockedAddress,
    BudgetSpent,
    CrawlDelayTooLong,
    DeadlineExceeded,
    FetchError,
    NoConnection,
    RateLimited,
    RobotsDisallow,
    RobotsUnreachable,
    TlsFailure,
    TooManyRedirects,
    UnsupportedUrl,
)
from sitediscover.fetch.pace import DEFAULT_COOLING
from sitediscover.watch.schedule import rest_asked

if TYPE_CHECKING:
    from collections.abc import Mapping


class Trouble(StrEnum):
    """What kind of trouble it is; beside it stands what it counts for."""

    NONE = "none"
    PASSING = "passing"  # the network, or a server with too much to do
    BROKEN = "broken"  # something is wrong there, and may be mended
    REFUSED = "refused"
    ABSENT = "absent"
    GONE = "gone"
    NOT_ITSELF = "not_itself"  # an answer, but not what the source is


# rss-fetcher counts soft failures by a quarter to a half and hard ones whole; the least a source may have is a doubling
# of its interval after one hard failure, or four lost connections.
WEIGHT = {
    Trouble.NONE: 0.0,
    Trouble.PASSING: 0.25,
    Trouble.BROKEN: 0.5,
    Trouble.REFUSED: 1.0,
    Trouble.ABSENT: 1.0,
    Trouble.GONE: 1.0,
    Trouble.NOT_ITSELF: 1.0,
}

# The first class that fits decides.
_BY_ERROR: tuple[tuple[type[FetchError], Trouble], ...] = (
    (RobotsDisallow, Trouble.REFUSED),
    (CrawlDelayTooLong, Trouble.REFUSED),
    (BlockedAddress, Trouble.REFUSED),
    (UnsupportedUrl, Trouble.ABSENT),
    (TooManyRedirects, Trouble.ABSENT),
    (RobotsUnreachable, Trouble.BROKEN),
    (TlsFailure, Trouble.BROKEN),
    (RateLimited, Trouble.PASSING),
    (NoConnection, Trouble.PASSING),
    (DeadlineExceeded, Trouble.PASSING),
    (BudgetSpent, Trouble.PASSING),
    (FetchError, Trouble.PASSING),
)

_BY_STATUS = {
    HTTPStatus.UNAUTHORIZED: Trouble.REFUSED,
    HTTPStatus.PAYMENT_REQUIRED: Trouble.REFUSED,
    HTTPStatus.FORBIDDEN: Trouble.REFUSED,
    HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS: Trouble.REFUSED,
    HTTPStatus.GONE: Trouble.GONE,
    HTTPStatus.REQUEST_TIMEOUT: Trouble.PASSING,
    HTTPStatus.TOO_EARLY: Trouble.PASSING,
    HTTPStatus.TOO_MANY_REQUESTS: Trouble.PASSING,
    HTTPStatus.BAD_GATEWAY: Trouble.PASSING,
    HTTPStatus.SERVICE_UNAVAILABLE: Trouble.PASSING,
    HTTPStatus.GATEWAY_TIMEOUT: Trouble.PASSING,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of asking a source.

    Attributes:
        status: the HTTP status; None where no answer came.
        url: the address that answered.
        headers: its headers.
        body: its body.
        truncated: the body ended before its end.
        moved: every redirect on the way was permanent: where they led to.
        not_modified: what we have is still current.
        error: why no answer came.
        requests: what it cost.
    """

    status: int | None = None
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    truncated: bool = False
    moved: str | None = None
    not_modified: bool = False
    error: FetchError | None = None
    requests: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What an answer means.

    Attributes:
        trouble: which kind.
        note: in words.
        rest: seconds that the host asked to be left alone.
    """

    trouble: Trouble
    note: str = ""
    rest: float = 0.0


def judge_answer(answer: Answer, now: float) -> Verdict:
    """Judge an answer by its error or status; whether a 200 is what it should be, its reader tells.

    Args:
        answer: what came.
        now: seconds since 1970.
    """
    if answer.error is not None:
        error = answer.error
        trouble = next(trouble for kind, trouble in _BY_ERROR if isinstance(error, kind))
        rest = (error.retry_after or DEFAULT_COOLING) if isinstance(error, RateLimited) else 0.0
        return Verdict(trouble=trouble, note=f"{type(error).__name__}: {error.detail}"[:200], rest=rest)
    status = answer.status or 0
    if answer.not_modified or status == HTTPStatus.OK:
        return Verdict(trouble=Trouble.NONE)
    rest = 0.0
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        least = DEFAULT_COOLING if status == HTTPStatus.TOO_MANY_REQUESTS else 0.0
        rest = rest_asked(answer.headers, now) or least
    broken = Trouble.BROKEN if status >= HTTPStatus.INTERNAL_SERVER_ERROR else Trouble.ABSENT
    return Verdict(
        trouble=_BY_STATUS.get(HTTPStatus(status), broken) if status in _STATUSES else broken,
        note=f"HTTP {status}",
        rest=rest,
    )


_STATUSES = frozenset(HTTPStatus)
