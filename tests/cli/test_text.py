"""What strangers wrote is made fit for a terminal, and JSON of it stays the same JSON."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitediscover.cli.output import Column, Form, Layout, writer
from sitediscover.cli.text import clean, fitted, to_json, width

ANY = st.text(st.characters(codec=None))


def harmful(text):
    """Return the characters of a text that a terminal would obey."""
    return [
        mark
        for mark in text
        if unicodedata.category(mark) == "Cc" or mark in "\u2028\u2029\u202a\u202b\u202d\u202e\u2066"
    ]


@given(ANY)
def test_a_clean_text_is_one_line_that_does_nothing(text):
    assert harmful(clean(text)) == []


@pytest.mark.parametrize(
    "text, cleaned",
    [
        ("a\tb\r\nc", "a b c"),
        ("\x1b[31mred", "\ufffd[31mred"),
        ("\x9b5n", "\ufffd5n"),
        ("abc\u202etxt.exe", "abc\ufffdtxt.exe"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),  # the joiner is spelling in Persian
        ("Ünïcødé 読売", "Ünïcødé 読売"),
    ],
)
def test_white_space_stays_space_and_scripts_stay_what_they_are(text, cleaned):
    assert clean(text) == cleaned


@given(st.dictionaries(ANY, st.lists(ANY)), st.sampled_from([None, 2]))
def test_json_is_safe_to_look_at_and_gives_the_value_back(value, indent):
    text = to_json(value, indent=indent)
    assert [mark for mark in harmful(text) if mark != "\n"] == []
    assert ("\n" in text) <= (indent is not None)
    assert json.loads(text) == value
    text.encode()


@pytest.mark.parametrize(
    "text, columns, shown",
    [
        ("abc", 5, "abc  "),
        ("abcdef", 5, "ab..."),
        ("読売新聞", 8, "読売新聞"),
        ("読売新聞", 7, "読売..."),
        ("読売新聞", 6, "読... "),
        ("e\u0301a", 3, "e\u0301a "),
    ],
)
def test_a_cell_takes_the_columns_it_is_given(text, columns, shown):
    assert fitted(text, columns) == shown
    assert width(shown) == columns


@pytest.mark.parametrize(
    "value, told",
    [
        ("=1+1", "'=1+1"),
        ("+++ Live +++", "'+++ Live +++"),
        ("-5 degrees", "'-5 degrees"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t\r\n=1", "' =1"),
        ("\uff1dcmd", "'\uff1dcmd"),
        (["=a", "b"], "'=a b"),
        ("bridge;=1+1", "bridge;'=1+1"),
        ("a bridge - and a = b; + c", "a bridge - and a = b; + c"),
        ("https://paper.example/?a=-1", "https://paper.example/?a=-1"),
        (-1.5, "-1.5"),
        (-3, "-3"),
    ],
)
def test_no_cell_of_csv_is_a_formula_to_a_spreadsheet(value, told, capsys):
    with writer(Form.CSV, Layout(key="values", columns=(), fields=("value",))) as out:
        out.write({"value": value})
    assert list(csv.reader(capsys.readouterr().out.splitlines())) == [["value"], [told]]


@given(ANY)
def test_no_text_becomes_a_formula_whatever_separates_the_cells(value):
    text = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", text)
        with writer(Form.CSV, Layout(key="values", columns=(), fields=("value",))) as out:
            out.write({"value": value})
    for separator in ",;":
        for row in csv.reader(io.StringIO(text.getvalue()), delimiter=separator):
            assert [cell for cell in row if cell.lstrip().startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20"))] == []


@given(
    st.lists(st.tuples(ANY, ANY), max_size=4, unique=True),
    st.sampled_from([Form.CSV, Form.OPML, Form.LINES, Form.JSONL]),
)
def test_every_form_is_well_formed_whatever_it_holds(values, form):
    layout = Layout(
        key="pairs",
        columns=(
            Column(name="a", width=4, of=lambda pair: pair["a"]),
            Column(name="b", width=0, of=lambda pair: pair["b"]),
        ),
        fields=("a", "b"),
        outlines=lambda pair: [{"text": pair["a"] or "x", "url": pair["b"]}],
    )
    text = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", text)
        with writer(form, layout) as out:
            for a, b in values:
                out.write({"a": a, "b": b})
    told = text.getvalue()
    counts = {
        Form.CSV: lambda: len([row for row in csv.reader(io.StringIO(told)) if len(row) == 2]) - 1,
        Form.OPML: lambda: len(ET.fromstring(told.encode(errors="surrogatepass")).findall("body/outline")),
        Form.LINES: lambda: len([line for line in told.split("\n")[:-1] if line.count("\t") == 1]),
        Form.JSONL: lambda: len([json.loads(line) for line in told.split("\n")[:-1]]),
    }
    assert counts[form]() == len(values)
