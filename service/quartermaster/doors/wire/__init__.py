"""Shared parts of the doors: authentication, the frame of an HTTP request, the base MCP server."""
