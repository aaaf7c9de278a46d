"""The kind of card that the parts of the service about tools name."""

from __future__ import annotations

from typing import Final

TOOL: Final = "tool"
"""What the tool methods of MCP, ``qm tool``, ``qm import`` and ``qm eval`` without ``--kind`` mean.
Functions that serve every kind take the kind as an argument without a default."""
