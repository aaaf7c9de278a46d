"""Reads the file `metatron.toml` of a repository, which can only limit the commits and files that
are read from the repository.

Anybody who can write to the repository can write this file. So it can only shorten the history and
leave out files. Everything else in it is ignored.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Final, cast

from quartermaster.core.errors import QmError, argument_invalid
from quartermaster_decisions.globs import MOST_CHARACTERS, Globs

FILE: Final = "metatron.toml"
_MOST_PATHS: Final = 200
_LONGEST_PATH: Final = 500


@dataclass(frozen=True)
class Narrowing:
    """The limits: the largest number of commits, the oldest day, and globs of files. None means no
    limit.
    """

    max_commits: int | None = None
    since: str | None = None
    paths: Sequence[str] | None = None

    def is_read(self, path: str) -> bool:
        """Returns whether the globs select a file. A glob without a star matches the file or folder
        with that name.
        """
        return self.paths is None or self._globs.match(path)

    @cached_property
    def _globs(self) -> Globs:
        paths = self.paths or ()
        return Globs([*paths, *(f"{glob.rstrip('/')}/**" for glob in paths)])


def read_narrowing(text: str) -> Narrowing:
    """Reads the limits from the text of the file: `max_commits`, `since` (a day) and `paths`
    (globs).

    Raises:
        QmError: 422 argument_invalid if the file is not valid TOML, or a setting has the wrong
            type.
    """
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # numbers and brackets without an end, too
        raise _wrong(str(error)) from error
    commits, since, paths = (found.get(key) for key in ("max_commits", "since", "paths"))
    # True is an int in Python.
    if commits is not None and (type(commits) is not int or commits < 1):
        raise _wrong("max_commits must be a whole number of at least 1")
    if since is not None:
        since = _day(since)
    if paths is not None and not _are_texts(paths):
        raise _wrong("paths must be a list of globs")
    if paths is not None and sum(map(len, paths)) > MOST_CHARACTERS:
        raise _wrong(f"its paths have more than {MOST_CHARACTERS} characters together")
    return Narrowing(commits, since, paths)


def _day(value: Any) -> str:
    try:
        return (value if isinstance(value, date) else date.fromisoformat(value)).isoformat()
    except (TypeError, ValueError) as error:
        raise _wrong("since must be a day, such as 2026-01-31") from error


def _are_texts(value: Any) -> bool:
    if not isinstance(value, list):
        return False
    items = cast("list[object]", value)
    return len(items) <= _MOST_PATHS and all(
        isinstance(one, str) and 0 < len(one) <= _LONGEST_PATH for one in items
    )


def _wrong(reason: str) -> QmError:
    return argument_invalid(
        f"The repository's file {FILE} cannot be used: {reason}.", "Change or remove the file."
    )
