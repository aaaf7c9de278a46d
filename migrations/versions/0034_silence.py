"""silence: runs the .sql file beside this one."""

from __future__ import annotations

from quartermaster.install.migration import run_sql_beside

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    run_sql_beside(__file__)
