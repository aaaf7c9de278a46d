"""Caches data that was read from a repository, as JSON in an SQLite file.

The file can be deleted at any time. Rows are data, so reading them executes no code. If a row does
not have the expected form, the value is read from the repository again.
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
    """A cache of values of the same sort, by key.

    Each batch of values is committed, so a new run continues where a killed run stopped.

    Args:
        path: the SQLite file. If None, nothing is cached.
        sort: name of the sort of values.
        write: converts a value to JSON.
        read: converts JSON to a value.
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
        """Returns the cached values for the given keys."""
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
        """Stores values in the cache."""
        if self._database is None:
            return
        rows = [
            (self._sort, key, zlib.compress(json.dumps(self._write(value)).encode("ascii"), 1))
            for key, value in values.items()
        ]
        with self._database:
            self._database.executemany("insert or replace into kept_json values (?, ?, ?)", rows)

    def close(self) -> None:
        """Closes the SQLite file."""
        if self._database is not None:
            self._database.close()


def facts_cache(path: Path | None) -> FileCache[FileFacts]:
    """Returns the cache of facts of files. In its JSON, named tuples are lists."""
    return FileCache(path, "facts", vars, TypeAdapter(FileFacts).validate_json)


def commits_cache(path: Path | None) -> FileCache[tuple[Commit, list[Substitution]]]:
    """Returns the cache of commits and of the names that they changed."""
    return FileCache(path, "commits", lambda value: [vars(value[0]), value[1]], _commit)


def _commit(content: bytes) -> tuple[Commit, list[Substitution]]:
    """Reads a commit without pydantic, which does not accept names of files that are not UTF-8."""
    commit, substitutions = json.loads(content)
    changes = tuple(Change(*one) for one in commit["changes"])
    return Commit(**commit | {"changes": changes}), [Substitution(*one) for one in substitutions]
