"""Findings name the words that would hide them: runs the SQL file with the same name."""

from __future__ import annotations

from quartermaster.install.migration import run_sql_beside

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    run_sql_beside(__file__)
