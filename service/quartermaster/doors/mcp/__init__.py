"""MCP for agents. A door offers searches and calls over the whole catalog, or relays one origin
unchanged.
"""
