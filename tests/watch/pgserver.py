"""Statements for the PostgreSQL server that the tests start."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def execute(folder: Path, statement: str) -> None:
    import psycopg  # noqa: PLC0415

    with psycopg.connect(host=str(folder), user="tester", dbname="postgres", autocommit=True) as connection:
        connection.execute(statement)
