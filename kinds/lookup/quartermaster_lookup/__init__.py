"""Lookup tables: loads rows from files, answers queries, logs requests, and tries out other
settings (shadows).
"""
