"""Shared parts of the doors: authentication, the handling of every HTTP request, and the base MCP
server.
"""
