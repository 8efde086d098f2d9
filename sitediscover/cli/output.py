"""The forms that data takes on standard output."""

from __future__ import annotations

import csv
import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from html import escape
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import click

from sitediscover.cli.text import clean, fitted, to_json
from sitediscover.parse.opml import NAMESPACE
from sitediscover.serial import SCHEMA, to_plain

if TYPE_CHECKING:
    from types import TracebackType

Plain: TypeAlias = "dict[str, object]"


class Form(StrEnum):
    """The forms, of which one is chosen: by an option, else by what standard output is."""

    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    OPML = "opml"
    TABLE = "table"
    LINES = "lines"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column for people to read.

    Attributes:
        name: what stands above it.
        width: how many characters it takes on a terminal; the last column is never cut.
        of: takes what is shown from a value.
    """

    name: str
    width: int
    of: Callable[[Any], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How values of one type are written.

    Attributes:
        key: what a list of them is called in a JSON document.
        columns: for a table or plain lines.
        fields: the columns of CSV.
        rows: makes CSV's rows of a value.
        outlines: makes OPML's outlines of a value: their attributes.
        colour: the colour of a value's row on a terminal.
        whole: a document holds one value, and is that value.
        piped: the form where none is asked for and nobody looks.
    """

    key: str
    columns: tuple[Column, ...]
    fields: tuple[str, ...] = ()
    rows: Callable[[Any], Iterable[Mapping[str, object]]] = lambda value: (plain(value),)
    outlines: Callable[[Any], Iterable[Mapping[str, object]]] | None = None
    colour: Callable[[Any], str | None] = lambda _: None
    whole: bool = False
    piped: Form = Form.LINES


def plain(value: object) -> Plain:
    """Return a value as a dict of plain JSON types.

    Args:
        value: a dataclass of the library, or a dict.
    """
    given = value if isinstance(value, dict) else to_plain(value)
    assert isinstance(given, dict)  # noqa: S101 - a dataclass always gives a dict; this tells mypy
    return {
        name: {str(key): part for key, part in item.items()} if isinstance(item, Mapping) else item
        for name, item in given.items()
    }


def record(value: object) -> Plain:
    """Return a value as a JSON object that carries the version of its schema.

    Args:
        value: a dataclass of the library, or a dict.
    """
    return {"schema": SCHEMA, **plain(value)}


def cell(value: object) -> str:
    """Return a value as one clean line.

    Args:
        value: a text, a number, a date, None, or several of these.
    """
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(cell, value))
    return clean(f"{value:g}" if isinstance(value, float) else str(value))


class Writer:
    """Writes values one by one; a context manager, whose end writes what has to come last, also when interrupted.

    Args:
        layout: how the values are written.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.rest: Plain = {}
        """What else a JSON document tells."""

    def write(self, value: object) -> None:
        """Write one value.

        Args:
            value: of the type that the layout is for.
        """
        raise NotImplementedError

    def end(self) -> None:
        """Write what has to come last."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # After an error there is no document that would tell the truth; after Ctrl-C there is: what was done so far.
        if kind is None or issubclass(kind, KeyboardInterrupt | SystemExit):
            self.end()


class _JsonLines(Writer):
    def write(self, value: object) -> None:
        click.echo(to_json(record(value)))


class _Json(Writer):
    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._values: list[object] = []

    def write(self, value: object) -> None:
        self._values.append(value)

    def end(self) -> None:
        if not self.layout.whole:
            document = {"schema": SCHEMA, **self.rest, self.layout.key: [plain(value) for value in self._values]}
        elif self._values:
            document = record(self._values[0])
        else:
            return
        click.echo(to_json(document, indent=2 if sys.stdout.isatty() else None))


# Spreadsheets run what begins so, full width too, and titles are written by strangers (OWASP, CSV Injection; CWE-1236).
# Quotes do not help, an apostrophe does. Where `;` separates lists, as in much of Europe, a cell begins after each.
_FORMULA = re.compile(r"(?:^(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])|(?<=;)(?=[=+\-@\uff1d\uff0b\uff0d\uff20]))")


