"""The doors of the service: one MCP server for both protocol eras, over HTTP and stdio."""
