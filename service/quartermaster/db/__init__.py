"""Access to the database. This is the only package that imports asyncpg."""

from __future__ import annotations

from quartermaster.db.database import Connections, Database
from quartermaster.db.driver import Heard, Row
from quartermaster.db.principal import (
    LOCAL_PRINCIPAL,
    WORKER,
    Principal,
    Role,
    ShownKey,
    Subject,
    key_digest,
)
from quartermaster.db.replica import Replica

__all__ = [
    "LOCAL_PRINCIPAL",
    "WORKER",
    "Connections",
    "Database",
    "Heard",
    "Principal",
    "Replica",
    "Role",
    "Row",
    "ShownKey",
    "Subject",
    "key_digest",
]
