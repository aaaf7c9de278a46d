"""Brings a PostgreSQL database to this release: which SQL files, apply or print them, diagnose."""
