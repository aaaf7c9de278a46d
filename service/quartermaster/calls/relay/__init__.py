"""Whatever passes between a client and an upstream: requests, questions, resources, updates."""
