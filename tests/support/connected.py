"""The service's way to a database, without a service."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from quartermaster.db import Connections, Database


@asynccontextmanager
async def connected(dsn: str) -> AsyncGenerator[Database]:
    """Provides a database that is asked directly."""
    async with Connections.open(dsn) as connections:
        yield Database(connections)
