#!/bin/sh
# Creates a migration: an .sql file, and a .py file that runs it. Usage: scripts/new-migration.sh catalog_licences
set -eu
cd "$(dirname "$0")/.."
name=${1:?"name the migration after its domain and subject: make new-migration NAME=catalog_licences"}
last=$(ls migrations/versions/*.sql | sed 's|.*/\([0-9]*\)_.*|\1|' | sort | tail -n 1)
next=$(printf "%04d" "$(expr "$last" + 1)")
base=migrations/versions/${next}_$name
printf -- '-- What this changes, and why.\n' >"$base.sql"
cat >"$base.py" <<PY
"""Creates the tables of the domain $name: runs the SQL file with the same name."""

from __future__ import annotations

from quartermaster.install.migration import run_sql_beside

revision = "$next"
down_revision = "$last"


def upgrade() -> None:
    run_sql_beside(__file__)
PY
echo "created $base.sql; in this file, every new table must enable and force row-level security"
