"""Lowers the largest size of a result: runs the SQL file with the same name."""

from __future__ import annotations

from quartermaster.install.migration import run_sql_beside

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    run_sql_beside(__file__)
