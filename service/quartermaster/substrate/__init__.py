"""The database server that comes with Quartermaster: PostgreSQL inside the data directory."""

from __future__ import annotations

from quartermaster.substrate.embedded import EmbeddedServer

__all__ = ["EmbeddedServer"]
