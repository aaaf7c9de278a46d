"""A folder with the SQL of kinds, which has the layout of this repository and a separate ledger."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from functools import cache
from glob import glob
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import BROKEN_HINT, entries, is_ours, package_of
from quartermaster.install.steps import (
    Actor,
    InstallStep,
    digest_of,
    function_identity,
    require_frozen,
    view_identity,
)

GROUP: Final = "quartermaster.kind_folders"
"""Group of entry points: the name of a kind folder, and the Python package that brings it."""
_PARTS: Final = ("rls", "triggers", "views", "seeds", "kinds")
_FUNCTIONS: Final = "functions/**/*.sql"
_SCHEMA: Final = re.compile(r"\bcreate\s+schema\s+(?:if\s+not\s+exists\s+)?(\w+)")


@dataclass(frozen=True)
class KindFolder:
    """A folder with migrations/, functions/ and sql/.

    Attributes:
        path: the folder.
        called: the folder's name in the database; empty if it is the same as the name of `path`.
        is_shipped: whether it comes with Quartermaster. If so, its functions and tables are treated
            like the core's, and its released migrations are frozen.
    """

    path: Path
    called: str = ""
    is_shipped: bool = False

    @property
    def name(self) -> str:
        """The name of the folder in the database."""
        return self.called or self.path.name

    def migrations(self) -> list[InstallStep]:
        """Returns the migrations in order; each one runs once.

        Raises:
            QmError: QM500 migration_edited; see `applied`.
        """
        steps = self._steps("migrations/*.sql")
        if self.is_shipped:
            require_frozen(self.path, steps)
        return steps

    def functions(self) -> list[InstallStep]:
        """Returns the files that every installation applies, with one function in each."""
        return self._steps(_FUNCTIONS)

    def function_names(self) -> list[str]:
        """Returns ``schema.name`` of each function in a folder that comes with Quartermaster."""
        return [function_identity(name) for name in self._names(_FUNCTIONS)]

    def applied(self, *parts: str) -> list[InstallStep]:
        """Returns the files that every installation applies last, such as row policies, seeds and
        kinds.

        Args:
            parts: names of folders in sql/; if none are given, all folders, in order.

        Raises:
            QmError: QM422 kind_folder_invalid.
        """
        return [step for part in parts or _PARTS for step in self._steps(f"sql/{part}/**/*.sql")]

    def digest(self) -> str:
        """Returns the SHA-256 hash of all files that are applied, in hexadecimal."""
        return digest_of([*self.migrations(), *self.functions(), *self.applied()])

    def schemas(self) -> list[str]:
        """Returns the schemas that the files of the folder create, or in which they create
        functions.
        """
        made = {name for step in self.migrations() for name in _SCHEMA.findall(step.sql.lower())}
        return sorted(made | {path.parent.name for path in self.path.glob("functions/*/*.sql")})

    def _steps(self, pattern: str) -> list[InstallStep]:
        names = self._names(pattern)
        # Each folder is asked once where it really is, because there are many files in it.
        inside = {folder for folder in {*map(_folder_name, names)} if self._has(self.path / folder)}
        return [self._step(name, is_inside=_folder_name(name) in inside) for name in names]

    def _has(self, path: Path) -> bool:
        """Returns whether a path is in the folder after its links are resolved."""
        real = f"{os.path.realpath(path)}{os.sep}"
        return real.startswith(f"{os.path.realpath(self.path)}{os.sep}")

    def _names(self, pattern: str) -> list[str]:
        return sorted(glob(pattern, root_dir=self.path, recursive=True))  # noqa: PTH207 - takes half

    def _step(self, name: str, *, is_inside: bool) -> InstallStep:
        is_function = self.is_shipped and name.startswith("functions/")
        function = function_identity(name) if is_function else None
        text = self._read(name, is_inside=is_inside)
        view = view_identity(name) if self.is_shipped else None
        return InstallStep(f"{self.name}/{name}", text, Actor.OWNER, self.name, function, view)

    def _read(self, name: str, *, is_inside: bool) -> str:
        path = self.path / name
        # A link out of the folder would show a line of any file in an error message.
        problem = "is a link out of its folder"
        # In the script of qm bundle, psql would execute what follows a line break.
        if not name.isprintable():
            problem = "has a control character in its path"
        elif is_inside and (not path.is_symlink() or self._has(path)):
            try:
                return path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                problem = "is not UTF-8 text"
            except OSError as error:
                problem = f"cannot be read: {error.strerror}"
        raise invalid(f"{path} {problem}", "Correct or remove the file.")


def _folder_name(name: str) -> str:
    return name.rpartition("/")[0]


def packaged_folders() -> list[KindFolder]:
    """Returns the folders of installed packages. The packages are not imported: this would take a
    second.

    The kind folder of a package is the first of these folders that contains a folder sql/:
    database/ in the package, the package itself, and the parent folder of the package (in a
    checkout).

    Raises:
        QmError: QM500 kind_package_broken. If the package were skipped, its part of the database
            would seem to be no longer needed.
    """
    return list(_packaged(tuple(sys.path)))


@cache
def _packaged(_path: tuple[str, ...]) -> tuple[KindFolder, ...]:
    return tuple(
        KindFolder(
            _folder_of(entry.value, f"{entry.name} of the package {package_of(entry)}"),
            entry.name,
            is_shipped=is_ours(package_of(entry)),
        )
        for entry in entries(GROUP)
    )


def _folder_of(module: str, called: str) -> Path:
    found = find_spec(module)
    for place in found.submodule_search_locations or () if found else ():
        for folder in (Path(place, "database"), Path(place), Path(place).parent):
            if (folder / "sql").is_dir():
                return folder
    raise QmError(
        500,
        "kind_package_broken",
        f"The kind folder {called} cannot be found: the Python package {module} has no sql/.",
        BROKEN_HINT,
    )


def invalid(what: str, hint: str) -> QmError:
    """Returns the error for a folder that cannot be applied."""
    return QmError(422, "kind_folder_invalid", what, hint)
