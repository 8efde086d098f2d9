"""What a batch has done so far, in a file: JSON Lines, one Discovery a line, with the site as it was given."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Self

from sitediscover.errors import InvalidData
from sitediscover.model import Discovery

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

_log = logging.getLogger(__name__)

KEY = "input"
"""The key of the site as it was given; the rest of a line is what `Discovery.to_dict` gives."""


class Checkpoint:
    """A checkpoint that is open for more; a context manager.

    Args:
        path: the file; made where there is none.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        # Unbuffered: a line is one write, and an interrupt comes before or after it.
        self._file = self._path.open("ab", buffering=0)
        _cut_torn_line(self._path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def read(self) -> Iterator[tuple[str, Discovery]]:
        """Yield what the file holds: the sites as they were given, and their answers.

        A line that cannot be read is passed over, and logged: its site will be asked again.
        """
        with self._path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    given, discovery = _read(line)
                except (ValueError, RecursionError) as error:
                    _log.warning("%s, line %d is passed over: %.200s", self._path, number, error)
                else:
                    yield given, discovery

    def write(self, given: str, discovery: Discovery) -> None:
        """Add an answer.

        Args:
            given: the site as it was given.
            discovery: what was found.
        """
        line = json.dumps({KEY: given, **discovery.to_dict()}, separators=(",", ":"))
        self._file.write(line.encode() + b"\n")


def _read(line: bytes) -> tuple[str, Discovery]:
    data = json.loads(line)
    given = data.get(KEY) if isinstance(data, dict) else None
    if not isinstance(given, str):
        raise InvalidData(f"no line of a checkpoint: it lacks {KEY!r}")
    return given, Discovery.from_dict(data)


def _cut_torn_line(path: Path) -> None:
    """Take off a last line that was never finished: what is written next would be glued to it."""
    with path.open("rb+") as file:
        end = file.seek(0, os.SEEK_END)
        whole = end
        while whole:
            start = max(0, whole - 65_536)
            file.seek(start)
            found = file.read(whole - start).rfind(b"\n")
            if found >= 0:
                whole = start + found + 1
                break
            whole = start
        if whole < end:
            _log.warning("%s: a torn last line is taken off", path)
            file.truncate(whole)
