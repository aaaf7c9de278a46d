#!/bin/sh
# Runs the service in a container. The script reads the database password from the file that
# QM_DATABASE_PASSWORD_FILE names. It passes the password on in the environment, because the list of
# processes would show it in the arguments.
set -eu

if [ -n "${QM_DATABASE_PASSWORD_FILE:-}" ]; then
    password="$(cat "$QM_DATABASE_PASSWORD_FILE")"
    QM_DATABASE__DSN="postgresql://postgres:$password@${QM_DATABASE_HOST:-db}:5432/quartermaster"
    export QM_DATABASE__DSN
    unset password QM_DATABASE_PASSWORD_FILE QM_DATABASE_HOST
fi
exec qm up --log "$@"
