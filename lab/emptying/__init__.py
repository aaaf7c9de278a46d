"""Empties each function in turn, and counts which tests notice it."""
