"""Matches names to rows of lookup tables (reconciliation): over HTTP, over MCP, and with a language
model.
"""
