"""MCP for agents: the catalog found and called, or one origin relayed as it is."""
