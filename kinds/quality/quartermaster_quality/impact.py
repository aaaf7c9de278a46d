"""Finds the effects of a change of one file: importers, uses, tests, and files that often change
with the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.projects.git import open_repository, split
from quartermaster.projects.guard import ProjectFileAccess
from quartermaster.projects.project_files import walk
from quartermaster_quality.imports import ImportIndex, ModuleSymbols, module_names

_MOST_COMMITS: Final = 1000
# A commit of more files says little about any two of them.
_MOST_FILES: Final = 50
_MOST_BYTES: Final = 16 * 2**20
_LEAST_SUPPORT, _LEAST_CONFIDENCE = 3, 0.25
_MOST_SHOWN: Final = 200


class ChangeType(StrEnum):
    """The type of change of a file."""

    ADDED = "added"
    MODIFIED = "modified"
    REMOVED = "removed"


@dataclass(frozen=True)
class Importer:
    """A file that imports the changed file, directly or through other files.

    Attributes:
        path: the file.
        distance: 1 for a direct import, 2 for an import through one other file, and so on.
        line: line of a direct import; otherwise None.
    """

    path: str
    distance: int
    line: int | None = None


@dataclass(frozen=True)
class UsageSite:
    """A place that uses a definition of the changed file.

    Attributes:
        path: the file.
        line: the line.
        name: name of the definition in the changed file.
    """

    path: str
    line: int
    name: str


@dataclass(frozen=True)
class Companion:
    """A file that was often changed in the same commits as the changed file.

    Attributes:
        path: the file.
        support: number of common commits.
        confidence: ``support`` divided by the number of commits of the changed file.
    """

    path: str
    support: int
    confidence: float


@dataclass(frozen=True)
class Impact:
    """The effects of a change of a file.

    Attributes:
        path: the changed file.
        change_type: the type of change.
        importers: files that import the changed file, directly or through other files; nearest
            first.
        uses: places that use definitions of the changed file.
        tests: test files that import the changed file or are named after it.
        companions: files that often change in the same commits.
        broken: imports that stop working; filled only if the file is removed.
        gaps: one sentence for each part of the project that could not be analyzed.
    """

    path: str
    change_type: ChangeType
    importers: tuple[Importer, ...] = ()
    uses: tuple[UsageSite, ...] = ()
    tests: tuple[str, ...] = ()
    companions: tuple[Companion, ...] = ()
    broken: tuple[UsageSite, ...] = ()
    gaps: tuple[str, ...] = ()


def impact(
    guard: ProjectFileAccess,
    index: ImportIndex,
    path: str,
    change_type: ChangeType = ChangeType.MODIFIED,
) -> Impact:
    """Returns the effects of a change of a file, according to the source files of the project.

    Args:
        guard: checks the path of the file.
        index: the up-to-date imports of the project.
        path: the file, below the root.
        change_type: the type of change.

    Raises:
        QmError: QM403 path_denied.
    """
    path = guard.below(path)
    importers = tuple(_importers(index, path))
    broken: tuple[UsageSite, ...] = ()
    if change_type == ChangeType.REMOVED:
        broken = tuple(
            UsageSite(importer.path, importer.line, "import")
            for importer in importers
            if importer.line
        )
    return Impact(
        path,
        change_type,
        importers[:_MOST_SHOWN],
        tuple(islice(_uses(index, path), _MOST_SHOWN)),
        tuple(_tests(index, path, importers)),
        broken=broken,
        gaps=tuple(_gaps(index, path)),
    )


def touched(root: Path, path: str, change_type: ChangeType) -> tuple[Impact, list[str]]:
    """Returns the effects of a change of a file, and the modules of the files that import the file.
    Runs in a worker, which caches the imports that it has read.

    Args:
        root: root of the project.
        path, change_type: see `impact`.

    Raises:
        QmError: QM403 path_denied, QM404 file_not_found, QM413 project_too_large.
    """
    index = _index_of(root)
    guard = ProjectFileAccess(root)
    index.update(walk(guard).files)
    found = impact(guard, index, path, change_type)
    modules = (index.module_of(importer.path) for importer in found.importers)
    return found, sorted({module for module in modules if module})


@cache
def _index_of(root: Path) -> ImportIndex:
    return ImportIndex(ProjectFileAccess(root))


def with_companions(guard: ProjectFileAccess, found: Impact) -> Impact:
    """Adds the files that were often changed in the same commits as the changed file.

    Args:
        guard: guard of the project.
        found: the result to which the files are added.
    """
    gaps: list[str] = []
    companions = tuple(_companions(guard, found.path, gaps))
    return replace(found, companions=companions, gaps=(*gaps, *found.gaps))


def _module(index: ImportIndex, path: str) -> str | None:
    """Returns the name of a file's module. The file need not exist."""
    found = index.module_of(path)
    if found:
        return found
    names = module_names([*index.files, path])
    return next((name for name, own in names.items() if own == path), None)


def _importers(index: ImportIndex, path: str) -> Iterator[Importer]:
    module = _module(index, path)
    if module is None:
        return
    seen = {module}
    level = [module]
    distance = 1
    while level:
        after: list[str] = []
        for target in level:
            for importer in sorted(_importing(index, target) - seen):
                seen.add(importer)
                after.append(importer)
                own = index.modules[importer]
                line = _line(index, own, target) if distance == 1 else None
                yield Importer(own, distance, line)
        level, distance = after, distance + 1


