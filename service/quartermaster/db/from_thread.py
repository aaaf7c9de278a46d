"""Calls api functions from a thread that the service started."""

from __future__ import annotations

from functools import partial
from typing import Any

from anyio import from_thread

from quartermaster.db.database import Database
from quartermaster.db.principal import Principal


class FromThread:
    """Calls api functions one after the other; see `quartermaster.core.calling`.

    Args:
        database: the service's connections.
        principal: in whose name the functions are called.
    """

    def __init__(self, database: Database, principal: Principal) -> None:
        self._database = database
        self._principal = principal

    def call(self, operation: str, /, **arguments: object) -> list[dict[str, Any]]:
        return from_thread.run(
            partial(self._database.call, operation, self._principal, **arguments)
        )

    def call_value(self, operation: str, /, **arguments: object) -> Any:
        return from_thread.run(
            partial(self._database.call_value, operation, self._principal, **arguments)
        )
