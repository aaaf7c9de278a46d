#!/usr/bin/env bash
# Trains the embedding model with the arguments given, in a virtual environment that has torch.
set -euo pipefail
cd "$(dirname "$0")/.."

environment=build/train-venv
wanted=$(sha256sum requirements/train.txt | cut -d' ' -f1)
if [ "$(cat "$environment/.made-from" 2>/dev/null)" != "$wanted" ]; then
    echo "Making $environment with torch (some minutes the first time)"
    .venv/bin/python -m venv --clear "$environment"
    "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
        --require-hashes --requirement requirements/train.txt
    echo "$wanted" >"$environment/.made-from"
fi
PYTHONPATH=service:extensions/plpy exec "$environment/bin/python" -m quartermaster.training "$@"
