"""Imports what commands of `qm` need, and `qm up`, for `fork_server.py`."""

from __future__ import annotations

import os
import pkgutil
from importlib import import_module

# A console learns how wide it is when it is imported.
os.environ["COLUMNS"] = "200"
# A process with threads is not forked.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
from quartermaster import cli

for module in pkgutil.walk_packages(cli.__path__, f"{cli.__name__}."):
    import_module(module.name)
import_module("quartermaster.doors.http.app")
