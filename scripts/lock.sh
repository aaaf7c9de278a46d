#!/usr/bin/env bash
# Pins all dependencies with their hashes, for all platforms:
#   requirements/runtime.txt  the service with all kinds; ranges in the files pyproject.toml
#   requirements/run.txt      with the checkers of code quality, for a clone; ranges in run.in
#   requirements/dev.txt      with tests and linters; ranges in dev.in
#   requirements/train.txt    training, beside runtime.txt; ranges in train.in
#   requirements/audit.txt    the tools of `make sbom` and `make audit`; ranges in audit.in
#   service/quartermaster/starter/locks/  the starter upstreams; versions in starter.json
# Pinned versions stay unless --upgrade or --upgrade-package NAME is given.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3.11}
tools=build/lock-venv
[ -x "$tools/bin/uv" ] || { "$python" -m venv "$tools"; "$tools/bin/pip" install -q uv; }

projects=(pyproject.toml kinds/*/pyproject.toml)
# They need each other, and no package index has them.
ours=$(sed -n 's/^name = "\(.*\)"$/\1/p' "${projects[@]}")
compile() {
    "$tools/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --excludes <(echo "$ours") \
        --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" "$@"
}
compile "$@" --extra checkers --output-file requirements/dev.txt "${projects[@]}" requirements/dev.in
# Starting from the other file gives the same versions.
cp requirements/dev.txt requirements/run.txt
compile --extra checkers --output-file requirements/run.txt "${projects[@]}" requirements/run.in
cp requirements/run.txt requirements/runtime.txt
compile --output-file requirements/runtime.txt "${projects[@]}"
compile "$@" --constraint requirements/runtime.txt --output-file requirements/train.txt requirements/train.in
compile "$@" --output-file requirements/audit.txt requirements/audit.in

starter=service/quartermaster/starter
"$python" - "$starter/starter.json" <<'PYTHON' | while read -r name registry package version; do
import json, sys

for name, fields in json.load(open(sys.argv[1])).items():
    print(name, fields["registry"], fields["package"], fields["version"])
PYTHON
    lock=$starter/locks/$name
    mkdir -p "$lock"
    if [ "$registry" = pypi ]; then
        compile "$@" --only-binary :all: --output-file "$lock/requirements.txt" - <<<"$package==$version"
    else
        printf '{\n  "private": true,\n  "dependencies": {"%s": "%s"}\n}\n' "$package" "$version" >"$lock/package.json"
        # Without the addresses, npm takes the packages from the registry that the user has configured.
        npm install --prefix "$lock" --package-lock-only --ignore-scripts --no-audit --no-fund \
            --omit-lockfile-registry-resolved --loglevel=error
    fi
done
