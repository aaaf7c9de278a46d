"""Measures retrieval with files that contain tools and goals. The right tools for each goal are
known.
"""
