"""``/mcp/reconcile``: lookup tables over MCP, for agents that match strings and for curators."""
