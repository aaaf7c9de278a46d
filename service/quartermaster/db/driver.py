"""Handles the parts of asyncpg that need special care: connections, types and errors."""

# asyncpg is untyped, but everything that leaves this module is typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false
# pyright: reportMissingTypeArgument=false, reportMissingTypeStubs=false
# pyright: reportAttributeAccessIssue=false, reportUnknownLambdaType=false

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final, NoReturn

import anyio
import asyncpg

from quartermaster.core.errors import RETRYABLE_SQLSTATES, QmError
from quartermaster.core.logs import get_logger
from quartermaster.db.operations import API_FUNCTIONS, Operation, operations_of

_log = get_logger(part="database")
Heard = Callable[[str, str], None]
Row = Mapping[str, Any]

_CONNECT_S: Final = 5
# What a connection that the server or a pooler has ended raises when it is used.
_ENDED_CONNECTION_ERRORS: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.exceptions.IdleSessionTimeoutError,
    asyncpg.InterfaceError,
    ConnectionResetError,
    BrokenPipeError,
)
_VECTOR_SCHEMA: Final = """
select n.nspname from pg_extension as e
inner join pg_namespace as n on n.oid = e.extnamespace where e.extname = 'vector'
"""
GRACE_S: Final = 5.0
"""Number of seconds that an answer may be overdue before the server is treated as unreachable."""


class PooledConnection(asyncpg.Connection):
    """A connection that is returned to the pool without a reset. No reset is needed, because its
    settings apply to only one transaction.
    """

    def get_reset_query(self) -> str:
        """Returns no query, because a reset would cost each call another round trip to the
        server.
        """
        return ""


async def open_pool(
    dsn: str, pool_min: int, pool_max: int, statement_timeout_ms: int, *, prepares: bool = True
) -> asyncpg.Pool:
    """Opens a pool of connections; see `database.Connections.open`.

    If statements are prepared, a connection keeps its settings, so the time limit is set once for
    each connection.
    """

    async def prepare(connection: asyncpg.Connection) -> None:
        await prepare_connection(connection)
        if prepares:
            # Not at the start of the connection, where a pooler that keeps a process for each
            # client would refuse it. The server does not end what waits for the next request.
            await connection.execute(
                f"set statement_timeout = {statement_timeout_ms}; set idle_session_timeout = 0"
            )

    # asyncpg logs every failed attempt to connect; we report it once.
    logging.getLogger("asyncpg.pool").setLevel(logging.ERROR)
    # The server ends slow statements itself. The time limit here is for a server that has vanished
    # from the network.
    patience_s = statement_timeout_ms / 1000 + GRACE_S if statement_timeout_ms else None
    return await asyncpg.create_pool(
        dsn,
        min_size=pool_min,
        max_size=pool_max,
        init=prepare,
        connection_class=PooledConnection,
        timeout=_CONNECT_S,
        command_timeout=patience_s,
        statement_cache_size=100 if prepares else 0,
    )


async def read_operations(pool: asyncpg.Pool) -> dict[str, Operation]:
    """Reads the functions in the schemas api and service, by name."""
    with mapped_errors():
        return operations_of(await pool.fetch(API_FUNCTIONS))


async def run(
    pool: asyncpg.Pool, statement: str, given: Sequence[object], *, is_repeatable: bool = False
) -> list[Row]:
    """Runs one statement in its own transaction, and returns its rows. If the connection was
    closed, a repeatable statement is run again on another connection.
    """
    with mapped_errors():
        try:
            rows = await pool.fetch(statement, *given)
        except _ENDED_CONNECTION_ERRORS:
            if not is_repeatable:
                raise
            rows = await pool.fetch(statement, *given)
        return [dict(row) for row in rows]


async def transact(
    pool: asyncpg.Pool, begin: str, statement: str, given: Sequence[object]
) -> list[Row]:
    """Runs one statement in an open transaction, and returns its rows."""
    async with _transaction(pool, begin) as connection:
        return [dict(row) for row in await connection.fetch(statement, *given)]


