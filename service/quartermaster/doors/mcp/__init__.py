"""MCP for agents: searches and calls over the whole catalog, or one origin that is relayed
unchanged.
"""
