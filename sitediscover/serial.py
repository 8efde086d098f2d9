"""Results as plain JSON types, and back without loss."""

from __future__ import annotations

import dataclasses
import sys
import types
import typing
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from functools import cache
from typing import TypeVar

from sitediscover.errors import InvalidData

SCHEMA = 1
"""The version of the JSON that `Discovery.to_dict` writes."""

_D = TypeVar("_D")


def to_plain(value: object) -> object:
    """Return a result, or any value inside one, as plain JSON types.

    Args:
        value: a dataclass of `sitediscover.model`, or what its fields hold.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    return value


def from_plain(kind: object, data: object) -> object:
    """Build a value of a type from plain JSON types.

    Args:
        kind: a dataclass, an enum, datetime, str, int, float, bool, or a union or tuple of these.
        data: what `to_plain` gave.

    Raises:
        InvalidData: the data does not fit the type.
    """
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        return _from_union(typing.get_args(kind), data)
    if origin is tuple:
        if not isinstance(data, list | tuple):
            raise InvalidData(f"a list was expected, not {data!r:.80}")
        item = typing.get_args(kind)[0]
        return tuple(from_plain(item, part) for part in data)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _from_mapping(kind, data)
    return _from_scalar(kind, data)


def _from_union(members: tuple[object, ...], data: object) -> object:
    if data is None and type(None) in members:
        return None
    return from_plain(next(member for member in members if member is not type(None)), data)


@cache
def _hints(kind: type) -> dict[str, object]:
    return typing.get_type_hints(kind, vars(sys.modules[kind.__module__]))


def _from_mapping(kind: type, data: object) -> object:
    if not isinstance(data, Mapping):
        raise InvalidData(f"{kind.__name__}: a mapping was expected, not {data!r:.80}")
    hints = _hints(kind)
    known = {name: from_plain(hints[name], data[name]) for name in hints if name in data}
    try:
        return kind(**known)
    except TypeError as error:
        raise InvalidData(f"{kind.__name__}: {error}") from error


def _from_scalar(kind: object, data: object) -> object:
    if kind is datetime:
        return _from_date(data)
    if isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(data)
        except ValueError as error:
            raise InvalidData(f"{kind.__name__} has no value {data!r:.80}") from error
    accepted = (int, float) if kind is float else kind
    # True is an int to Python, but no number in JSON.
    fits = isinstance(accepted, type | tuple) and isinstance(data, accepted)
    if not fits or (isinstance(data, bool) and kind is not bool):
        raise InvalidData(f"{getattr(kind, '__name__', kind)} was expected, not {data!r:.80}")
    return data


def _from_date(data: object) -> datetime:
    try:
        at = datetime.fromisoformat(data) if isinstance(data, str) else None
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise InvalidData(f"not an ISO 8601 date with its zone: {data!r:.80}")
    return at


def to_record(value: object) -> dict[str, object]:
    """Return a result as plain JSON types, with the schema's version first.

    Args:
        value: a dataclass of `sitediscover.model`.
    """
    plain = to_plain(value)
    assert isinstance(plain, dict)  # noqa: S101 - a dataclass always gives a dict; this tells mypy
    return {"schema": SCHEMA, **plain}


def from_record(kind: type[_D], data: object) -> _D:
    """Build a result from what `to_record` gave; names it does not know are passed over.

    Args:
        kind: the dataclass to build.
        data: a mapping of plain JSON types.

    Raises:
        InvalidData: the data does not describe such a result, or is of another schema.
    """
    schema = data.get("schema", SCHEMA) if isinstance(data, Mapping) else SCHEMA
    if schema != SCHEMA:
        raise InvalidData(f"schema {schema!r:.20} is not {SCHEMA}: written by another version of sitediscover")
    found = _from_mapping(kind, data)
    assert isinstance(found, kind)  # noqa: S101 - tells mypy what _from_mapping built
    return found
