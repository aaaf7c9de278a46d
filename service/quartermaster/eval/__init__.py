"""Measures retrieval on files of tools and goals with known answers."""
