"""Runs the .sql file next to a migration, as all our Alembic revisions do."""

from __future__ import annotations

from pathlib import Path

import psycopg
from alembic import op

from quartermaster.install.extensions import placed


def run_sql_beside(revision_file: str) -> None:
    """Runs the .sql file with the same name in the installer's transaction.

    Args:
        revision_file: ``__file__`` of the revision.
    """
    connection = op.get_bind().connection.dbapi_connection
    assert isinstance(connection, psycopg.Connection)
    text = Path(revision_file).with_suffix(".sql").read_text(encoding="utf-8")
    connection.execute(placed(connection, text).encode())
