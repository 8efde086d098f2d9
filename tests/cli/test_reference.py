"""docs/reference/cli.md and json.md tell of the program what is so."""

from __future__ import annotations

import re
from pathlib import Path

import click

from sitediscover.cli import Code, main
from sitediscover.cli.output import Form
from sitediscover.cli.schema import LISTS, RECORDS

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
CLI = (REFERENCE / "cli.md").read_text(encoding="utf-8")
JSON = (REFERENCE / "json.md").read_text(encoding="utf-8")


def options(group):
    """Return the long options of every command below a group."""
    found = set()
    for command in group.commands.values():
        if isinstance(command, click.Group):
            found |= options(command)
        else:
            found |= {name for option in command.params for name in option.opts if name.startswith("--")}
    return found


def test_the_commands_are_told_by_the_program_itself():
    assert ".. click:: sitediscover.cli:main\n   :prog: sitediscover\n   :nested: full" in CLI


def test_every_exit_code_is_told_and_no_other():
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", CLI, re.MULTILINE)] == sorted(Code)


def test_every_form_of_data_is_told_and_no_other():
    told = re.findall(r"^\| `--(\w+)` \|", CLI, re.MULTILINE)
    assert told == [form for form in Form if form is not Form.TABLE]


def test_every_variable_that_is_told_belongs_to_an_option():
    told = set(re.findall(r"`SITEDISCOVER_(\w+)`", CLI)) - {"SOME_OPTION"}
    assert {f"--{name.lower().replace('_', '-')}" for name in told} <= options(main)
    assert {"PAUSE", "USER_AGENT", "STORE"} <= told


def test_every_kind_of_document_is_told_and_no_other():
    told = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| `.*?\|(.*)\|$", JSON, re.MULTILINE)))
    assert set(told) - {"reports"} == {*RECORDS, *LISTS}
