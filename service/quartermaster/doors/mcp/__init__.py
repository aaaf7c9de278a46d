"""MCP for agents: search and call over the whole catalog, or one origin relayed unchanged."""
