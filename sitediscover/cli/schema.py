"""The JSON Schema of what the command line writes, made from the types themselves.

`python -m sitediscover.cli.schema` prints it; docs/reference/sitediscover.schema.json is that, and a test keeps it so.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import types
import typing
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any, TypeAlias

import click

from sitediscover.cli.records import RobotsAnswer
from sitediscover.cli.text import to_json
from sitediscover.model import Article, Discovery, SitemapEntry, SourceKind
from sitediscover.serial import SCHEMA
from sitediscover.walk.model import SitemapReport
from sitediscover.watch.model import SourceInfo, Stats

Json: TypeAlias = dict[str, Any]

# What is written as one object: by `--jsonl` a line each, by `--json` where there is only one.
RECORDS: Mapping[str, type] = {
    "discovery": Discovery,
    "article": Article,
    "entry": SitemapEntry,
    "robots": RobotsAnswer,
    "source": SourceInfo,
    "stats": Stats,
}
# What `--json` writes for several, by the name of their list.
LISTS: Mapping[str, Mapping[str, object]] = {
    "discoveries": {"discoveries": tuple[Discovery, ...]},
    "articles": {"articles": tuple[Article, ...]},
    "entries": {"site": str, "entries": tuple[SitemapEntry, ...], "reports": tuple[SitemapReport, ...]},
    "sources": {"sources": tuple[SourceInfo, ...]},
}
_SCALARS: Mapping[object, Json] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    type(None): {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
}
# Names that the modules of the types import for type checkers only.
_NAMES = {"datetime": datetime, "Mapping": Mapping, "SourceKind": SourceKind}
_ATTRIBUTE = re.compile(r"^    (\w+): (.+(?:\n     +.+)*)", re.MULTILINE)


def json_schema() -> Json:
    """Return the schema (JSON Schema 2020-12): one definition for each document and each type in it."""
    definitions: dict[str, Json] = {}
    for name, kind in RECORDS.items():
        reference = _of(kind, definitions)
        definitions[name] = {"allOf": [reference], **_object({"schema": {"const": SCHEMA}})}
    for name, parts in LISTS.items():
        told = {part: _of(kind, definitions) for part, kind in parts.items()}
        definitions[name] = _object({"schema": {"const": SCHEMA}, **told})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"What sitediscover writes as JSON, schema {SCHEMA}",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in (*RECORDS, *LISTS)],
        "$defs": dict(sorted(definitions.items())),
    }


def _of(kind: object, definitions: dict[str, Json]) -> Json:
    """Return the schema of a type; types with a name of their own are defined once."""
    if kind in _SCALARS:
        return _SCALARS[kind]
    arguments = typing.get_args(kind)
    if typing.get_origin(kind) is tuple:
        return {"type": "array", "items": _of(arguments[0], definitions)}
    if isinstance(kind, types.UnionType):  # the library's are all "something or None"
        some = _of(arguments[0], definitions)
        return some | {"type": [some["type"], "null"]} if "type" in some else {"anyOf": [some, {"type": "null"}]}
    if typing.get_origin(kind) is Mapping:
        return {"type": "object", "additionalProperties": _of(arguments[1], definitions)}
    assert isinstance(kind, type)  # noqa: S101 - an enum or a dataclass: the types hold nothing else
    if kind.__name__ not in definitions:
        definitions[kind.__name__] = {}  # a type that holds itself ends here
        definitions[kind.__name__] = _defined(kind, definitions)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _defined(kind: type, definitions: dict[str, Json]) -> Json:
    summary, _, attributes = (inspect.getdoc(kind) or "").partition("\n\nAttributes:\n")
    if issubclass(kind, Enum):
        return {"description": " ".join(summary.split()), "enum": [member.value for member in kind]}
    said = {name: " ".join(text.split()) for name, text in _ATTRIBUTE.findall(attributes)}
    hints = typing.get_type_hints(kind, vars(sys.modules[kind.__module__]), _NAMES)
    assert dataclasses.is_dataclass(kind)  # noqa: S101 - tells mypy what is left
    properties = {field.name: _of(hints[field.name], definitions) for field in dataclasses.fields(kind)}
    described = {
        name: part | ({"description": said[name]} if name in said else {}) for name, part in properties.items()
    }
    return {"description": " ".join(summary.split()), **_object(described)}


def _object(properties: Json) -> Json:
    return {"type": "object", "properties": properties, "required": list(properties)}


if __name__ == "__main__":
    click.echo(to_json(json_schema(), indent=2))
