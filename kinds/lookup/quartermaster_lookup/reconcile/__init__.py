"""Reconciliation of names with lookup table rows: over HTTP, over MCP, and with an LLM."""
