"""Finds the packages that are installed for a project, and reads their files through the guard.
Runs neither their code nor their interpreter.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.projects.guard import Content, ProjectFileAccess
from quartermaster.projects.opening import NotPlainError, WalkedFolder, opened_folder

_ENVIRONMENT_FOLDERS: Final = (".venv", "venv")
_FOLDERS: Final = ("site-packages", "dist-packages")
_MINOR_PATTERN: Final = re.compile(r"\Apython3(?:\.(\d+))?\Z")
_IMPORT: Final = re.compile(
    # Never over the end of a line: from each of many empty lines, that would read all the others.
    rb"^[ \t\f]*(?:from[ \t]+([A-Za-z_]\w*)"
    rb"|import[ \t]+([A-Za-z_][\w.]*(?:[ \t]*(?:,|\bas\b)[ \t]*[A-Za-z_][\w.]*)*))",
    re.MULTILINE,
)
_SUFFIXES: Final = (".py", ".pyi")
_MARKER: Final = "py.typed"


def packages_folder(root: Path, named: Path | None = None) -> Path | None:
    """Returns the package folder of the given environment or, without it, of the environment
    `.venv` or `venv` below the root of a project. Returns None if there is no package folder, or if
    a part of its path is a link.

    Args:
        root: root of the project.
        named: the environment or its package folder; None for the environment of the project.
    """
    places: list[tuple[Path, tuple[str, ...]]] = [(root, (name,)) for name in _ENVIRONMENT_FOLDERS]
    for base, parts in places if named is None else [(named, ()), *places]:
        here = _listed(base, parts)
        if here is None:
            continue
        if any(name.endswith(".dist-info") for name in here.folders):
            return base.joinpath(*parts)
        for below in _inner(base, parts):
            if _listed(base, below) is not None:
                return base.joinpath(*below)
    return None


def _inner(base: Path, parts: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yields the possible package folders of an environment, the newest Python first."""
    library = _listed(base, (*parts, "lib"))
    found = ((_MINOR_PATTERN.match(name), name) for name in (library.folders if library else ()))
    minors = sorted(((int(match[1] or 0), name) for match, name in found if match), reverse=True)
    for _, name in minors:
        for folder in _FOLDERS:
            yield (*parts, "lib", name, folder)
    yield (*parts, "Lib", _FOLDERS[0])


def _listed(base: Path, parts: Sequence[str]) -> WalkedFolder | None:
    """Lists a folder; returns None if the folder is missing, or if a part of its path is a link."""
    try:
        with opened_folder(base, parts) as place:
            return next(place.walk(), None)
    except (OSError, NotPlainError):
        return None


def installed_state(folder: Path) -> str:
    """Returns a digest that changes when distributions in a package folder change. No file is read:
    installers always create the folder with a distribution's metadata anew, so the digest needs
    only the names and times of these folders.

    Args:
        folder: the folder, as `packages_folder` returns it.
    """
    digest = sha256(str(folder).encode())
    try:
        with opened_folder(folder, []) as place:
            step = next(place.walk(), None)
            for name in sorted(step.folders if step else ()):
                if name.endswith(".dist-info"):
                    digest.update(f"{name}\0{place.look(name).st_mtime_ns}\n".encode())
    except (OSError, NotPlainError):
        digest.update(b"gone")
    return digest.hexdigest()


def imported_names(data: bytes) -> frozenset[str]:
    """Returns the names of the top-level packages that a Python file imports or seems to import,
    without the standard library.

    Args:
        data: the bytes of the file.
    """
    found: set[str] = set()
    for match in _IMPORT.finditer(data):
        listed = match[1] or match[2]
        found |= {part.split()[0].partition(b".")[0].decode() for part in listed.split(b",")}
    return frozenset(found - sys.stdlib_module_names)


def module_files(folder: Path, names: Iterable[str], most: int) -> Iterator[Content]:
    """Yields the Python files of packages and of their type stubs, without following links.

    Args:
        folder: the package folder.
        names: names of the top-level packages.
        most: largest number of files.
    """
    guard = ProjectFileAccess(folder)
    for path in _paths(folder, sorted(names)):
        if most <= 0:
            return
        try:
            yield guard.read(path)
        except QmError:
            continue
        most -= 1


def _paths(folder: Path, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield from (f"{name}{suffix}" for suffix in _SUFFIXES)
        for package in (name, f"{name}-stubs"):
            try:
                with opened_folder(folder, [package]) as place:
                    for step in place.walk():
                        for file in step.files:
                            if file.endswith(_SUFFIXES) or file == _MARKER:
                                yield f"{package}/{step.prefix}{file}"
            except (OSError, NotPlainError):
                continue
