"""Alembic environment, which only writes the script of the pending migrations; the installer runs
it."""

from __future__ import annotations

from alembic import context

context.configure(
    dialect_name="postgresql",
    version_table="alembic_version",
    version_table_schema="core",
    output_buffer=context.config.output_buffer,
)
context.run_migrations()
