"""``qm stdio`` beside a running service: passes messages on between stdin, stdout and an MCP door.

A client may start many of these, and waits for each. So this package imports neither the MCP SDK
nor the command line, only the standard library and ``quartermaster.core``.
"""

from __future__ import annotations

from typing import Final

KEY_VARIABLE: Final = "QM_KEY"
"""The environment variable with the key that `qm stdio` uses."""
