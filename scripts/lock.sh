#!/usr/bin/env bash
# Pins every dependency with its hashes: requirements/runtime.txt (the service) and dev.txt (with
# tests and linters). Ranges are in pyproject.toml and requirements/dev.in. Versions already pinned
# stay unless --upgrade or --upgrade-package NAME is given. Takes minutes: it hashes every file.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3.11}
tools=build/lock-venv
[ -x "$tools/bin/pip-compile" ] || { "$python" -m venv "$tools"; "$tools/bin/pip" install -q pip-tools; }

export CUSTOM_COMPILE_COMMAND="make lock"
compile() {
    "$tools/bin/pip-compile" --quiet --generate-hashes --strip-extras --allow-unsafe \
        --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options "$@"
}
compile "$@" --output-file requirements/dev.txt pyproject.toml requirements/dev.in
# Starting from the other file gives the same versions, and their hashes need no second download.
cp requirements/dev.txt requirements/runtime.txt
compile --output-file requirements/runtime.txt pyproject.toml
