"""The time that one call may take on the wire: all its hops, retries and robots.txt files together.

Waiting for our turn at a host does not count: that is our own doing. A thread ends what hangs by shutting down a copy
of the socket: it is the one thing that ends a slow drip of headers, of a body, of chunks and of a TLS handshake alike.
"""

from __future__ import annotations

import errno
import socket
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from sitediscover.errors import DeadlineExceeded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitediscover.fetch.pace import Clock

_CURRENT = threading.local()


class Flight:
    """One call's time.

    Args:
        clock: what the time is asked of.
        deadline: seconds.
        allow_private: connect to private addresses too.

    Attributes:
        url: what is being asked now.
        limit: most bytes of body that are taken now.
    """

    def __init__(self, clock: Clock, deadline: float, *, allow_private: bool = False) -> None:
        self._clock = clock
        self._ends_at = clock.monotonic() + deadline
        self._deadline = deadline
        self._lock = threading.Lock()
        self._copy: socket.socket | None = None
        self._timer: threading.Timer | None = None
        self._ended = False
        self.allow_private = allow_private
        self.url = ""
        self.limit = 0

    @property
    def remaining(self) -> float:
        """Return the seconds that are left."""
        return 0.0 if self._ended else max(0.0, self._ends_at - self._clock.monotonic())

    def check(self, url: str) -> None:
        """Make sure that time is left.

        Raises:
            DeadlineExceeded: none is.
        """
        if not self.remaining:
            raise self.exceeded(url)

    def exceeded(self, url: str) -> DeadlineExceeded:
        """Return the error that says so."""
        return DeadlineExceeded(url, f"no end within {self._deadline:g} s")

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Leave out of the count what happens inside."""
        started = self._clock.monotonic()
        try:
            yield
        finally:
            self._ends_at += self._clock.monotonic() - started

    @contextmanager
    def asking(self, url: str, limit: int) -> Iterator[None]:
        """Be the flight that new connections of this thread ask for their time.

        Args:
            url: what is asked.
            limit: most bytes of body that are taken.
        """
        self.url, self.limit = url, limit
        outer, _CURRENT.flight = current_flight(), self
        try:
            yield
        finally:
            _CURRENT.flight = outer
            self._land()

    def watch(self, connection: socket.socket) -> None:
        """End a connection when the time is over.

        Args:
            connection: the socket, or a TLS socket over it.

        Raises:
            DeadlineExceeded: it is over already.
        """
        with self._lock:
            if self._copy is not None:
                return
            self.check(self.url)
            self._copy = socket.socket(fileno=socket.dup(connection.fileno()))
            timer = threading.Timer(self.remaining, self._end)
            timer.daemon = True
            try:
                timer.start()
            except RuntimeError as error:  # no more threads: a fault of the machine, like no more sockets
                raise OSError(errno.EAGAIN, str(error)) from error
            self._timer = timer

    def _end(self) -> None:
        with self._lock:
            if self._copy is not None:
                self._ended = True
                with suppress(OSError):
                    self._copy.shutdown(socket.SHUT_RDWR)

    def _land(self) -> None:
        with self._lock:
            timer, copy = self._timer, self._copy
            self._timer = self._copy = None
        if copy is not None:
            copy.close()
        if timer is not None:
            timer.cancel()
            timer.join()


def current_flight() -> Flight | None:
    """Return the flight that this thread is on, or None."""
    return getattr(_CURRENT, "flight", None)
