"""An SQLite file with cards and full-text search, for a snapshot or an outage."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing, contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

Row = Mapping[str, Any]

FOLDER: Final = "snapshots"
FORMAT: Final = 2
"""Format number in the file header; it changes when the layout changes."""
FIELD_WEIGHTS: Final = (2.0, 1.0, 1.0, 0.5)
"""BM25 weights for the columns of ``words``, in column order, as in the database."""

_SCHEMA: Final = f"""
pragma user_version = {FORMAT};
create table manifest (text text not null);
create table card (
    id integer primary key,
    state integer not null,
    kind text not null,
    public_name text not null,
    own_name text,
    origin text not null,
    body text not null
);
create index card_name on card (kind, public_name);
create virtual table words using fts5 (
    name, title, description, parameters, tokenize = 'porter unicode61 remove_diacritics 2'
);
"""


def path_of(data_dir: Path, name: str) -> Path:
    """Returns the path of the artifact of a snapshot."""
    return data_dir / FOLDER / f"{name}.sqlite"


def write_artifact(path: Path, manifest: str, cards: Iterable[Row]) -> None:
    """Writes an artifact atomically, as a file that only its owner can read.

    Args:
        path: path of the file, which is replaced if it exists.
        manifest: manifest of the snapshot.
        cards: rows of api.read_snapshot or service.read_definitions.
    """
    with _replaced(path) as partial, _changed(partial) as file:
        file.executescript(_SCHEMA)
        file.execute("begin")
        file.execute("insert into manifest values (?)", [manifest])
        for card in cards:
            _insert(file, card)
        file.execute("commit")
        file.execute("insert into words (words) values ('optimize')")


def change_artifact(path: Path, base: Path, cards: Iterable[Row], gone: Iterable[int]) -> None:
    """Writes a new artifact with changed cards and with the unchanged cards of an existing
    artifact.

    Args:
        path: path of the file, which is replaced if it exists.
        base: existing artifact, which does not change.
        cards: new and changed cards, as rows of service.read_definitions.
        gone: ids of the cards to leave out.
    """
    with _replaced(path) as partial:
        shutil.copyfile(base, partial)
        with _changed(partial) as file:
            file.execute("begin")
            for card_id in gone:
                _delete(file, card_id)
            for card in cards:
                _delete(file, card["id"])
                _insert(file, card)
            file.execute("commit")


def states_of(path: Path) -> dict[int, int]:
    """Returns the states of the cards in an artifact, by card id.

    Raises:
        sqlite3.Error: the file cannot be read.
    """
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as file:
        return dict(file.execute("select id, state from card"))


def format_of(path: Path) -> int:
    """Returns the format number of an artifact.

    Raises:
        sqlite3.Error: the file cannot be read.
    """
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as file:
        return int(file.execute("pragma user_version").fetchone()[0])


def digest_of(path: Path) -> bytes:
    """Returns the SHA-256 hash of a file, 32 bytes."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").digest()


@contextmanager
def _replaced(path: Path) -> Generator[Path]:
    """Creates an empty private file. At the end of the block, the file is written to the disk and
    gets the given path.
    """
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
        # The file needs no journal, because an incomplete file is deleted.
        file.execute("pragma journal_mode = off")
        file.execute("pragma synchronous = off")
        yield file


def _delete(file: sqlite3.Connection, card_id: int) -> None:
    file.execute("delete from card where id = ?", [card_id])
    file.execute("delete from words where rowid = ?", [card_id])


def _insert(file: sqlite3.Connection, card: Row) -> None:
    columns = [card[name] for name in ("id", "state", "kind", "public_name", "own_name", "origin")]
    body = json.dumps(card["body"], ensure_ascii=False)
    file.execute("insert into card values (?, ?, ?, ?, ?, ?, ?)", [*columns, body])
    file.execute(
        "insert into words (rowid, name, title, description, parameters) values (?, ?, ?, ?, ?)",
        [card["id"], *card["fields"]],
    )
