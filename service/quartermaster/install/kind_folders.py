"""Folders with kinds of one's own: laid out as this repository, each with a ledger of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import kind_packages
from quartermaster.install.discover import Actor, Step

if TYPE_CHECKING:
    from quartermaster.install.execute import Connection


@dataclass(frozen=True)
class KindFolder:
    """One folder: migrations/, functions/, sql/kinds/; its own name is that of its ledger."""

    path: Path

    @property
    def name(self) -> str:
        """Under which the database knows it."""
        return self.path.name

    def migrations(self) -> list[Step]:
        """What is run once, in order."""
        return self._steps("migrations/*.sql")

    def functions(self) -> list[Step]:
        """What is applied at every installation, one function a file."""
        return self._steps("functions/**/*.sql")

    def kinds(self) -> list[Step]:
        """Rows, settings, policies and grants of its kinds, applied last."""
        return self._steps("sql/kinds/*.sql")

    def digest(self) -> str:
        """SHA-256 over every file that is applied, in hexadecimal."""
        together = hashlib.sha256()
        for step in [*self.migrations(), *self.functions(), *self.kinds()]:
            together.update(f"{step.name}\0{step.sql}\0".encode())
        return together.hexdigest()

    def pending(self, applied: dict[str, str]) -> list[Step]:
        """Migrations that are not in the ledger.

        Args:
            applied: the ledger: digests by file name.

        Raises:
            QmError: QM500 migration_edited.
        """
        found = {step.name: step for step in self.migrations()}
        for name, digest in applied.items():
            if name not in found or _digest(found[name]) != digest:
                raise QmError(
                    500,
                    "migration_edited",
                    f"the applied migration {name} was changed or removed",
                    "Restore the file and put the change into a new migration.",
                )
        return [step for name, step in found.items() if name not in applied]

    def record(self, connection: Connection) -> None:
        """Writes the ledger: all migrations are applied."""
        applied = {step.name: _digest(step) for step in self.migrations()}
        connection.execute(
            "insert into core.kind_folder (name, digest, migrations) values (%s, %s, %s)"
            " on conflict (name) do update"
            " set digest = excluded.digest, migrations = excluded.migrations",
            (self.name, self.digest(), json.dumps(applied)),
        )

    def _steps(self, pattern: str) -> list[Step]:
        return [
            Step(
                f"{self.name}/{path.relative_to(self.path).as_posix()}",
                path.read_text(encoding="utf-8"),
                Actor.OWNER,
            )
            for path in sorted(self.path.glob(pattern))
        ]


def kind_folders(of_settings: Iterable[Path]) -> tuple[KindFolder, ...]:
    """The folders that the settings name and those of installed packages.

    Raises:
        QmError: QM422 kind_folder_invalid.
    """
    of_packages = [package.folder for package in kind_packages() if package.folder is not None]
    folders = {KindFolder(path.resolve()): None for path in [*of_settings, *of_packages]}
    names = [folder.name for folder in folders]
    for folder in folders:
        if not folder.kinds() or names.count(folder.name) > 1:
            raise QmError(
                422,
                "kind_folder_invalid",
                f"{folder.path} has no sql/kinds/*.sql, or another folder has its name",
                "Name a folder with migrations/, functions/ and sql/kinds/ in kinds.folders.",
            )
    return tuple(folders)


def applied_migrations(connection: Connection, folder: KindFolder) -> dict[str, str]:
    """The ledger of a folder: digests of its applied migrations by file name."""
    row = connection.execute(
        "select f.migrations from core.kind_folder as f where f.name = %s", (folder.name,)
    ).fetchone()
    return dict(row[0]) if row else {}


def _digest(step: Step) -> str:
    return hashlib.sha256(step.sql.encode()).hexdigest()
