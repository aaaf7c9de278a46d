"""Importers for files that define origins and tools."""
