"""Finds the files that belong to a project."""

from __future__ import annotations

import re
import stat
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

import re2
from pathspec import GitIgnoreSpec

from quartermaster.core.errors import QmError
from quartermaster.projects.guard import ProjectFileAccess
from quartermaster.projects.opening import WalkedFolder, name_problem

MOST_FILES: Final = 200_000
"""Largest number of files of a project."""
# Made by tools, and so never a part of the project, whether git is told or not.
_MADE_BY_TOOLS: Final = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        ".venv",
        "venv",
        "node_modules",
        "__pycache__",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".tox",
        ".nox",
        ".eggs",
        ".idea",
    }
)

# Size and time of the last change in nanoseconds.
Facts = tuple[int, int]
# Whether a .gitignore file leaves a path out; None if it says nothing about it.
Rules = Callable[[str], bool | None]
_RE2: Final[Any] = re2  # it has no annotations
_MOST_RULES: Final = 25_000
_LONG_RULE: Final = 50
_LISTED_S: Final = 60.0
# Of a longer line, git would not find a file either: no path is longer.
_LONGEST_RULE: Final = 4096
# So many rules are compiled together: an automaton of more does not fit into its memory.
_MOST_TOGETHER: Final = 500
_LONGEST_TOGETHER: Final = 16_000


@dataclass
class Walk:
    """The files of a project, sorted by their paths below its root.

    Attributes:
        files: the facts about each file that can be read.
        refused: maps each refused path to the reason. A refused path is a file whose name, or the
            name of a folder above it, is not allowed, or a folder that cannot be read. The path of
            a folder ends with ``/``.
    """

    files: dict[str, Facts]
    refused: dict[str, str]


def walk(guard: ProjectFileAccess, limit: int = MOST_FILES) -> Walk:
    """Returns the regular files below a project's root, except files that the project's .gitignore
    files exclude.

    Links are not followed and not returned.

    Args:
        guard: guard of the project.
        limit: maximum number of files.

    Raises:
        QmError: QM413 project_too_large; QM403 path_denied if the root is a link now; QM404
            file_not_found if the root no longer exists.
    """
    found: dict[str, Facts] = {}
    refused: dict[str, str] = {}
    for path, name, step, problem in _each(guard, unread=refused):
        if why := problem or name_problem(name):
            refused[path] = why
        elif (facts := _facts(step, name)) is not None:
            found[path] = facts
        _check_number(len(found) + len(refused), limit)
    return Walk(dict(sorted(found.items())), dict(sorted(refused.items())))


def own_paths(guard: ProjectFileAccess, rules: bytes) -> list[str]:
    """Returns the sorted paths of the files that `walk` returns or refuses, without files in nested
    repositories.

    Args:
        guard: guard of the project.
        rules: additional ignore rules; the rules in .gitignore files take precedence.

    Raises:
        QmError: QM413 project_too_large.
    """
    found: list[str] = []
    for path, *_ in _each(guard, rules, nested=False):
        found.append(path)
        _check_number(len(found), MOST_FILES)
    return sorted(found)


def _each(
    guard: ProjectFileAccess,
    rules: bytes = b"",
    *,
    nested: bool = True,
    unread: dict[str, str] | None = None,
) -> Iterator[tuple[str, str, WalkedFolder, str | None]]:
    """Yields the path, name and folder of each file, and the reason if no file in the folder may be
    read.
    """
    around: dict[str, tuple[list[Rules], str | None]] = {}
    files = _RuleFiles(guard)
    if rules:
        around[""] = [files.compiled(rules, "")], None
    with guard.opened_root() as place:
        for step in place.walk(unread):
            prefix = step.prefix
            outer, problem = around.pop(prefix, ([], None))
            if prefix and not nested and (".git" in step.files or ".git" in step.folders):
                step.folders.clear()
                continue
            active = [*outer, *files.of_folder(prefix, step.files)]
            step.folders[:] = _entered(prefix, step.folders, active)
            for name in step.folders:
                around[f"{prefix}{name}/"] = active, problem or name_problem(name)
            for name in step.files:
                path = f"{prefix}{name}"
                if name != ".git" and name not in step.special and not _is_ignored(path, active):
                    yield path, name, step, problem


def _check_number(number: int, limit: int) -> None:
    if number > limit:
        raise _too_large(f"has more than {limit:,} files")


