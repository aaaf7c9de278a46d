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
from quartermaster.core.kind_packages import COMMANDS, EVAL_COMMANDS, entries, kind_packages
from quartermaster.guardrails.linear_patterns import compile_constants

for module in pkgutil.walk_packages(cli.__path__, f"{cli.__name__}."):
    import_module(module.name)
for command in (*entries(COMMANDS), *entries(EVAL_COMMANDS)):
    command.load()
kind_packages()
import_module("quartermaster.doors.http.app")
# These are imported only when they are needed, by nearly each service and command.
for name in ("anyio._backends._asyncio", "onnxruntime", "tokenizers", "typer._adapters", "uvloop"):
    import_module(name)
compile_constants()
