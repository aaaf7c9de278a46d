#!/usr/bin/env bash
# Pins all dependencies with their hashes, in requirements/runtime.txt (for the service) and dev.txt
# (with tests and linters). The version ranges are in pyproject.toml and requirements/dev.in. Pinned
# versions stay unless --upgrade or --upgrade-package NAME is given. This takes minutes, because it
# hashes all files.
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
# Starting from the other file gives the same versions and avoids downloading the files again.
cp requirements/dev.txt requirements/runtime.txt
compile --output-file requirements/runtime.txt pyproject.toml
