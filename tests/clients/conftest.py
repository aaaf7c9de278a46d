"""Real clients and servers from npm and PyPI, which only `make test-clients` runs."""

from __future__ import annotations

import os

ALL = "QM_CLIENTS"
# They download hundreds of megabytes.
collect_ignore_glob = [] if os.environ.get(ALL) else ["test_*.py"]
