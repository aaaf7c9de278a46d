"""What the doors share: who may come in, the frame of an HTTP request, the MCP server beneath."""
