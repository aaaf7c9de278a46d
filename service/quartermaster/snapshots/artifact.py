"""A snapshot as a SQLite file with full-text search, for when the database is away."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final, cast

Row = dict[str, Any]

FOLDER: Final = "snapshots"
FIELD_WEIGHTS: Final = (2.0, 1.0, 1.0, 0.5)
"""Of the columns of ``tool_text``, in their order, as the database weighs them for BM25."""

# content_hash and valid_from are null in snapshots: their manifest has a hash of the whole.
_SCHEMA: Final = """
create table manifest (text text not null);
create table tool (
    id integer primary key,
    callable_name text not null unique,
    origin text not null,
    brief text not null,
    version integer not null,
    rights_class integer not null,
    content_hash text,
    valid_from text,
    definition text not null
);
create virtual table tool_text using fts5 (
    name, origin, description, parameters, tokenize = 'porter unicode61 remove_diacritics 2'
);
"""
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def path_of(data_dir: Path, name: str) -> Path:
    """Where the artifact of a snapshot lies."""
    return data_dir / FOLDER / f"{name}.sqlite"


def write_artifact(path: Path, manifest: str, tools: Iterable[Row]) -> None:
    """Writes the file at once, readable by its owner only.

    Args:
        path: replaced where it is there.
        manifest: of the snapshot.
        tools: rows of api.read_snapshot or api.read_definitions.
    """
    with _replaced(path) as partial, _changed(partial) as file:
        file.executescript(_SCHEMA)
        file.execute("begin")
        file.execute("insert into manifest values (?)", [manifest])
        for tool in tools:
            _insert(file, tool)
        file.execute("commit")
        file.execute("insert into tool_text (tool_text) values ('optimize')")


def change_artifact(path: Path, base: Path, tools: Iterable[Row], gone: Iterable[int]) -> None:
    """Writes another file with the tools of one that is there, as far as they have not changed.

    Args:
        path: replaced where it is there.
        base: an artifact; it stays as it is.
        tools: what is new or has changed, rows of api.read_definitions.
        gone: ids of tools that are left out.
    """
    with _replaced(path) as partial:
        shutil.copyfile(base, partial)
        with _changed(partial) as file:
            file.execute("begin")
            for tool_id in gone:
                _delete(file, tool_id)
            for tool in tools:
                _delete(file, tool["item_id"])
                _insert(file, tool)
            file.execute("commit")


def versions_of(path: Path) -> dict[int, int]:
    """Id to version of each tool in a file.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as file:
        return dict(file.execute("select id, version from tool"))


def digest_of(path: Path) -> bytes:
    """SHA-256 of a file, 32 bytes."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").digest()


def split_words(text: str) -> str:
    """The text, and its camelCase words apart: as names are indexed and goals are asked."""
    apart = _CAMEL.sub(" ", text)
    return text if apart == text else f"{text} {apart}"


@contextmanager
def _replaced(path: Path) -> Generator[Path]:
    """An empty private file that becomes this one when it is complete and on the disk."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    partial.unlink(missing_ok=True)
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        yield partial
        with partial.open("rb") as written:
            os.fsync(written.fileno())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


@contextmanager
def _changed(path: Path) -> Generator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        # Half a file is thrown away, so nothing is kept to undo it by.
        file.execute("pragma journal_mode = off")
        file.execute("pragma synchronous = off")
        yield file


def _delete(file: sqlite3.Connection, tool_id: int) -> None:
    file.execute("delete from tool where id = ?", [tool_id])
    file.execute("delete from tool_text where rowid = ?", [tool_id])


def _insert(file: sqlite3.Connection, tool: Row) -> None:
    definition: Row = tool["definition"]
    valid_from = tool.get("valid_from")
    file.execute(
        "insert into tool values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            tool["item_id"],
            tool["callable_name"],
            tool["origin"],
            tool["brief"],
            tool["version"],
            tool["rights_class"],
            tool.get("content_hash"),
            valid_from and valid_from.isoformat(),
            json.dumps(definition, ensure_ascii=False),
        ],
    )
    schema: Row = definition.get("input_schema") or {}
    properties: Row = schema.get("properties") or {}
    parameters = " ".join(
        f"{split_words(name)} {_described(value)}" for name, value in properties.items()
    )
    file.execute(
        "insert into tool_text (rowid, name, origin, description, parameters)"
        " values (?, ?, ?, ?, ?)",
        [
            tool["item_id"],
            split_words(tool["callable_name"]),
            tool["origin"],
            definition.get("description") or "",
            parameters,
        ],
    )


def _described(schema: object) -> str:
    return str(cast("Row", schema).get("description", "")) if isinstance(schema, dict) else ""
