"""Brings a PostgreSQL database to this release: discover the SQL files, apply or print them, diagnose."""
