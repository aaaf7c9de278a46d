"""Drops the old api.end_sessions: runs the SQL file with the same name."""

from __future__ import annotations

from quartermaster.install.migration import run_sql_beside

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    run_sql_beside(__file__)
