"""Catalog snapshots outside the database: a file and its seal."""
