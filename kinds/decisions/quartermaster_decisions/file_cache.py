"""What was read of a repository before, kept as JSON in a file of SQLite.

The file can be deleted at any time. Reading it runs nothing: each row is data, and a row that does
not have the expected form is read again from the repository.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from pydantic import TypeAdapter

from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.history import Change, Commit, Substitution

# Raised when something is read in another way.
_VERSION: Final = 7
_BATCH: Final = 200
Value = TypeVar("Value")


class FileCache(Generic[Value]):
    """Values of one sort by their keys.

    Each batch is committed, so a run that was killed goes on from there.

    Args:
        path: the file; None keeps nothing.
        sort: a word for the sort of values.
        write: makes JSON of a value.
        read: makes a value of JSON.
    """

    def __init__(
        self,
        path: Path | None,
        sort: str,
        write: Callable[[Value], Any],
        read: Callable[[bytes], Value],
    ) -> None:
        self._write, self._read = write, read
        self._sort = f"{sort}:{_VERSION}"
        self._database: sqlite3.Connection | None = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._database = sqlite3.connect(path)
            path.chmod(0o600)
            self._database.execute(
                "create table if not exists kept_json (sort text, key text, value blob,"
                " primary key (sort, key))"
            )

    def get(self, keys: Iterable[str]) -> dict[str, Value]:
        """Returns the values that are kept for these keys."""
        if self._database is None:
            return {}
        found: dict[str, Value] = {}
        listed = list(keys)
        for start in range(0, len(listed), _BATCH):
            part = listed[start : start + _BATCH]
            marks = ",".join("?" * len(part))
            rows = self._database.execute(
                f"select key, value from kept_json where sort = ? and key in ({marks})",  # noqa: S608
                [self._sort, *part],
            )
            for key, value in rows:
                try:
                    found[key] = self._read(zlib.decompress(value))
                except (ValueError, TypeError, KeyError, zlib.error):
                    continue
        return found

    def put(self, values: Mapping[str, Value]) -> None:
        """Keeps values."""
        if self._database is None:
            return
        rows = [
            (self._sort, key, zlib.compress(json.dumps(self._write(value)).encode("ascii"), 1))
            for key, value in values.items()
        ]
        with self._database:
            self._database.executemany("insert or replace into kept_json values (?, ?, ?)", rows)

    def close(self) -> None:
        """Closes the file."""
        if self._database is not None:
            self._database.close()


def facts_cache(path: Path | None) -> FileCache[FileFacts]:
    """Returns facts of files; named tuples are lists in JSON."""
    return FileCache(path, "facts", vars, TypeAdapter(FileFacts).validate_json)


def commits_cache(path: Path | None) -> FileCache[tuple[Commit, list[Substitution]]]:
    """Returns commits with the names that they changed."""
    return FileCache(path, "commits", lambda value: [vars(value[0]), value[1]], _commit)


def _commit(content: bytes) -> tuple[Commit, list[Substitution]]:
    """The names of its files may have bytes that are not UTF-8, which pydantic does not read."""
    commit, substitutions = json.loads(content)
    changes = tuple(Change(*one) for one in commit["changes"])
    return Commit(**commit | {"changes": changes}), [Substitution(*one) for one in substitutions]
