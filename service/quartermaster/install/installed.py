"""Whether there is anything to install; told without what installing needs."""

from __future__ import annotations

import psycopg

from quartermaster.install import discover
from quartermaster.install.execute import unreachable


def is_installed(dsn: str) -> bool:
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
            return row is not None and row[0] == discover.digest()
    except psycopg.OperationalError as error:
        raise unreachable(error) from error
