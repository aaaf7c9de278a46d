"""Imports what commands of `qm` need, for `fork_server.py`."""

from __future__ import annotations

import os
import pkgutil
from importlib import import_module

# A console learns how wide it is when it is imported.
os.environ["COLUMNS"] = "200"
from quartermaster import cli

for module in pkgutil.walk_packages(cli.__path__, f"{cli.__name__}."):
    import_module(module.name)
