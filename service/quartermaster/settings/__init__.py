"""All settings: one strict schema, and one YAML file that the environment overrides."""

from __future__ import annotations

from quartermaster.settings.sections import Database, Ingest, Postgres, Server, Upstream
from quartermaster.settings.settings import (
    FILE_NAME,
    Settings,
    default_settings_text,
    load,
    settings_path,
)

__all__ = [
    "FILE_NAME",
    "Database",
    "Ingest",
    "Postgres",
    "Server",
    "Settings",
    "Upstream",
    "default_settings_text",
    "load",
    "settings_path",
]
