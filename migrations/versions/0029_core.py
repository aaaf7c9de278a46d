"""Drops the note of what was there before: runs the SQL file with the same name."""

from __future__ import annotations

from quartermaster.install.migration import run_sql_beside

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    run_sql_beside(__file__)
