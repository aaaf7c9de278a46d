"""Runs ``qm stdio`` while a service is running: passes messages between stdin and stdout and an MCP
door.

A client may start many such processes, and waits until each has started. So this package imports
neither the MCP SDK nor the command line, only the standard library and ``quartermaster.core``.
"""

from __future__ import annotations

from typing import Final

KEY_VARIABLE: Final = "QM_KEY"
"""The environment variable with the key that `qm stdio` uses."""
