"""Brings databases from before the freeze up to date: runs the SQL file with the same name."""

from __future__ import annotations

from quartermaster.install.migration import run_sql_beside

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    run_sql_beside(__file__)
