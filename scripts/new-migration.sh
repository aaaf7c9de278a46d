#!/bin/sh
# Creates a migration. Usage: scripts/new-migration.sh catalog_licences
# With KIND=knowledge, in the folder kinds/knowledge.
set -eu
cd "$(dirname "$0")/..${KIND:+/kinds/$KIND}"
name=${1:?"name the migration after its domain and subject: make new-migration NAME=catalog_licences"}
last=$(ls migrations/*.sql | sed 's|.*/\([0-9]*\)_.*|\1|' | sort | tail -n 1)
next=$(printf "%04d" "$(expr "$last" + 1)")
file=migrations/${next}_$name.sql
printf -- '-- What this changes, and why.\n' >"$file"
echo "created $file; in this file, every new table must enable and force row-level security"
