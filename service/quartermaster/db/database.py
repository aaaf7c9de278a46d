"""The service's way to the database: one transaction a request, one api function in it."""

# asyncpg has no types; everything that leaves this module does.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false
# pyright: reportMissingTypeArgument=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn, Self, cast

import asyncpg

from quartermaster.core.errors import QmError
from quartermaster.db import driver
from quartermaster.db.driver import Heard, Row
from quartermaster.db.operations import Operation, acting_for
from quartermaster.db.principal import Principal, Role, Subject, key_digest


@dataclass(frozen=True)
class Connections:
    """Connections of the login role qm_service.

    Attributes:
        pool: of asyncpg's.
        operations: the functions of schema api, by name.
        statement_timeout_ms: milliseconds; 0 for none.
        listen_dsn: to the server, where the pool's leads to a pooler without notifications.
    """

    pool: asyncpg.Pool
    operations: Mapping[str, Operation]
    statement_timeout_ms: int
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
    ) -> AsyncGenerator[Self]:
        """Connects.

        Args:
            dsn: of the service's login.
            pool_min, pool_max: connections kept and allowed.
            statement_timeout_ms, listen_dsn: as above.

        Raises:
            QmError: QM503 database_unavailable.
        """
        with driver.mapped_errors():
            pool = await driver.open_pool(
                dsn, pool_min, pool_max, statement_timeout_ms, prepares=listen_dsn is None
            )
        try:
            operations = await driver.read_operations(pool)
            yield cls(pool, operations, statement_timeout_ms, listen_dsn)
        finally:
            await pool.close()


class Database:
    """The service's way to the database. Every call is one transaction as one principal.

    Args:
        connections: which it uses; they must outlive it.
    """

    def __init__(self, connections: Connections) -> None:
        self._pool = connections.pool
        self._operations = connections.operations
        self._statement_timeout_ms = connections.statement_timeout_ms
        self._listen_dsn = connections.listen_dsn

    def connections(self) -> tuple[int, int]:
        """The number of connections, and how many of them are idle."""
        return self._pool.get_size(), self._pool.get_idle_size()

    async def authenticate(self, key: str) -> Principal:
        """Finds the principal of a bearer key.

        Raises:
            QmError: QM401 key_invalid.
        """
        return await self._principal("select * from api.authenticate($1)", key_digest(key))

    async def check(self, principal: Principal) -> None:
        """Checks the key of a principal, unless that was done already.

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
            subject: of the token.
            creates: whether an unknown one becomes a principal.

        Raises:
            QmError: QM403 subject_unknown, QM404 organisation_not_found, QM409
                principal_exists.
        """
        return await self._principal(
            "select * from api.authenticate_token($1, $2, $3, $4, $5, $6, $7)",
            subject.issuer,
            subject.subject,
            subject.issued_at,
            subject.name,
            subject.role,
            subject.organisation,
            creates,
        )

    async def find_principal(self, name: str) -> Principal:
        """A principal by name, for local doors.

        Raises:
            QmError: QM403 principal_unknown.
        """
        return await self._principal("select * from api.find_principal($1)", name)

    async def call(
        self, operation: str, principal: Principal | None, /, **arguments: object
    ) -> list[Row]:
        """Calls one api function in a transaction of its own, committed before this returns.

        Args:
            operation: name of the function in schema api.
            principal: on whose behalf; row policies and grants are theirs. None: the service's
                own login, for the few functions that are granted to nobody else.
            arguments: by name; those left out take the function's defaults. A vector is a
                sequence of floats, JSON is dicts and lists.

        Returns:
            The rows, as dicts by column name.

        Raises:
            QmError: what the function raised, or QM403 not_permitted, QM503, QM504, as `check`.
        """
        known = self._operations[operation]
        statement, values = known.statement(arguments), tuple(arguments.values())
        shown = principal.unchecked_key if principal is not None else None
        if known.is_own and self._listen_dsn is None:
            # One statement is a transaction by itself: one way to the server and back, not three.
            if principal is not None:
                ending, who = acting_for(principal, len(values))
                statement, values = statement + ending, values + who
            ask = partial(driver.run, self._pool, statement, values)
        else:
            if principal is not None:
                await self.check(principal)
            begin = known.begin(principal, self._statement_timeout_ms)
            ask = partial(driver.transact, self._pool, begin, statement, values)
        try:
            rows = await ask()
        except QmError as error:
            if not error.is_retryable:
                raise
            rows = await ask()
        if shown is not None:
            shown.is_checked = True
        return rows

    async def call_one(
        self, operation: str, principal: Principal | None, /, **arguments: object
    ) -> Row:
        """The single row of a function that returns exactly one."""
        return (await self.call(operation, principal, **arguments))[0]

    async def call_value(
        self, operation: str, principal: Principal | None, /, **arguments: object
    ) -> Any:
        """The single value of a function that returns a scalar or JSON."""
        return next(iter((await self.call_one(operation, principal, **arguments)).values()))

    async def listen(
        self, channels: Sequence[str], heard: Heard, listening: Callable[[], None]
    ) -> NoReturn:
        """Hears notifications on a connection of its own, until it is lost or the task cancelled.

        Args:
            channels: names, such as qm_refresh.
            heard: called with channel and payload; must not block.
            listening: called once when from now on nothing is missed; must not block.

        Raises:
            QmError: QM503 database_unavailable when the connection is lost; call again.
        """
        with driver.mapped_errors():
            await driver.hear(self._pool, self._listen_dsn, channels, heard, listening)

    async def _principal(self, statement: str, *arguments: object) -> Principal:
        row = (await driver.run(self._pool, statement, arguments))[0]
        return Principal(row["principal_id"], row["principal"], cast(Role, row["role"]))
