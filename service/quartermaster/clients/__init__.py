"""The configuration files of MCP clients: where they are, and how they are read and changed."""
