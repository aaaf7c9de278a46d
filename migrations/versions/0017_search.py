"""Creates the table of similarities with common goals: runs the SQL file with the same name."""

from __future__ import annotations

from quartermaster.install.migration import run_sql_beside

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    run_sql_beside(__file__)
