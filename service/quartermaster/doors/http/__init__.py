"""The HTTP server: every door mounted, health, metrics, debugging."""