def _in_spreadsheet(value: object) -> str:
    text = cell(value)
    return text if isinstance(value, int | float | datetime) else _FORMULA.sub("'", text)


class _Csv(Writer):
    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._put(layout.fields)

    def write(self, value: object) -> None:
        for row in self.layout.rows(value):
            self._put([_in_spreadsheet(row.get(name)) for name in self.layout.fields])

    def _put(self, cells: Iterable[str]) -> None:
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(cells)
        click.echo(line.getvalue(), nl=False)


class _Opml(Writer):
    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        # Each once: two sites may have one feed, and a reader would subscribe to it twice.
        self._outlines: dict[tuple[tuple[str, object], ...], None] = {}

    def write(self, value: object) -> None:
        for outline in self.layout.outlines(value) if self.layout.outlines else ():
            self._outlines[tuple(outline.items())] = None

    def end(self) -> None:
        click.echo('<?xml version="1.0" encoding="UTF-8"?>')
        click.echo(f'<opml version="2.0" xmlns:sitediscover="{NAMESPACE}">')
        click.echo("  <head><title>sitediscover</title></head>\n  <body>")
        for outline in self._outlines:
            told = (f'{name}="{escape(_xml(cell(value)))}"' for name, value in outline if value)
            click.echo(f"    <outline {' '.join(told)}/>")
        click.echo("  </body>\n</opml>")


def _xml(text: str) -> str:
    # What XML cannot hold even as a reference (XML 1.0, 2.2), beside the controls that are gone already.
    return "".join("\ufffd" if "\ud800" <= mark <= "\udfff" or mark in "\ufffe\uffff" else mark for mark in text)


class _Table(Writer):
    """For eyes: columns as wide as they are expected to be, so that a row is there as soon as its value is."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._put([column.name.upper() for column in layout.columns], bold=True)

    def write(self, value: object) -> None:
        self._put([cell(column.of(value)) for column in self.layout.columns], fg=self.layout.colour(value))

    def _put(self, cells: list[str], **style: Any) -> None:
        padded = [fitted(text, column.width) for text, column in zip(cells[:-1], self.layout.columns, strict=False)]
        click.echo(click.style("  ".join([*padded, cells[-1]]).rstrip(), **style))


class _Lines(Writer):
    def write(self, value: object) -> None:
        click.echo("\t".join(cell(column.of(value)) for column in self.layout.columns))


_WRITERS: Mapping[Form, type[Writer]] = {
    Form.JSON: _Json,
    Form.JSONL: _JsonLines,
    Form.CSV: _Csv,
    Form.OPML: _Opml,
    Form.TABLE: _Table,
    Form.LINES: _Lines,
}


def writer(form: Form | None, layout: Layout) -> Writer:
    """Return what writes values in a form.

    Args:
        form: None for a table on a terminal, and what the layout says elsewhere.
        layout: how the values are written.
    """
    return _WRITERS[form or (Form.TABLE if sys.stdout.isatty() else layout.piped)](layout)


def write_one(key: str, value: object, form: Form | None) -> None:
    """Write the one value that a command has to tell; for eyes and for `cut`, each part of it on a line of its own.

    Args:
        key: what it is.
        value: a dataclass of the library.
        form: as for `writer`.
    """
    told = plain(value)
    if form not in (None, Form.LINES):
        with writer(form, Layout(key=key, columns=(), fields=tuple(told), whole=True)) as out:
            out.write(value)
        return
    columns = (
        Column(name="name", width=max(map(len, told)), of=lambda pair: pair[0]),
        Column(name="value", width=0, of=lambda pair: pair[1]),
    )
    with writer(form, Layout(key=key, columns=columns)) as out:
        for name, part in told.items():
            for each in part if isinstance(part, list) else part.items() if isinstance(part, dict) else [part]:
                out.write((name, each))


def colour_wanted() -> bool | None:
    """Return False where colour is unwelcome (no-color.org), else None: as standard output can."""
    return False if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else None
