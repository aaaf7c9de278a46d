#!/bin/sh
# Runs the service in a container. The database's password is read from the file that
# QM_DATABASE_PASSWORD_FILE names and becomes part of the settings in the environment: arguments
# would show it in the list of processes.
set -eu

if [ -n "${QM_DATABASE_PASSWORD_FILE:-}" ]; then
    password="$(cat "$QM_DATABASE_PASSWORD_FILE")"
    QM_DATABASE__DSN="postgresql://postgres:$password@${QM_DATABASE_HOST:-db}:5432/quartermaster"
    export QM_DATABASE__DSN
    unset password QM_DATABASE_PASSWORD_FILE QM_DATABASE_HOST
fi
exec qm up "$@"
