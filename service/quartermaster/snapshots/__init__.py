"""Snapshots of the catalog outside of the database: a file of their own, and the seal on it."""
