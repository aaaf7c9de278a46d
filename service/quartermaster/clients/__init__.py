"""The configuration files of MCP clients: where they lie, and how they are read and changed."""
