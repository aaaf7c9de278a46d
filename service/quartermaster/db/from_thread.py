"""Calls api functions from a thread that the service started."""

from __future__ import annotations

from anyio import from_thread

from quartermaster.core.api_call import AnyRow, AnyValue, ApiCall, ApiValue
from quartermaster.db.database import Database
from quartermaster.db.principal import Principal


class FromThread:
    """Calls api functions one after the other; see `quartermaster.core.api_call.ApiCaller`.

    Args:
        database: the service's connections.
        principal: the principal on whose behalf the functions run.
    """

    def __init__(self, database: Database, principal: Principal) -> None:
        self._database = database
        self._principal = principal

    def call(self, asked: ApiCall[AnyRow], /) -> list[AnyRow]:
        return from_thread.run(self._database.call, asked, self._principal)

    def call_value(self, asked: ApiValue[AnyValue], /) -> AnyValue:
        return from_thread.run(self._database.call_value, asked, self._principal)
