"""Finds the kind folders of an installation, and their records in the database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from psycopg import sql

from quartermaster.core import paths
from quartermaster.install import discover
from quartermaster.install.connection import Connection
from quartermaster.install.execute import owner_rows
from quartermaster.install.kind_folder import KindFolder, invalid, packaged_folders
from quartermaster.settings.settings import load

# The folders that have been applied, and how many cards the kinds of each have. Releases before
# this one do not know which are hidden.
_KNOWN_QUERY: Final = """
select
    f.name, f.digest, coalesce((to_jsonb(f) ->> 'is_hidden')::boolean, false) as is_hidden,
    coalesce((to_jsonb(f) ->> 'is_shipped')::boolean, false) as is_shipped,
    (
        select count(*)
        from search.card as c inner join search.kind as k on k.name = c.kind
        where k.folder = f.name
    ) as cards
from core.kind_folder as f
order by f.name
"""


@dataclass(frozen=True)
class UnnamedFolder:
    """A folder that was applied earlier. Now, neither the settings nor an installed package name
    it.

    Attributes:
        name: name of the folder.
        is_hidden: whether an installation has hidden its kinds since.
        is_shipped: whether it comes with Quartermaster.
        cards: how many cards its kinds have.
    """

    name: str
    is_hidden: bool
    is_shipped: bool
    cards: int


def kind_folders(of_settings: Iterable[Path]) -> tuple[KindFolder, ...]:
    """Returns the folders that the settings name, and the folders of packages that do not come with
    Quartermaster.

    Raises:
        QmError: QM422 kind_folder_invalid.
    """
    of_settings = list(of_settings)
    for path in of_settings:
        # A relative path would mean a different folder in each working directory.
        if not path.is_absolute() or not path.name.isprintable():
            raise invalid(
                f"{path} is not an absolute path, or its name contains a control character",
                "In kinds.folders, name folders by absolute paths such as /srv/recipes.",
            )
    of_packages = packaged_folders()
    folders = list(dict.fromkeys(KindFolder(path.resolve()) for path in of_settings))
    folders += [folder for folder in of_packages if not folder.is_shipped]
    for folder in folders:
        if not folder.applied("kinds"):
            problem = "has no sql/kinds/*.sql" if folder.path.is_dir() else "is no folder"
            raise invalid(
                f"{folder.path} {problem}",
                "In kinds.folders, name a folder with migrations/, functions/ and sql/kinds/.",
            )
        if len({each.path for each in [*folders, *of_packages] if each.name == folder.name}) > 1:
            raise invalid(
                f"there are two kind folders called {folder.name}",
                "Take one of them out of kinds.folders; a package brings its folder by itself.",
            )
    return tuple(folders)


def configured_folders(data_dir: Path | None) -> tuple[KindFolder, ...]:
    """Returns the kind folders of an installation.

    Args:
        data_dir: data directory as given to a command; None for the default directory.

    Raises:
        QmError: QM422 kind_folder_invalid, or an error in the settings.
    """
    return kind_folders(map(Path, load(paths.data_dir(data_dir)).kinds.folders))


def recorded(folders: Iterable[KindFolder]) -> str:
    """Returns the statements that record the applied folders, and hide the kinds of all other
    folders.
    """
    folders = [*discover.kinds(), *folders]
    hide = sql.SQL(
        "update core.kind_folder set is_hidden = true where name <> all({}::text[]);"
        " select catalog.hide_kinds();"
    ).format([folder.name for folder in folders])
    return "\n".join([*map(_record, folders), hide.as_string()])


def _record(folder: KindFolder) -> str:
    schemas = set(folder.schemas()) - set(discover.core_schemas())
    statement = sql.SQL(
        "insert into core.kind_folder (name, digest, schemas, is_shipped)"
        " values ({}, {}, {}::text[], {}) on conflict (name) do update set"
        " digest = excluded.digest, schemas = excluded.schemas,"
        " is_shipped = excluded.is_shipped, is_hidden = false;"
    )
    return statement.format(
        folder.name, folder.digest(), sorted(schemas), folder.is_shipped
    ).as_string()


def changed_folders(connection: Connection, folders: Iterable[KindFolder]) -> list[str]:
    """Returns the names of the folders that differ from the database. The digest of the release
    covers the folders that come with Quartermaster.
    """
    known = {name: digest for name, digest, is_hidden, *_ in _known(connection) if not is_hidden}
    return [folder.name for folder in folders if known.get(folder.name) != folder.digest()]


def unnamed_folders(connection: Connection, folders: Iterable[KindFolder]) -> list[UnnamedFolder]:
    """Returns the folders in the database's records that now neither the settings nor an installed
    package name.
    """
    named = {folder.name for folder in [*discover.kinds(), *folders]}
    return [
        UnnamedFolder(name, is_hidden=is_hidden, is_shipped=is_shipped, cards=cards)
        for name, _, is_hidden, is_shipped, cards in _known(connection)
        if name not in named
    ]


def _known(connection: Connection) -> list[tuple[Any, ...]]:
    return owner_rows(connection, _KNOWN_QUERY)
