"""Measures experts and documentation, and learns their weights."""