def _too_large(what: str) -> QmError:
    return QmError(
        413,
        "project_too_large",
        f"The project {what}.",
        "List the files that do not belong to the project in .gitignore, or add a"
        " smaller folder as the project.",
    )


def _entered(prefix: str, names: list[str], active: list[Rules]) -> list[str]:
    return sorted(
        name
        for name in names
        if name not in _MADE_BY_TOOLS and not _is_ignored(f"{prefix}{name}/", active)
    )


class _RuleFiles:
    """The compiled .gitignore files of a project. Files with the same content are compiled only
    once.
    """

    def __init__(self, guard: ProjectFileAccess) -> None:
        self._guard = guard
        self._specs: dict[bytes, list[GitIgnoreSpec]] = {}
        self._left = _MOST_RULES
        self._deadline = monotonic() + _LISTED_S

    def of_folder(self, prefix: str, files: list[str]) -> list[Rules]:
        """Returns the ignore rules of a folder in a list; an empty list if the folder has none."""
        if ".gitignore" not in files:
            return []
        try:
            data = self._guard.read(f"{prefix}.gitignore").data
        except QmError:
            return []
        return [self.compiled(data, prefix)]

    def compiled(self, data: bytes, prefix: str) -> Rules:
        """Compiles the ignore rules in a file of the folder `prefix`.

        Raises:
            QmError: QM413 project_too_large if the project has too many rules, or if listing its
                files takes too long.
        """
        if data not in self._specs:
            lines = data.decode("utf-8", errors="replace").splitlines()
            # Of lines that are the same, the last decides.
            rules = [*dict.fromkeys(line for line in reversed(lines) if _is_rule(line))][::-1]
            # A long one counts as several.
            self._left -= sum(1 + len(rule) // _LONG_RULE for rule in rules)
            if self._left < 0:
                raise _too_large(f"has more than {_MOST_RULES:,} rules in its .gitignore files")
            self._specs[data] = []
            for spec in _specs(rules):
                self._check_time()
                self._specs[data].insert(0, spec)
        specs = self._specs[data]

        def says(path: str) -> bool | None:
            self._check_time()
            valid = _valid(path.removeprefix(prefix))
            said = (spec.check_file(valid).include for spec in specs)
            return next((ignored for ignored in said if ignored is not None), None)

        return says

    def _check_time(self) -> None:
        if monotonic() > self._deadline:
            raise _too_large(f"could not be listed within {_LISTED_S:g} s")


def _is_rule(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("#") and len(line) <= _LONGEST_RULE


def _specs(rules: list[str]) -> Iterator[GitIgnoreSpec]:
    """Compiles .gitignore rules in groups of limited size, and yields the groups in order."""
    together: list[str] = []
    length = 0
    for rule in rules:
        length += len(rule)
        if length > _LONGEST_TOGETHER or len(together) == _MOST_TOGETHER:
            yield from _compiled(together)
            together, length = [], len(rule)
        together.append(rule)
    yield from _compiled(together)


def _compiled(rules: list[str]) -> Iterator[GitIgnoreSpec]:
    """Compiles .gitignore rules. Leaves out invalid rules, because git ignores them, too."""
    if not rules:
        return
    try:
        with warnings.catch_warnings():
            # Of a rule that is a strange expression.
            warnings.simplefilter("ignore")
            # This backend takes a time that is linear in the path, whatever the patterns are.
            spec = GitIgnoreSpec.from_lines(rules, backend="re2")
    except (ValueError, OverflowError, RecursionError, re.error, _RE2.error):
        half = len(rules) // 2
        if half:
            yield from _compiled(rules[:half])
            yield from _compiled(rules[half:])
    else:
        yield spec


def _valid(path: str) -> str:
    """Returns a path with each byte that is not valid Unicode replaced by a question mark. No rule
    could match such a byte.
    """
    return path.encode("utf-8", "replace").decode()


def _is_ignored(path: str, active: list[Rules]) -> bool:
    # The rules of the innermost folder decide first.
    said = (rules(path) for rules in reversed(active))
    return next((ignored for ignored in said if ignored is not None), False)


def _facts(step: WalkedFolder, name: str) -> Facts | None:
    try:
        found = step.place.look(name)
    except OSError:
        return None
    return (found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None
