"""The doors of the service: MCP for both protocol eras, and reconciliation, over HTTP and stdio."""
