"""The doors of the service: MCP for both protocol eras, reconciliation; over HTTP and stdio."""
