"""Runs the .sql file next to a migration, as all our Alembic revisions do."""

from __future__ import annotations

from pathlib import Path

from alembic import op

from quartermaster.install import discover


def run_sql_beside(revision_file: str) -> None:
    """Writes the .sql file with the same name into the script that the installer runs.

    Args:
        revision_file: ``__file__`` of the revision.
    """
    op.get_context().impl.static_output(discover.migration(Path(revision_file).stem).statement)
