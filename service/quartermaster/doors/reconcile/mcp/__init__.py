"""``/mcp/reconcile``: lookup tables over MCP, for agents that reconcile and for curators."""
