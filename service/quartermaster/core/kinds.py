"""Defines the name of the kind of card for tools. The parts of the service that handle only tools
use this name.
"""

from __future__ import annotations

from typing import Final

TOOL: Final = "tool"
"""The kind that is used by MCP's tool methods, ``qm tool``, ``qm import``, and ``qm eval`` without
``--kind``.

Functions that serve every kind take the kind as an argument without a default."""
