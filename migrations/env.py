"""Alembic environment, which runs only inside the connection and transaction of the installer."""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table="alembic_version",
    version_table_schema="core",
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
