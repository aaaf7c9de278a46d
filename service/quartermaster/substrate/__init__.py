"""The embedded database server: PostgreSQL inside the data directory."""

from __future__ import annotations

from quartermaster.substrate.embedded import EmbeddedServer

__all__ = ["EmbeddedServer"]
