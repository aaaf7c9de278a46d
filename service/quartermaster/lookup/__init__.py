"""Lookup tables: reading files of rows, and learning the score of their answers."""
