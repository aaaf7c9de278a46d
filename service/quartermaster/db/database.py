"""The service's access to the database. Each call of an api function is one transaction."""

# asyncpg is untyped, but everything that leaves this module is typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false
# pyright: reportMissingTypeArgument=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import NoReturn, Self, TypeVar, cast

import asyncpg

from quartermaster.core.api_call import AnyRow, AnyValue, ApiCall, ApiValue
from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.core.fair_queue import KEPT_FREE, FairQueue
from quartermaster.db import driver
from quartermaster.db.driver import Heard, Row
from quartermaster.db.operations import Operation, acting_for
from quartermaster.db.principal import LOCAL_PRINCIPAL, WORKER, Principal, Role, Subject, key_digest

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Connections:
    """Connections of the service, with the login role qm_service.

    Attributes:
        pool: asyncpg pool.
        operations: the functions in the schemas api and service, by name.
        statement_timeout_ms: time limit for statements in milliseconds; 0 means no limit.
        queue: queue in which requests wait for a connection.
        listen_dsn: DSN of the server itself, for notifications, if the pool connects through a
            pooler that does not pass them on.
    """

    pool: asyncpg.Pool
    operations: Mapping[str, Operation]
    statement_timeout_ms: int
    queue: FairQueue
    listen_dsn: str | None = None

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        dsn: str,
        *,
        pool_min: int = 1,
        pool_max: int = 8,
        statement_timeout_ms: int = 30_000,
        listen_dsn: str | None = None,
        kept_free: float = KEPT_FREE,
    ) -> AsyncGenerator[Self]:
        """Connects to the database.

        Args:
            dsn: DSN of the service's login.
            pool_min, pool_max: smallest and largest number of connections.
            statement_timeout_ms, listen_dsn: see the attributes.
            kept_free: share of the connections that a principal who already uses some leaves free
                for the others.

        Raises:
            QmError: QM503 database_unavailable.
        """
        with driver.mapped_errors():
            pool = await driver.open_pool(
                dsn, pool_min, pool_max, statement_timeout_ms, prepares=listen_dsn is None
            )
        try:
            operations = await driver.read_operations(pool)
            # One connection of the pool listens, unless it has a DSN of its own.
            queue = connection_queue(pool_max - (listen_dsn is None), kept_free)
            yield cls(pool, operations, statement_timeout_ms, queue, listen_dsn)
        finally:
            await pool.close()


def connection_queue(slots: int, kept_free: float = KEPT_FREE) -> FairQueue:
    """Returns a queue for connections. Its length is not limited, because a call that has begun
    must also end.
    """
    return FairQueue(
        "requests to the database", max(slots, 1), kept_free=kept_free, exempt=LOCAL_PRINCIPAL
    )


