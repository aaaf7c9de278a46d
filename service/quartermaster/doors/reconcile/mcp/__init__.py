"""``/mcp/reconcile``: lookup tables over MCP, for agents that reconcile and for curators."""

from __future__ import annotations

from quartermaster.doors.reconcile.mcp.server import DOOR, ReconcileFront

__all__ = ["DOOR", "ReconcileFront"]
