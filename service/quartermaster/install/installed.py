"""Checks whether anything needs to be installed, without loading the installer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg

from quartermaster.install import discover
from quartermaster.install.changes import is_changed
from quartermaster.install.execute import HAS_SCHEMA, Connection, connected, unreachable
from quartermaster.install.kind_folders import KindFolder, changed_folders


def is_installed(dsn: str, folders: Sequence[KindFolder] = ()) -> bool:
    """Whether the database is already in the state that an installation would create.

    Raises:
        QmError: QM503 database_unavailable.
    """
    try:
        with connected(dsn) as connection:
            if not has_schema(connection):
                return False
            release = latest_release(connection)
            if release is None or release[1] != discover.digest():
                return False
            return not changed_folders(connection, folders) and not is_changed(connection)
    except psycopg.OperationalError as error:
        raise unreachable(error) from error


def has_schema(connection: Connection) -> bool:
    """Whether any release is installed in the database."""
    return connection.execute(f"select {HAS_SCHEMA}").fetchone() == (True,)


def latest_release(connection: Connection) -> tuple[Any, ...] | None:
    """The version and the digest of the release that was installed last."""
    return connection.execute(
        "select version, digest from core.release order by installed_at desc limit 1"
    ).fetchone()
