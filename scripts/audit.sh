#!/usr/bin/env bash
# Two lists of the pinned packages: `sbom` writes the components (CycloneDX) to dist/, and `audit`
# prints the known vulnerabilities of the service's and the starters' packages.
set -euo pipefail
cd "$(dirname "$0")/.."

environment=build/audit-venv
wanted=$(sha256sum <requirements/audit.txt)
if [ "$(cat "$environment/.made-from" 2>/dev/null)" != "$wanted" ]; then
    # pip of our own environment: it is on the list, too, and need not be installed twice.
    .venv/bin/python -m venv --clear --without-pip "$environment"
    .venv/bin/python -m pip --python "$environment/bin/python" install --quiet --disable-pip-version-check --no-input \
        --no-compile --no-deps --require-hashes --only-binary :all: --requirement requirements/audit.txt
    echo "$wanted" >"$environment/.made-from"
fi

case ${1:-} in
sbom)
    mkdir -p dist
    "$environment/bin/cyclonedx-py" requirements --pyproject pyproject.toml --output-reproducible \
        --short-PURLs --output-file dist/quartermaster.cdx.json requirements/runtime.txt
    echo "Wrote dist/quartermaster.cdx.json"
    ;;
audit)
    starters=service/quartermaster/starter/locks
    status=0
    for lock in requirements/runtime.txt "$starters"/*/requirements.txt; do
        echo "$lock"
        "$environment/bin/pip-audit" --require-hashes --disable-pip --requirement "$lock" || status=1
    done
    for lock in "$starters"/*/package-lock.json; do
        echo "$lock"
        npm audit --prefix "$(dirname "$lock")" --package-lock-only || status=1
    done
    exit "$status"
    ;;
*)
    echo "usage: scripts/audit.sh sbom|audit" >&2
    exit 2
    ;;
esac
