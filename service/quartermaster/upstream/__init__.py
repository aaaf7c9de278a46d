"""Starts, connects, watches and calls upstream MCP servers."""
