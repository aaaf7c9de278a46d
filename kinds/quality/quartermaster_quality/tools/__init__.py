"""The MCP tools of the door ``quality``."""
