"""Checks whether anything needs to be installed, without loading the installer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import psycopg

from quartermaster.core.errors import QmError
from quartermaster.install import discover
from quartermaster.install.changes import is_changed
from quartermaster.install.connection import Connection, connected, unreachable
from quartermaster.install.execute import HAS_SCHEMA, let_owner_act, owner_rows
from quartermaster.install.kind_folder import KindFolder
from quartermaster.install.kind_folders import changed_folders, unnamed_folders

# Whether this login acts for the owner, and the name of the owner if it was renamed. Where a dump
# was restored without its owners, the owner is a login.
_STANDING_QUERY: Final = """
select
    pg_has_role(n.nspowner, 'usage')
    or coalesce(pg_has_role(to_regrole('qm_owner'), 'usage'), false),
    case when to_regrole('qm_owner') is null and not r.rolcanlogin then quote_ident(r.rolname) end
from pg_namespace as n inner join pg_roles as r on r.oid = n.nspowner
where n.nspname = 'core'
"""


def is_installed(dsn: str, folders: Sequence[KindFolder] = ()) -> bool:
    """Returns whether the database is already in the state that an installation would create.

    Raises:
        QmError: QM503 database_unavailable; see `require_installer`.
    """
    try:
        with connected(dsn) as connection:
            if not has_schema(connection):
                return False
            require_installer(connection)
            let_owner_act(connection)
            release = latest_release(connection)
            if release is None or release[1] != discover.digest():
                return False
            return (
                not changed_folders(connection, folders)
                and all(folder.is_hidden for folder in unnamed_folders(connection, folders))
                and not is_changed(connection)
            )
    except psycopg.OperationalError as error:
        raise unreachable(error) from error


def has_schema(connection: Connection) -> bool:
    """Returns whether any release is installed in the database."""
    return connection.execute(f"select {HAS_SCHEMA}").fetchone() == (True,)


def require_installer(connection: Connection) -> None:
    """Refuses a login that can neither check nor change the installation in the database.

    Raises:
        QmError: QM403 not_permitted; QM409 owner_renamed.
    """
    if not has_schema(connection):
        return
    [(is_installer, renamed)] = connection.execute(_STANDING_QUERY).fetchall()
    if renamed is not None:
        raise QmError(
            409,
            "owner_renamed",
            f"the role qm_owner is missing; what it owned belongs to {renamed}",
            f"If somebody has renamed it, a superuser must run: alter role"
            f" {renamed} rename to qm_owner;",
        )
    if not is_installer:
        raise QmError(
            403,
            "not_permitted",
            f"the login {connection.info.user} can neither check nor change what another login has"
            " installed",
            "Use the DSN of the login that installed Quartermaster, or of a superuser. If the"
            f" database belongs to {connection.info.user} now, a superuser can run what"
            " qm install --print-admin-sql prints for it.",
        )


def latest_release(connection: Connection) -> tuple[Any, ...] | None:
    """Returns the version and the digest of the release that was installed last.

    Args:
        connection: connection of the administrator, after `execute.let_owner_act`.
    """
    found = owner_rows(
        connection, "select version, digest from core.release order by installed_at desc limit 1"
    )
    return found[0] if found else None
