"""``/mcp/reconcile``: lookup tables over MCP. It serves agents that match strings, and curators."""