async def transact_typed(
    pool: asyncpg.Pool, begin: str, statement: str, given: Sequence[object]
) -> tuple[dict[str, str], list[Row]]:
    """Runs one statement in an open transaction; returns the types of its columns, and its rows."""
    async with _transaction(pool, begin) as connection:
        prepared = await connection.prepare(statement)
        rows: list[Row] = [dict(row) for row in await prepared.fetch(*given)]
        return {each.name: each.type.name for each in prepared.get_attributes()}, rows


@asynccontextmanager
async def _transaction(pool: asyncpg.Pool, begin: str) -> AsyncGenerator[Any]:
    with mapped_errors():
        async with AsyncExitStack() as stack:
            connection = await stack.enter_async_context(pool.acquire())
            try:
                await connection.execute(begin)
            except _ENDED_CONNECTION_ERRORS:
                # It was ended while it was idle, so nothing has begun.
                connection = await stack.enter_async_context(pool.acquire())
                await connection.execute(begin)
            try:
                yield connection
            except BaseException:
                with anyio.CancelScope(shield=True):
                    if not connection.is_closed():
                        await connection.execute("rollback")
                raise
            await connection.execute("commit")


async def prepare_connection(connection: asyncpg.Connection) -> None:
    """Sets up a new connection so that it converts JSON (dicts and lists) and vectors (float
    sequences).

    Raises:
        ConnectionError: Quartermaster was removed from the database.
    """
    schema = await connection.fetchval(_VECTOR_SCHEMA)
    if schema is None:
        raise ConnectionError("the database lacks the extension vector")
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=json.dumps, decoder=json.loads
    )
    await connection.set_type_codec(
        "vector",
        schema=str(schema),
        encoder=_vector_literal,
        decoder=str,
        format="text",
    )


async def hear(
    pool: asyncpg.Pool,
    dsn: str | None,
    channels: Sequence[str],
    heard: Heard,
    listening: Callable[[], None],
) -> NoReturn:
    """Receives notifications until the connection is lost (see `Database.listen`).

    Args:
        pool: pool from which the connection is taken; it is not returned.
        dsn: DSN for a separate connection, which is used instead of the pool; None uses the pool.
        channels, heard, listening: see `Database.listen`.
    """
    async with AsyncExitStack() as stack:
        if dsn is None:
            connection = await stack.enter_async_context(pool.acquire())
        else:
            connection = await asyncpg.connect(dsn, timeout=_CONNECT_S)
            await connection.execute("set idle_session_timeout = 0")
        # This connection listens, so it does not return to the pool. The pool opens another
        # connection.
        stack.callback(connection.terminate)
        for channel in channels:
            await connection.add_listener(
                channel, lambda _c, _p, name, payload: heard(str(name), str(payload))
            )
        listening()
        while True:
            await anyio.sleep(1)
            await connection.execute("select 1", timeout=GRACE_S)
    raise AssertionError("this point is never reached")


def _vector_literal(vector: Sequence[float]) -> str:
    return f"[{','.join(map(str, vector))}]"


class mapped_errors:  # noqa: N801 - reads as a statement
    """Raises a QmError in place of a driver exception from the block."""

    def __enter__(self) -> None: ...

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, asyncpg.PostgresError):
            sqlstate = error.sqlstate or "XX000"
            message = str(error.args[0]) if error.args else ""
            mapped = QmError.from_sqlstate(
                sqlstate,
                getattr(error, "constraint_name", None),
                message,
                getattr(error, "hint", None),
                getattr(error, "detail", None) if sqlstate not in RETRYABLE_SQLSTATES else None,
            )
            if mapped.slug == "internal":
                # The caller is not told the cause, so the log must have it.
                _log.error("database_error", sqlstate=sqlstate, error=message)
            raise mapped from error
        if isinstance(error, asyncpg.DataError):
            raise QmError.from_sqlstate("22000", None, str(error), None, None) from error
        # InternalClientError: the connection broke in the middle of a message.
        if isinstance(error, (OSError, asyncpg.InterfaceError, asyncpg.InternalClientError)):
            raise QmError.from_sqlstate("08006", None, str(error), None, None) from error
