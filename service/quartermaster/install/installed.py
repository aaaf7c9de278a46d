"""Tells whether anything needs to be installed, without loading the installer."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg

from quartermaster.install import discover
from quartermaster.install.execute import unreachable
from quartermaster.install.kind_folders import KindFolder, changed_folders


def is_installed(dsn: str, folders: Sequence[KindFolder] = ()) -> bool:
    """Whether the database already is as an installation would leave it.

    Raises:
        QmError: QM503 database_unavailable.
    """
    try:
        with psycopg.connect(dsn) as connection:
            found = connection.execute("select to_regclass('core.release') is not null").fetchone()
            if not (found and found[0]):
                return False
            row = connection.execute(
                "select digest from core.release order by installed_at desc limit 1"
            ).fetchone()
            if row is None or row[0] != discover.digest():
                return False
            return not changed_folders(connection, folders)
    except psycopg.OperationalError as error:
        raise unreachable(error) from error
