"""Which files belong to a project."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from pathspec import GitIgnoreSpec

from quartermaster.core.errors import QmError
from quartermaster.projects.guard import Guard
from quartermaster.projects.opening import Step, name_problem

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


@dataclass
class Walk:
    """The files of a project, by their paths below its root, sorted.

    Attributes:
        files: facts of each file that can be read.
        refused: why a file cannot be read: its name, or that of a folder around it; and why a whole
            folder, whose path ends with ``/``, cannot be.
    """

    files: dict[str, Facts]
    refused: dict[str, str]


def walk(guard: Guard, limit: int = MOST_FILES) -> Walk:
    """The regular files below a project's root, without what its .gitignore files leave out.

    Links are not followed and not returned.

    Args:
        guard: of the project.
        limit: largest number of files.

    Raises:
        QmError: QM413 project_too_large; QM403 path_denied or QM404 file_not_found if the root is
            a link now, or gone.
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


def own_paths(guard: Guard, rules: bytes) -> list[str]:
    """The paths that `walk` returns or refuses, sorted, without those in repositories inside.

    Args:
        guard: of the project.
        rules: further rules like those of .gitignore, which come after them.

    Raises:
        QmError: QM413 project_too_large.
    """
    found: list[str] = []
    for path, *_ in _each(guard, rules, nested=False):
        found.append(path)
        _check_number(len(found), MOST_FILES)
    return sorted(found)


def _each(
    guard: Guard,
    rules: bytes = b"",
    *,
    nested: bool = True,
    unread: dict[str, str] | None = None,
) -> Iterator[tuple[str, str, Step, str | None]]:
    """Path, name and folder of each file, and why nothing in this folder is read."""
    around: dict[str, tuple[list[Rules], str | None]] = {}
    if rules:
        around[""] = [_rules(rules, "")], None
    with guard.opened_root() as place:
        for step in place.walk(unread):
            prefix = step.prefix
            outer, problem = around.pop(prefix, ([], None))
            if prefix and not nested and (".git" in step.files or ".git" in step.folders):
                step.folders.clear()
                continue
            active = [*outer, *_own_rules(guard, prefix, step.files)]
            step.folders[:] = _entered(prefix, step.folders, active)
            for name in step.folders:
                around[f"{prefix}{name}/"] = active, problem or name_problem(name)
            for name in step.files:
                path = f"{prefix}{name}"
                if name != ".git" and name not in step.special and not _is_ignored(path, active):
                    yield path, name, step, problem


def _check_number(number: int, limit: int) -> None:
    if number > limit:
        raise QmError(
            413,
            "project_too_large",
            f"The project has more than {limit:,} files.",
            "List the files that do not belong to the project in .gitignore, or add a"
            " smaller folder as the project.",
        )


def _entered(prefix: str, names: list[str], active: list[Rules]) -> list[str]:
    return sorted(
        name
        for name in names
        if name not in _MADE_BY_TOOLS and not _is_ignored(f"{prefix}{name}/", active)
    )


def _own_rules(guard: Guard, prefix: str, files: list[str]) -> list[Rules]:
    if ".gitignore" not in files:
        return []
    try:
        return [_rules(guard.read(f"{prefix}.gitignore").data, prefix)]
    except QmError:
        return []


def _rules(data: bytes, prefix: str) -> Rules:
    lines = data.decode("utf-8", errors="replace").splitlines()
    # This backend takes a time that is linear in the path, whatever the patterns are.
    spec = GitIgnoreSpec.from_lines(lines, backend="re2")
    return lambda path: spec.check_file(_valid(path.removeprefix(prefix))).include


def _valid(path: str) -> str:
    """The path with a question mark for what is not valid Unicode, which no rule can name."""
    return path.encode("utf-8", "replace").decode()


def _is_ignored(path: str, active: list[Rules]) -> bool:
    # The rules of the innermost folder decide first.
    said = (rules(path) for rules in reversed(active))
    return next((ignored for ignored in said if ignored is not None), False)


def _facts(step: Step, name: str) -> Facts | None:
    try:
        found = step.place.look(name)
    except OSError:
        return None
    return (found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None
