"""Measures the quality of experts' answers and documentation lookups, and learns their weights."""
