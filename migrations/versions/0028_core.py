"""Gives texts a collation of their own: runs the SQL file with the same name."""

from __future__ import annotations

from quartermaster.install.migration import run_sql_beside

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    run_sql_beside(__file__)
