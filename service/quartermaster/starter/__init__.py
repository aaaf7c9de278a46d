"""The starter upstreams: real MCP servers that a new installation can use immediately."""
