"""Keeps catalog snapshots outside the database: a file with the definitions, and its signature."""
