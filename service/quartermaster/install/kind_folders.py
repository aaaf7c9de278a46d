"""Folders with the user's own kinds, laid out like this repository, each with its own ledger."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from psycopg import sql

from quartermaster.core import paths
from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import added_packages
from quartermaster.install.discover import Actor, Step, digest_of, schema_names
from quartermaster.install.execute import Connection, owner_rows
from quartermaster.settings.settings import load

# The folders that have been applied, and how many cards the kinds of each have. Releases before
# this one do not know which are hidden.
_KNOWN: Final = """
select
    f.name, f.digest, coalesce((to_jsonb(f) ->> 'is_hidden')::boolean, false) as is_hidden,
    (
        select count(*)
        from search.card as c inner join search.kind as k on k.name = c.kind
        where k.folder = f.name
    ) as cards
from core.kind_folder as f
order by f.name
"""


_SCHEMA: Final = re.compile(r"\bcreate\s+schema\s+(?:if\s+not\s+exists\s+)?(\w+)")


@dataclass(frozen=True)
class UnnamedFolder:
    """A folder that was applied and that the settings do not name any more.

    Attributes:
        name: name of the folder.
        is_hidden: whether an installation has hidden its kinds since.
        cards: how many cards its kinds have.
    """

    name: str
    is_hidden: bool
    cards: int


@dataclass(frozen=True)
class KindFolder:
    """A folder with migrations/, functions/ and sql/kinds/."""

    path: Path

    @property
    def name(self) -> str:
        """The name of the folder in the database."""
        return self.path.name

    def migrations(self) -> list[Step]:
        """The migrations in order; each one runs once."""
        return self._steps("migrations/*.sql")

    def functions(self) -> list[Step]:
        """The files that every installation applies, with one function in each."""
        return self._steps("functions/**/*.sql")

    def kinds(self) -> list[Step]:
        """The files with rows, settings, policies and grants for the folder's kinds, which are
        applied last."""
        return self._steps("sql/kinds/*.sql")

    def digest(self) -> str:
        """SHA-256 hash of all files that are applied, in hexadecimal."""
        return digest_of([*self.migrations(), *self.functions(), *self.kinds()])

    def recorded(self) -> str:
        """The statement that records what was applied."""
        statement = sql.SQL(
            "insert into core.kind_folder (name, digest, schemas) values ({}, {}, {}::text[])"
            " on conflict (name) do update"
            " set digest = excluded.digest, schemas = excluded.schemas, is_hidden = false;"
        )
        return statement.format(self.name, self.digest(), self.schemas()).as_string()

    def schemas(self) -> list[str]:
        """The schemas that its files make, or in which they make functions."""
        made = {name for step in self.migrations() for name in _SCHEMA.findall(step.sql.lower())}
        filled = {path.parent.name for path in self.path.glob("functions/*/*.sql")}
        return sorted((made | filled) - set(schema_names()))

    def _steps(self, pattern: str) -> list[Step]:
        return [
            Step(
                f"{self.name}/{path.relative_to(self.path).as_posix()}",
                self._read(path),
                Actor.OWNER,
                self.name,
            )
            for path in sorted(self.path.glob(pattern))
        ]

    def _read(self, path: Path) -> str:
        # A link out of the folder would show a line of any file in an error message.
        problem = "is a link out of its folder"
        # In the script of qm bundle, psql would execute what follows a line break.
        if not path.relative_to(self.path).as_posix().isprintable():
            problem = "has a control character in its path"
        elif path.resolve().is_relative_to(self.path.resolve()):
            try:
                return path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                problem = "is not UTF-8 text"
            except OSError as error:
                problem = f"cannot be read: {error.strerror}"
        raise _invalid(f"{path} {problem}", "Correct or remove the file.")


def kind_folders(of_settings: Iterable[Path]) -> tuple[KindFolder, ...]:
    """The folders named in the settings and the folders of installed packages.

    Raises:
        QmError: QM422 kind_folder_invalid.
    """
    of_settings = list(of_settings)
    for path in of_settings:
        # A relative path would mean a different folder in each working directory.
        if not path.is_absolute() or not path.name.isprintable():
            raise _invalid(
                f"{path} is not an absolute path, or its name contains a control character",
                "In kinds.folders, name folders by absolute paths such as /srv/recipes.",
            )
    of_packages = [package.folder for package in added_packages() if package.folder is not None]
    folders = {KindFolder(path.resolve()): None for path in [*of_settings, *of_packages]}
    names = [folder.name for folder in folders]
    for folder in folders:
        if not folder.kinds() or names.count(folder.name) > 1:
            raise _invalid(
                f"{folder.path} has no sql/kinds/*.sql, or another folder has the same name",
                "In kinds.folders, name a folder with migrations/, functions/ and sql/kinds/.",
            )
    return tuple(folders)


def configured_folders(data_dir: Path | None) -> tuple[KindFolder, ...]:
    """The kind folders of an installation.

    Args:
        data_dir: data directory as given to a command; None for the default directory.

    Raises:
        QmError: QM422 kind_folder_invalid, or an error in the settings.
    """
    return kind_folders(map(Path, load(paths.data_dir(data_dir)).kinds.folders))


def recorded(folders: Iterable[KindFolder]) -> str:
    """The statements that record what was applied, and hide the kinds of all other folders."""
    folders = list(folders)
    hide = sql.SQL(
        "update core.kind_folder set is_hidden = true where name <> all({}::text[]);"
        " select catalog.hide_kinds();"
    ).format([folder.name for folder in folders])
    return "\n".join([*(folder.recorded() for folder in folders), hide.as_string()])


def changed_folders(connection: Connection, folders: Iterable[KindFolder]) -> list[str]:
    """The names of the folders that differ from the database."""
    known = {name: digest for name, digest, is_hidden, _ in _known(connection) if not is_hidden}
    return [folder.name for folder in folders if known.get(folder.name) != folder.digest()]


def unnamed_folders(connection: Connection, folders: Iterable[KindFolder]) -> list[UnnamedFolder]:
    """The folders that are recorded in the database, but no longer named in the settings."""
    named = {folder.name for folder in folders}
    return [
        UnnamedFolder(name, is_hidden=is_hidden, cards=cards)
        for name, _, is_hidden, cards in _known(connection)
        if name not in named
    ]


def _known(connection: Connection) -> list[tuple[Any, ...]]:
    return owner_rows(connection, _KNOWN)


def _invalid(what: str, hint: str) -> QmError:
    return QmError(422, "kind_folder_invalid", what, hint)
