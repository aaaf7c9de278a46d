"""The HTTP server, with all doors, health checks, metrics and debugging."""
