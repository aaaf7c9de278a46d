"""Installs this release in a PostgreSQL database: finds, applies or prints SQL files, and diagnoses
problems.
"""
