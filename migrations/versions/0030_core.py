"""Adds hooks and the parts of a task: runs the SQL file with the same name."""

from __future__ import annotations

from quartermaster.install.migration import run_sql_beside

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    run_sql_beside(__file__)
