"""Measures retrieval on files of tools and queries with known answers."""
