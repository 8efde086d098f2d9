"""What stands in more than one place is the same in all of them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import sitediscover

ROOT = Path(__file__).parents[1]
PACKAGE = Path(sitediscover.__file__).parent  # the installed one: the source may be hidden
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
POINTERS = re.findall(r"(?m)^\| an? [^|]+ \| (.+) \|$", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))


def test_the_citation_names_this_version_and_licence():
    told = dict(re.findall(r"(?m)^([a-z-]+): (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8")))
    assert told["title"] == PROJECT["name"]
    assert told["version"] == sitediscover.__version__
    assert told["license"] == PROJECT["license"]


@pytest.mark.parametrize("pointer", POINTERS)
def test_contributing_points_to_what_is_there(pointer):
    quoted = re.findall(r"`([^`]+)`", pointer)
    paths = [name for name in quoted if "/" in name]
    files = [PACKAGE.parent / path if path.startswith("sitediscover/") else ROOT / path for path in paths]
    sources = "".join(file.read_text(encoding="utf-8") for file in files)
    assert paths
    assert [name for name in quoted if "/" not in name and not re.search(rf"\b{name}\b", sources)] == []


def test_every_extra_is_tested():
    group = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]["tests"]
    extras = {item for items in PROJECT["optional-dependencies"].values() for item in items}
    assert {item for item in extras if not item.startswith("sitediscover[")} <= set(group)