def _importing(index: ImportIndex, module: str) -> set[str]:
    if module in index.modules:
        return index.graph.find_modules_that_directly_import(module)
    # A file that is not there yet, or no longer.
    return {
        name
        for name, path in index.modules.items()
        if any(_names(found.module, found.name, module) for found in index.files[path].imports)
    }


def _names(imported: str, name: str, module: str) -> bool:
    return imported == module or (bool(name) and f"{imported}.{name}" == module)


def _line(index: ImportIndex, path: str, module: str) -> int | None:
    for found in index.files.get(path, ModuleSymbols()).imports:
        target = index.resolved(found)
        if target == module or _names(found.module, found.name, module):
            return found.line
    return None


def _uses(index: ImportIndex, path: str) -> Iterator[UsageSite]:
    """Yields the places in other files that use a definition of the changed module."""
    module = _module(index, path)
    defined = index.files[path].defined if path in index.files else {}
    if module is None:
        return
    for other, facts in sorted(index.files.items()):
        if other == path:
            continue
        local = dict(_local_names(facts, module, defined))
        if not local:
            continue
        seen: set[tuple[int, str]] = set()
        for use in facts.uses:
            name = _used(use.name, local, defined)
            if name and (use.line, name) not in seen:
                seen.add((use.line, name))
                yield UsageSite(other, use.line, name)


def _local_names(
    facts: ModuleSymbols, module: str, defined: dict[str, int]
) -> Iterator[tuple[str, str]]:
    """Yields the local names in a file that refer to a module or its definitions, each with the
    name of the definition. For the module itself, the name of the definition is empty.
    """
    for found in facts.imports:
        if found.name and f"{found.module}.{found.name}" == module:
            yield found.alias, ""
        elif found.module == module and found.name in defined:
            yield found.alias, found.name
        elif found.module == module and not found.name:
            if found.alias == "*":
                yield from ((name, name) for name in defined)
            elif found.alias:
                yield found.alias, ""


def _used(written: str, local: dict[str, str], defined: dict[str, int]) -> str | None:
    parts = written.split(".")
    for length in range(len(parts), 0, -1):
        start = ".".join(parts[:length])
        if start in local:
            name = local[start] or (parts[length] if length < len(parts) else "")
            return name if name in defined else None
    return None


def is_test(path: str) -> bool:
    """Returns whether a file is a test, judging by its name."""
    name = path.rpartition("/")[2]
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def _tests(index: ImportIndex, path: str, importers: tuple[Importer, ...]) -> list[str]:
    stem = path.rpartition("/")[2].rpartition(".")[0]
    found = {importer.path for importer in importers if is_test(importer.path)}
    found |= {
        other
        for other in index.files
        if other.rpartition("/")[2] in {f"test_{stem}.py", f"{stem}_test.py"}
    }
    distances = {importer.path: importer.distance for importer in importers}
    return sorted(found - {path}, key=lambda test: (distances.get(test, 0), test))


def _companions(guard: ProjectFileAccess, path: str, gaps: list[str]) -> Iterator[Companion]:
    try:
        with open_repository(guard.root) as repository:
            if repository.head is None:
                gaps.append("The repository has no commits, so the history of the file is unknown.")
                return
            # The commits of this file, with all files of each.
            said = repository.stream(
                "log",
                f"--max-count={_MOST_COMMITS}",
                "--no-merges",
                "--no-renames",
                "--full-diff",
                "--name-only",
                "-z",
                "--format=%x00%H",
                repository.head,
                "--",
                path,
                most=_MOST_BYTES,
            )
            commits = list(_commits(said))
            if repository.missing_commits:
                gaps.append(repository.missing_commits)
    except QmError as error:
        gaps.append(f"The history of the file could not be read: {error.message}")
        return
    counts: Counter[str] = Counter()
    for files in commits:
        if len(files) <= _MOST_FILES:
            counts.update(files - {path})
    for other, support in counts.most_common(50):
        confidence = support / len(commits)
        if support >= _LEAST_SUPPORT and confidence >= _LEAST_CONFIDENCE:
            yield Companion(other, support, round(confidence, 3))


def _commits(said: Iterator[bytes]) -> Iterator[set[str]]:
    """Yields the changed files of each commit, from the output of ``git log``."""
    files = set[str]()
    is_first = True
    for record in split(said, b"\0"):
        text = record.decode("utf-8", "replace").strip("\n")
        if len(text) in {40, 64} and not set(text) - set("0123456789abcdef"):
            if not is_first:
                yield files
            files, is_first = set[str](), False
        elif text:
            files.add(text)
    if not is_first:
        yield files


def _gaps(index: ImportIndex, path: str) -> Iterator[str]:
    unread = sorted(other for other, facts in index.files.items() if not facts.is_readable)
    if unread:
        yield f"These files could not be parsed: {', '.join(unread[:10])}."
    dynamic = sorted(other for other, facts in index.files.items() if facts.has_dynamic_imports)
    if dynamic:
        yield f"These files compute names of modules that they import: {', '.join(dynamic[:10])}."
    if not path.endswith(".py"):
        yield "Imports and uses are known only for Python files."
