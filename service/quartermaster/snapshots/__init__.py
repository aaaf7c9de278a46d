"""Snapshots of the catalog outside the database: a file and its seal."""
