"""``qm stdio`` beside a running service: passes messages on between stdin, stdout and an MCP door.

A client may start many of these, and waits for each. So this package imports neither the MCP SDK
nor the command line, only the standard library and ``quartermaster.core``.
"""
