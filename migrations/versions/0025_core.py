"""Records what an installation has made: runs the SQL file with the same name."""

from __future__ import annotations

from quartermaster.install.migration import run_sql_beside

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    run_sql_beside(__file__)
