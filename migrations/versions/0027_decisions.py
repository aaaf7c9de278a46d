"""Writes the comments on decisions again: runs the SQL file with the same name."""

from __future__ import annotations

from quartermaster.install.migration import run_sql_beside

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    run_sql_beside(__file__)
