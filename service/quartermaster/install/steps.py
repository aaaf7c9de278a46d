"""A step of an installation: one SQL file, and the role that runs it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from psycopg import sql

from quartermaster.core.errors import QmError

_CONFINED_BLOCK: Final = """begin
    perform pg_catalog.set_config('qm.kind_folder', {}, true);
    execute {};
    perform pg_catalog.set_config('qm.kind_folder', '', true);
exception
    when insufficient_privilege then
        if sqlerrm !~ '"(role|session_authorization)"' then
            raise;
        end if;
        raise exception using errcode = 'QM422', constraint = 'kind_folder_invalid', message = {},
            hint = 'Remove set role, reset role and set session authorization from the file.';
end"""
# Released migrations did that by acting as the login.
_AS_LOGIN: Final = re.compile(r"^(re)?set role( qm_owner)?;$", re.MULTILINE)

_VIEW: Final = re.compile(r"sql/views/(\w+)/(\w+)\.sql")


class Actor(Enum):
    """The role that runs a step of an installation."""

    ADMINISTRATOR = "administrator"
    OWNER = "qm_owner"


@dataclass(frozen=True)
class InstallStep:
    """One step of an installation: an SQL file and the role that runs it.

    Attributes:
        name: path below the database folder, or the name of a kind folder and the path below it.
        sql: text of the file.
        actor: role that runs the file.
        folder: name of the kind folder that the file comes from; None for the core.
        function: ``schema.name`` of the function that a shipped file replaces; None for others.
        view: ``schema.name`` of the view that a shipped file replaces; None for others.
    """

    name: str
    sql: str
    actor: Actor
    folder: str | None = None
    function: str | None = None
    view: str | None = None

    @property
    def digest(self) -> str:
        """SHA-256 hash of the text, in hexadecimal."""
        return hashlib.sha256(self.sql.encode()).hexdigest()

    @property
    def statement(self) -> str:
        """The SQL that the server executes: the text of the file, or a block that runs it.

        The file of a function replaces all functions with that name, and the file of a view
        replaces the view (sql/replace.sql). A migration
        acts as the owner from its beginning to its end. A file from a kind folder cannot end the
        transaction, and cannot change the role for the next file. Its kinds belong to its folder
        (search.put_kind).
        """
        for what, name in (("function", self.function), ("view", self.view)):
            if name is not None:
                return (
                    f"do $replace$ begin perform pg_temp.replace_{what}("
                    f"'{name}', $file$\n{self.sql}$file$); end $replace$;"
                )
        if self.folder is None:
            is_migration = self.name.startswith("migrations/")
            return _AS_LOGIN.sub("", self.sql) if is_migration else self.sql
        message = f"{self.name} changes the role of the installation"
        block = sql.SQL(_CONFINED_BLOCK).format(self.folder, self.sql, message).as_string()
        return sql.SQL("do {};").format(block).as_string()

    @property
    def extension(self) -> bool:
        """Whether the step creates a server extension."""
        return self.name.startswith("extensions/")

    @property
    def optional(self) -> bool:
        """Whether the installation can continue without the capability if the step fails."""
        return self.name.startswith("extensions/optional/")


def digest_of(steps: Iterable[InstallStep]) -> str:
    """Returns the SHA-256 hash of the names and texts of files, in hexadecimal."""
    return hashlib.sha256("".join(f"{s.name}\0{s.sql}\0" for s in steps).encode()).hexdigest()


def function_identity(name: str) -> str:
    """Returns ``schema.name`` of the function that a file defines.

    Args:
        name: path of the file, which begins with functions/. The next folder is the schema.
            Functions in the schemas api and service are in folders by domain, one level
            deeper.
    """
    _, schema, *_, file = name.split("/")
    return f"{schema}.{file.partition('.')[0]}"


def view_identity(name: str) -> str | None:
    """Returns ``schema.name`` of the view that a file defines; None if it is not the file of one
    view, which is in a folder sql/views/SCHEMA/.
    """
    found = _VIEW.fullmatch(name)
    return ".".join(found.groups()) if found else None


def require_frozen(folder: Path, migrations: Iterable[InstallStep]) -> None:
    """Checks that the released migrations of a folder are unchanged.

    Args:
        folder: the folder; its migrations/frozen.txt has a line for each released migration, with
            digest and file name.
        migrations: its migrations.

    Raises:
        QmError: QM500 migration_edited.
    """
    by_name = {Path(step.name).name: step for step in migrations}
    for line in (folder / "migrations" / "frozen.txt").read_text().splitlines():
        digest, name = line.split()
        require_unchanged(by_name.get(name), digest, f"the released migration {name}")


def require_unchanged(migration: InstallStep | None, digest: str, called: str) -> None:
    """Checks that a migration still has the digest that was recorded at its release.

    Raises:
        QmError: QM500 migration_edited.
    """
    if migration is None or migration.digest != digest:
        raise QmError(
            500,
            "migration_edited",
            f"{called} was changed or removed",
            "Restore the file and put the change into a new migration.",
        )
