"""Everything that passes between a client and an upstream: requests, questions, resources, updates."""
