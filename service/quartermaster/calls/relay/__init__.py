"""Everything between a client and an upstream: requests, questions, resources, updates."""
