"""A snapshot as a SQLite file with full-text search, for when the database is away."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final, cast

Row = dict[str, Any]

FOLDER: Final = "snapshots"
_SCHEMA: Final = """
create table manifest (text text not null);
create table tool (
    id integer primary key,
    callable_name text not null unique,
    origin text not null,
    brief text not null,
    version integer not null,
    rights_class integer not null,
    definition text not null
);
create virtual table tool_text using fts5 (
    name, origin, description, parameters, tokenize = 'porter unicode61 remove_diacritics 2'
);
"""


def path_of(data_dir: Path, name: str) -> Path:
    """Where the artifact of a snapshot lies."""
    return data_dir / FOLDER / f"{name}.sqlite"


def write_artifact(path: Path, manifest: str, tools: Iterable[Row]) -> None:
    """Writes the file at once, readable by its owner only.

    Args:
        path: replaced where it is there.
        manifest: of the snapshot.
        tools: rows of api.read_snapshot.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    partial.unlink(missing_ok=True)
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        with closing(sqlite3.connect(partial, isolation_level=None)) as file:
            file.executescript(_SCHEMA)
            file.execute("begin")
            file.execute("insert into manifest values (?)", [manifest])
            for number, tool in enumerate(tools, start=1):
                _insert(file, number, tool)
            file.execute("commit")
            file.execute("insert into tool_text (tool_text) values ('optimize')")
        with partial.open("rb") as written:
            os.fsync(written.fileno())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def digest_of(path: Path) -> bytes:
    """SHA-256 of a file, 32 bytes."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").digest()


def _insert(file: sqlite3.Connection, number: int, tool: Row) -> None:
    definition: Row = tool["definition"]
    file.execute(
        "insert into tool values (?, ?, ?, ?, ?, ?, ?)",
        [
            number,
            tool["callable_name"],
            tool["origin"],
            tool["brief"],
            tool["version"],
            tool["rights_class"],
            json.dumps(definition, ensure_ascii=False),
        ],
    )
    schema: Row = definition.get("input_schema") or {}
    properties: Row = schema.get("properties") or {}
    parameters = " ".join(f"{name} {_described(value)}" for name, value in properties.items())
    name = tool["callable_name"].replace("_", " ").replace("-", " ")
    file.execute(
        "insert into tool_text (rowid, name, origin, description, parameters)"
        " values (?, ?, ?, ?, ?)",
        [number, name, tool["origin"], definition.get("description") or "", parameters],
    )


def _described(schema: object) -> str:
    return str(cast("Row", schema).get("description", "")) if isinstance(schema, dict) else ""
