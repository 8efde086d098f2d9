"""What one site has cost: every request in order, and how many are left."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from sitediscover.errors import BudgetSpent
from sitediscover.model import Request

if TYPE_CHECKING:
    from typing import Unpack

    from sitediscover.fetch.page import Outcome

UNDER_WAY = "under way"

_log = logging.getLogger("sitediscover.fetch")


class Ledger:
    """One site's account; safe on threads.

    Args:
        max_requests: how many may be made.
    """

    def __init__(self, max_requests: int) -> None:
        self._lock = threading.Lock()
        self._requests: list[Request] = []
        self._max = max_requests
        self._spent = 0

    @property
    def requests(self) -> tuple[Request, ...]:
        """Return what was asked, in order; the note of one that has not ended is `under way`."""
        with self._lock:
            return tuple(self._requests)

    @property
    def spent(self) -> int:
        """Return how many requests were made."""
        return self._spent

    @property
    def remaining(self) -> int:
        """Return how many more may be made."""
        return max(0, self._max - self._spent)

    def require(self, url: str) -> None:
        """Make sure that one more request may be made.

        Raises:
            BudgetSpent: none may.
        """
        if not self.remaining:
            raise BudgetSpent(url, f"all {self._max} requests are used up")

    def open(self, step: str, url: str, *, free: bool = False) -> int:
        """Count a request, before it is sent.

        Args:
            step: what it is made for.
            url: the address.
            free: it costs the site nothing: a cache will answer.

        Returns:
            Its number, for `close`.

        Raises:
            BudgetSpent: none may be made.
        """
        with self._lock:
            if not free:
                self.require(url)
                self._spent += 1
            self._requests.append(Request(step=step, url=url, note=UNDER_WAY))
            return len(self._requests) - 1

    def close(self, number: int, seconds: float, **outcome: Unpack[Outcome]) -> None:
        """Fill in how a request ended; a second time changes nothing.

        Args:
            number: what `open` gave.
            seconds: from sending it to the end of the answer.
            outcome: status, size, note.
        """
        with self._lock:
            if self._requests[number].note != UNDER_WAY:
                return
            ended = self._requests[number] = replace(self._requests[number], seconds=seconds, **outcome)
        told = " ".join(filter(None, (str(ended.status or ""), ended.note)))
        _log.info("%s: %s: %s, %d bytes, %.2f s", ended.step, ended.url, told, ended.size, ended.seconds)
