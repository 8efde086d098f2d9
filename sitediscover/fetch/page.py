"""What a request brought: values, and a stream over a file."""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any, Self, TypedDict

if TYPE_CHECKING:
    from types import TracebackType

    from sitediscover.errors import FetchError

CHUNK = 65_536
"""Most bytes that a stream yields at once."""

_IN_MEMORY = 2**20
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:+-]+)", re.IGNORECASE | re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")  # not \x80 to \x9f: read as Latin-1, they are parts of UTF-8 letters
_LONGEST_TYPE = 256  # the pattern's time grows with the square of the blanks in it
_PERMANENT = (301, 308)
_NOT_MODIFIED, _BAD_REQUEST, _GONE = 304, 400, 410


class Outcome(TypedDict, total=False):
    """How a request ended, for the ledger."""

    status: int
    size: int
    note: str


class Headers(Mapping[str, str]):
    """The headers of an answer; their names in any case, control characters taken out of their values."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, str]) -> None:
        self._items = {name.lower(): (name, _CONTROL.sub(" ", value)) for name, value in items.items()}

    def __getitem__(self, name: str) -> str:
        return self._items[name.lower()][1]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"Headers({dict(self)!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One redirect on the way to a page.

    Attributes:
        url: the address that was asked.
        status: 301, 302, 303, 307 or 308.
        location: the address it named, absolute and normalised.
    """

    url: str
    status: int
    location: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """An answer without its body.

    Attributes:
        url: the address as asked for, normalised.
        final_url: the address that answered.
        status: the HTTP status.
        headers: their names in any case.
        hops: the redirects on the way.
        conditional: an ETag or a date was sent along.
    """

    url: str
    final_url: str
    status: int
    headers: Mapping[str, str] = field(default_factory=lambda: Headers({}))
    hops: tuple[Hop, ...] = ()
    conditional: bool = False

    @property
    def not_modified(self) -> bool:
        """Say whether what the caller has is still current."""
        return self.status == _NOT_MODIFIED and self.conditional

    @property
    def gone(self) -> bool:
        """Say whether the address is gone for good (410)."""
        return self.status == _GONE

    @property
    def moved(self) -> str | None:
        """Return the address to ask from now on, where every hop was permanent and led to an answer."""
        permanent = self.hops and all(hop.status in _PERMANENT for hop in self.hops)
        return self.final_url if permanent and self.status < _BAD_REQUEST else None

    @property
    def charset(self) -> str | None:
        """Return the charset that Content-Type names."""
        found = _CHARSET.search(self.headers.get("Content-Type", "")[:_LONGEST_TYPE])
        return found[1] if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Head):
    """An answer and its body.

    Attributes:
        body: as received, inflated.
        truncated: there was more, or the answer broke off.
    """

    body: bytes = b""
    truncated: bool = False

    @classmethod
    def of(cls, head: Head, body: bytes, *, truncated: bool) -> Self:
        """Put a body to an answer's head."""
        values: dict[str, Any] = {item.name: getattr(head, item.name) for item in fields(head)}
        return cls(**values, body=body, truncated=truncated)


class Stream:
    """An answer whose body is read in chunks: a context manager, and an iterable that closes itself at its end.

    The body lies in memory, or in a temporary file from 1 MiB on: however slowly it is read, nobody waits at the
    server's door, and the host may be asked other things meanwhile.

    Attributes:
        head: the answer without its body.
        truncated: there was more, or the answer broke off.
        error: why it broke off.
    """

    def __init__(self, head: Head, body: IO[bytes], *, truncated: bool, error: FetchError | None) -> None:
        self.head = head
        self.truncated = truncated
        self.error = error
        self._body = body
        body.seek(0)
        # Also where the stream is dropped half read: nothing else would close the file.
        self._close = weakref.finalize(self, body.close)

    @property
    def url(self) -> str:
        """Return the address as asked for, normalised."""
        return self.head.url

    @property
    def final_url(self) -> str:
        """Return the address that answered."""
        return self.head.final_url

    @property
    def status(self) -> int:
        """Return the HTTP status."""
        return self.head.status

    @property
    def headers(self) -> Mapping[str, str]:
        """Return the headers; their names in any case."""
        return self.head.headers

    @property
    def hops(self) -> tuple[Hop, ...]:
        """Return the redirects on the way."""
        return self.head.hops

    @property
    def not_modified(self) -> bool:
        """Say whether what the caller has is still current."""
        return self.head.not_modified

    @property
    def moved(self) -> str | None:
        """Return the address to ask from now on, where every hop was permanent."""
        return self.head.moved

    @property
    def gone(self) -> bool:
        """Say whether the address is gone for good (410)."""
        return self.head.gone

    @property
    def charset(self) -> str | None:
        """Return the charset that Content-Type names."""
        return self.head.charset

    def __iter__(self) -> Iterator[bytes]:
        try:
            while not self._body.closed and (chunk := self._body.read(CHUNK)):
                yield chunk
        finally:
            self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Drop the body."""
        self._close()


def spool() -> IO[bytes]:
    """Return an empty file that lives in memory up to 1 MiB."""
    return SpooledTemporaryFile(max_size=_IN_MEMORY)
