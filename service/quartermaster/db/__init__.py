"""The only package that imports asyncpg."""

from __future__ import annotations

from quartermaster.db.database import Database, Principal, Role, Row

__all__ = ["Database", "Principal", "Role", "Row"]
