#!/usr/bin/env bash
# Trains the embedding model with the given arguments, in a virtual environment with torch.
set -euo pipefail
cd "$(dirname "$0")/.."

environment=build/train-venv
wanted=$(cat requirements/runtime.txt requirements/train.txt | sha256sum | cut -d' ' -f1)
if [ "$(cat "$environment/.made-from" 2>/dev/null)" != "$wanted" ]; then
    echo "Creating $environment with torch (this takes some minutes the first time)"
    .venv/bin/python -m venv --clear "$environment"
    pip() { "$environment/bin/python" -m pip "$@" --quiet --disable-pip-version-check --no-input; }
    pip install --no-deps --require-hashes --requirement requirements/runtime.txt
    pip install --no-deps --require-hashes --requirement requirements/train.txt
    echo "$wanted" >"$environment/.made-from"
fi
PYTHONPATH=service:extensions/plpy exec "$environment/bin/python" -m lab.training "$@"
