"""Calls api functions one after the other, from a command or from a thread of the service."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from quartermaster.db import Database, Principal


class Calling(Protocol):
    """What calls api functions, such as the session of a command."""

    def call(self, operation: str, /, **arguments: object) -> list[dict[str, Any]]: ...

    def call_value(self, operation: str, /, **arguments: object) -> Any: ...


class FromThread:
    """Calls api functions from a thread that the service started.

    Args:
        database: the service's connections.
        principal: in whose name the functions are called.
    """

    def __init__(self, database: Database, principal: Principal) -> None:
        self._database = database
        self._principal = principal

    def call(self, operation: str, /, **arguments: object) -> list[dict[str, Any]]:
        from anyio import from_thread

        return from_thread.run(
            partial(self._database.call, operation, self._principal, **arguments)
        )

    def call_value(self, operation: str, /, **arguments: object) -> Any:
        from anyio import from_thread

        return from_thread.run(
            partial(self._database.call_value, operation, self._principal, **arguments)
        )
