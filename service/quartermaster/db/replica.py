"""A streaming replica for searches. Its results are used only if the replica is as up to date as
the primary.
"""

# asyncpg is untyped, but everything that leaves this module is typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Final

import anyio

from quartermaster import api
from quartermaster.core.api_call import ApiCall
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db.database import Connections, Database, connection_queue
from quartermaster.db.driver import mapped_errors, open_pool, read_operations
from quartermaster.db.principal import Principal

_AGAIN_S: Final = 10.0

log = get_logger(part="replica")


class Replica:
    """A replica, to which the service connects on first use. While the replica is unavailable, the
    primary does all searches.

    Attributes:
        taken: number of searches whose results were used.
        behind: number of searches whose results were not used, because the replica was behind the
            primary.
        failed: number of times that the replica did not answer.
    """

    def __init__(self, dsn: str, pool_max: int, statement_timeout_ms: int) -> None:
        self.taken = self.behind = self.failed = 0
        self._dsn = dsn
        self._pool_max = pool_max
        self._statement_timeout_ms = statement_timeout_ms
        self._database: Database | None = None
        self._again_at = 0.0
        self._connecting = anyio.Lock()
        self._stack = AsyncExitStack()

    @classmethod
    @asynccontextmanager
    async def open(
        cls, dsn: str | None, *, pool_max: int, statement_timeout_ms: int
    ) -> AsyncGenerator[Replica | None]:
        """Creates the replica without connecting to it.

        Args:
            dsn: DSN of the service's login on the replica; None if there is no replica.
            pool_max: largest number of connections.
            statement_timeout_ms: time limit for statements in milliseconds; 0 means no limit.
        """
        if dsn is None:
            yield None
            return
        replica = cls(dsn, pool_max, statement_timeout_ms)
        async with replica._stack:
            yield replica

    def counts(self) -> dict[str, int]:
        """Returns the numbers of searches by result: taken, behind, failed."""
        return {"taken": self.taken, "behind": self.behind, "failed": self.failed}

    async def prepare_search(
        self,
        primary: Database,
        principal: Principal,
        *,
        goal: str,
        mode: str | None,
        kinds: list[str] | None,
        query_vector: Iterable[float],
    ) -> None:
        """Searches on the replica, and stores the result on the primary. The search on the primary
        then uses the stored result.

        Args:
            primary: the primary, which stores the result if it matches the primary's state.
            principal: the principal on whose behalf the search is made.
            goal, mode, kinds, query_vector: arguments for api.find_cards.
        """
        asked = api.find_cards(goal=goal, mode=mode, kinds=kinds, query_vector=query_vector)
        found = await self._find(principal, asked)
        if found is None:
            return
        try:
            # The argument `kinds` is left out here, because the replica's result contains it.
            remembered = api.remember_cards(
                **found, goal=goal, mode=mode, query_vector=query_vector
            )
            is_taken = await primary.call_value(remembered, principal)
        except QmError as error:
            # In this case, the primary searches without the result of the replica, or reports the
            # problem.
            log.info("replica_not_used", error=str(error))
            return
        self.taken += bool(is_taken)
        self.behind += not is_taken

    async def _find(
        self, principal: Principal, asked: ApiCall[api.FindCardsRow]
    ) -> api.FindCardsRow | None:
        if anyio.current_time() < self._again_at:
            return None
        try:
            database = await self._connected()
            # The replica may not contain the latest disabled principals yet, so the search on the
            # primary checks the principal.
            known = replace(principal, shown_key=None)
            return await database.call_one(asked, known)
        except QmError as error:
            if error.status < 500:
                # The primary will raise the same error, and the primary's error is reported to the
                # caller.
                log.debug("replica_refused", error=str(error))
                return None
            self.failed += 1
            self._again_at = anyio.current_time() + _AGAIN_S
            log.warning("replica_failed", error=str(error), again_in_s=_AGAIN_S)
            return None

    async def _connected(self) -> Database:
        async with self._connecting:
            if self._database is None:
                with mapped_errors():
                    pool = await open_pool(self._dsn, 0, self._pool_max, self._statement_timeout_ms)
                    self._stack.push_async_callback(pool.close)
                    known = await read_operations(pool)
                # A replica accepts only read-only transactions, even if a function might write.
                reading = {name: replace(each, is_writing=False) for name, each in known.items()}
                queue = connection_queue(self._pool_max)
                self._database = Database(
                    Connections(pool, reading, self._statement_timeout_ms, queue)
                )
            return self._database
