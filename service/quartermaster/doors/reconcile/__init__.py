"""Reconciliation of names with rows of lookup tables: over HTTP, over MCP, with an LLM."""
