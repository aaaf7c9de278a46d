#!/bin/sh
# Runs PostgreSQL in a container, in the foreground, as the user postgres. If there is no cluster,
# the script first creates one, with the superuser's password from the file that
# POSTGRES_PASSWORD_FILE names. Arguments are passed on to postgres.
set -eu

bin=/usr/lib/postgresql/17/bin
data="${PGDATA:-/var/lib/postgresql/data}"
database=quartermaster

if [ ! -s "$data/PG_VERSION" ]; then
    password_file="${POSTGRES_PASSWORD_FILE:?run-server.sh: name a file with the password}"
    # A cluster is created in a temporary folder, so an unfinished cluster is never used.
    unfinished="$data.new"
    rm -rf "$unfinished"
    "$bin/initdb" --pgdata="$unfinished" --username=postgres --pwfile="$password_file" \
        --auth-local=peer --auth-host=scram-sha-256 --encoding=UTF8 --data-checksums \
        --locale=C.UTF-8 --locale-provider=builtin --builtin-locale=C.UTF-8 \
        --set=shared_preload_libraries=pg_cron,pg_stat_statements \
        --set=pg_stat_statements.track_utility=off \
        --set=cron.database_name="$database" --set=cron.use_background_workers=on \
        --set=max_worker_processes=20 --set=jit=off --set=random_page_cost=1.1 \
        --set=maintenance_work_mem=256MB
    echo 'host all all all scram-sha-256' >> "$unfinished/pg_hba.conf"
    # In single-user mode, PostgreSQL reads statements without listening on a port.
    # What is withheld from logins is withheld in one database only, so they must not enter others.
    printf '%s\n' "create database $database" \
        'revoke connect on database postgres, template1 from public' | "$bin/postgres" --single -D "$unfinished" \
        -c shared_preload_libraries= postgres > /dev/null
    mv "$unfinished" "$data"
fi
exec "$bin/postgres" -D "$data" -c listen_addresses='*' "$@"
