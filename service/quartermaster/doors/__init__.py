"""The doors of the service: MCP for both protocol eras, over HTTP and stdio."""
