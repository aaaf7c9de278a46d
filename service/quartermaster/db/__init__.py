"""The only package that imports asyncpg."""

from __future__ import annotations

from quartermaster.db.database import Database, Heard, Row
from quartermaster.db.principal import Principal, Role, Subject
from quartermaster.db.replica import Replica

__all__ = ["Database", "Heard", "Principal", "Replica", "Role", "Row", "Subject"]
