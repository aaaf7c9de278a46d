#!/bin/sh
# Installs the database server of Quartermaster on Debian 13 (trixie): PostgreSQL 17 with pgvector,
# pg_cron and PL/Python. db.Dockerfile and the tests run this script. You can also run it on a VM.
#
#   install-server.sh [--with-tests] [--with-embedding] [--wheels DIR]
#
#   --with-tests       also installs pgTAP and plpgsql_check, for the SQL tests
#   --with-embedding   also installs ONNX Runtime and tokenizers, which embed() in psql needs; then
#                      start the server with PYTHONPATH=/opt/quartermaster/python
#   --wheels DIR       takes Python packages from this folder, not from the package index
#
# The script creates no cluster and starts no server. Running it again changes nothing.
set -eu

version=17
tests=no
embedding=no
wheels=
while [ $# -gt 0 ]; do
    case "$1" in
        --with-tests) tests=yes ;;
        --with-embedding) embedding=yes ;;
        --wheels)
            wheels="${2:?--wheels needs a folder}"
            shift
            ;;
        *)
            echo "install-server.sh: unknown option $1; the options are --with-tests, --with-embedding," \
                "--wheels DIR" >&2
            exit 2
            ;;
    esac
    shift
done

if [ "$(id -u)" -ne 0 ]; then
    echo "install-server.sh: run this script as root" >&2
    exit 1
fi
. /etc/os-release
if [ "${ID:-}" != debian ] || [ "${VERSION_CODENAME:-}" != trixie ]; then
    # On an older Debian these packages would replace its C library.
    echo "install-server.sh: this is ${PRETTY_NAME:-unknown}, not Debian 13; use a container" >&2
    exit 1
fi

packages="postgresql-$version postgresql-$version-pgvector postgresql-$version-cron
    postgresql-plpython3-$version"
if [ "$tests" = yes ]; then
    packages="$packages postgresql-$version-pgtap postgresql-$version-plpgsql-check"
fi
if [ "$embedding" = yes ]; then
    packages="$packages python3-venv"
fi

export DEBIAN_FRONTEND=noninteractive
# Otherwise, the package would create a cluster with default settings.
mkdir -p /etc/postgresql-common
if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf
fi
apt-get update -qq
# The variable contains several words, which must be split.
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends $packages
rm -rf /var/lib/apt/lists/*

if [ "$embedding" = yes ]; then
    target=/opt/quartermaster
    mkdir -p "$target"
    python3 -m venv "$target/venv"
    if [ -n "$wheels" ]; then
        set -- --no-index --find-links "$wheels"
    fi
    "$target/venv/bin/pip" install "$@" --quiet --no-cache-dir --no-deps --only-binary :all: \
        --require-hashes --requirement "$(dirname "$0")/plpy-requirements.txt"
    # A path without Python's version, for PYTHONPATH.
    ln -sfn "$("$target/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')" \
        "$target/python"
fi