class Database:
    """The service's access to the database. Every call is one transaction on behalf of one
    principal.

    Args:
        connections: connections to use, which must outlive this object.

    Attributes:
        queue: queue in which requests wait for a connection.
    """

    def __init__(self, connections: Connections) -> None:
        self._pool = connections.pool
        self._operations = connections.operations
        self._statement_timeout_ms = connections.statement_timeout_ms
        self._listen_dsn = connections.listen_dsn
        self.queue = connections.queue

    def connections(self) -> tuple[int, int]:
        """Returns the number of connections, and how many of them are idle."""
        return self._pool.get_size(), self._pool.get_idle_size()

    async def authenticate(self, key: str) -> Principal:
        """Finds the principal of a bearer key.

        Raises:
            QmError: QM401 key_invalid.
        """
        return await self._principal("select * from service.authenticate($1)", key_digest(key))

    async def check(self, principal: Principal) -> None:
        """Checks the key of a principal, unless the key was already checked.

        Raises:
            QmError: QM401 key_invalid, QM409 principal_changed.
        """
        if (shown := principal.unchecked_key) is None:
            return
        if (await self.authenticate(shown.key)).role != principal.role:
            raise QmError(
                409,
                "principal_changed",
                f"the role of {principal.name!r} changed during the request",
                "Send the request again.",
            )
        shown.is_checked = True

    async def authenticate_subject(self, subject: Subject, *, creates: bool) -> Principal:
        """Finds the principal of a verified token.

        Args:
            subject: subject of the token.
            creates: whether to create a principal for an unknown subject.

        Raises:
            QmError: QM403 subject_unknown, QM404 organisation_not_found, QM409
                principal_exists.
        """
        return await self._principal(
            "select * from service.authenticate_token($1, $2, $3, $4, $5, $6, $7)",
            subject.issuer,
            subject.subject,
            subject.issued_at,
            subject.name,
            subject.role,
            subject.organisation,
            creates,
        )

    async def find_principal(self, name: str) -> Principal:
        """Finds a principal by name, for local doors.

        Raises:
            QmError: QM403 principal_unknown.
        """
        return await self._principal("select * from api.find_principal($1)", name)

    async def call(self, asked: ApiCall[AnyRow], principal: Principal | None, /) -> list[AnyRow]:
        """Calls one api function in its own transaction, which is committed before this method
        returns.

        Args:
            asked: the function and its arguments. Vectors are given as sequences of floats, and
                JSON as dicts and lists.
            principal: the principal on whose behalf the function runs, and whose row policies and
                grants apply. None uses the service's own login, for the few functions that only
                this login may run.

        Returns:
            The rows, as dicts by column name.

        Raises:
            QmError: the function's errors, QM403 not_permitted, QM503, QM504, and the errors of
                `check`.
        """
        known, arguments = self._operations[asked.operation], asked.arguments
        statement, values = known.statement(arguments), tuple(arguments.values())
        shown = principal.unchecked_key if principal is not None else None
        if known.is_own and self._listen_dsn is None:
            # A single statement is a transaction by itself: it needs one round trip to the server
            # instead of three.
            if principal is not None:
                ending, who = acting_for(principal, len(values))
                statement, values = statement + ending, values + who
            repeatable = not known.is_writing
            ask = partial(driver.run, self._pool, statement, values, is_repeatable=repeatable)
        else:
            if principal is not None:
                await self.check(principal)
            begin = known.begin(principal, self._statement_timeout_ms)
            ask = partial(driver.transact, self._pool, begin, statement, values)
        async with self.queue.slot(principal.name if principal is not None else WORKER):
            try:
                rows = await ask()
            except QmError as error:
                if not error.is_retryable:
                    raise
                rows = await ask()
        if shown is not None:
            shown.is_checked = True
        return cast(list[AnyRow], rows)

    async def read(
        self, operation: str, principal: Principal, arguments: Mapping[str, object]
    ) -> tuple[dict[str, str], list[Row]]:
        """Calls a function that the sender of a request has named. The function must change
        nothing. The database decides what the principal gets, as it does in psql.

        Args:
            operation: name of the function.
            principal: the principal on whose behalf the function runs.
            arguments: arguments by name, as JSON.

        Returns:
            The SQL types of the columns by name, and the rows.

        Raises:
            QmError: QM404 path_not_found, if there is no such function, or people may not call it;
                QM422 argument_invalid; and the errors of `call`.
        """
        known = self.readable(operation, arguments)
        await self.check(principal)
        begin = known.begin(principal, self._statement_timeout_ms)
        async with self.queue.slot(principal.name):
            return await driver.transact_typed(
                self._pool, begin, known.reading(arguments), [arguments]
            )

    def readable(self, operation: str, arguments: Mapping[str, object]) -> Operation:
        """Finds a function for `read`.

        Raises:
            QmError: QM404 path_not_found, QM422 argument_invalid; see `read`.
        """
        known = self._operations.get(operation)
        if known is None or not known.is_read:
            raise QmError(
                404,
                "path_not_found",
                f"There is no operation {operation[:80]!r} that only reads.",
                "docs/reference.md lists the operations.",
            )
        if unknown := arguments.keys() - known.arguments.keys():
            raise argument_invalid(
                f"{operation} has no argument {min(unknown)[:80]!r}.",
                f"Its arguments are: {', '.join(known.arguments) or 'none'}.",
            )
        if missing := [
            name for name in [*known.arguments][: known.required] if name not in arguments
        ]:
            raise argument_invalid(f"{operation} needs the argument {missing[0]}.", "Give it, too.")
        return known

    async def call_one(self, asked: ApiCall[AnyRow], principal: Principal | None, /) -> AnyRow:
        """Returns the single row of a function that returns exactly one row."""
        return (await self.call(asked, principal))[0]

    async def call_value(
        self, asked: ApiValue[AnyValue], principal: Principal | None, /
    ) -> AnyValue:
        """Returns the single value of a function that returns a scalar or JSON."""
        return next(iter((await self.call_one(asked, principal)).values()))

    async def if_available(self, ask: Callable[[], Awaitable[Answer]]) -> Answer | None:
        """Returns an answer that the caller does not strictly need.

        Args:
            ask: function that calls this database.

        Returns:
            The answer; None if the database is unavailable and the outage copy is used instead.
        """
        return await ask()

    async def listen(
        self, channels: Sequence[str], heard: Heard, listening: Callable[[], None]
    ) -> NoReturn:
        """Receives notifications on a separate connection until it is lost or the task is
        cancelled.

        Args:
            channels: names of channels, such as qm_refresh.
            heard: function that is called with channel and payload for each notification; must not
                block.
            listening: function that is called once, as soon as no further notification can be
                missed; must not block.

        Raises:
            QmError: QM503 database_unavailable when the connection is lost; the caller should then
                call this method again.
        """
        with driver.mapped_errors():
            await driver.hear(self._pool, self._listen_dsn, channels, heard, listening)

    async def _principal(self, statement: str, *arguments: object) -> Principal:
        # It is not yet known who asks, so this counts as the service's own work.
        async with self.queue.slot(WORKER):
            row = (await driver.run(self._pool, statement, arguments, is_repeatable=True))[0]
        return Principal(row["principal_id"], row["principal"], cast(Role, row["role"]))
