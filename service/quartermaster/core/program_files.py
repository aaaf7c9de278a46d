"""Finds the files that a program needs to run: the program, its interpreter, and the libraries of
both.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

# The parts of an installation, such as a virtual environment, that hold no data of a person.
_PARTS: Final = ("bin", "lib", "lib64", "libexec", "include", "node_modules", "ssl", "pyvenv.cfg")
_SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/nix/store", "/gnu/store")
_MOST_STEPS: Final = 100


def files_of(
    programs: Iterable[str], search: str | None = None, writable: Sequence[Path] = ()
) -> list[Path]:
    """Returns the files and folders that a sandbox must show for programs, except files of the
    system (`/usr`).

    A program in a folder ``bin`` belongs to an installation, whose libraries are shown, too; any
    other program is a single file. Links are followed, and the interpreters of scripts are
    included.

    Args:
        programs: absolute paths of programs.
        search: folders in which an interpreter is looked for, as in ``PATH``.
        writable: real paths that the program may change. Links in these paths are not followed: a
            program could create a link to any file, and see the file at its next start.
    """
    found: dict[Path, None] = {}
    seen: set[Path] = set()
    waiting = [Path(os.path.normpath(program)) for program in programs]
    while waiting and len(seen) < _MOST_STEPS:
        program = waiting.pop()
        if program in seen or not program.exists():
            continue
        seen.add(program)
        if any((program.parent.resolve() / program.name).is_relative_to(at) for at in writable):
            continue
        found |= dict.fromkeys(part for part in _parts(program) if not _is_system(part))
        waiting += [Path(os.path.normpath(step)) for step in _next(program, search)]
    return list(found)


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in _SYSTEM)


def _parts(program: Path) -> Iterator[Path]:
    if program.parent.name != "bin":
        yield program
        return
    prefix = program.parents[1]
    yield from (prefix / part for part in _PARTS if (prefix / part).exists())


def _next(program: Path, search: str | None) -> Iterator[Path]:
    if program.is_symlink():
        yield program.parent / program.readlink()
        return
    configuration = program.parents[1] / "pyvenv.cfg" if len(program.parents) > 1 else program
    if configuration.name == "pyvenv.cfg" and configuration.is_file():
        for line in configuration.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition("=")
            if key.strip() == "home":
                yield Path(value.strip()) / "python3"
    try:
        with program.open("rb") as file:
            start = file.read(256)
    except OSError:
        return
    if start.startswith(b"#!"):
        words = os.fsdecode(start[2:].partition(b"\n")[0]).split()
        yield from (Path(word) for word in words[:1])
        if words and Path(words[0]).name == "env":
            names = (word for word in words[1:] if "=" not in word and not word.startswith("-"))
            for name in names:
                if path := shutil.which(name, path=search):
                    yield Path(path)
