"""The only module that imports asyncpg: one transaction a request, one api function in it."""

# asyncpg carries no types; what leaves this module has them.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false
# pyright: reportMissingTypeArgument=false, reportMissingTypeStubs=false
# pyright: reportAttributeAccessIssue=false, reportUnknownLambdaType=false

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Literal, Self, cast

import asyncpg

from quartermaster.errors import RETRYABLE_SQLSTATES, QmError

Role = Literal["user", "operator", "admin"]
Row = dict[str, Any]

_CATALOGUE: Final = """
select p.proname as name, p.provolatile = 'v' as is_writing,
    array(
        select a.name || ' => ${}::' || format_type(t.type, null)
        from unnest(p.proargnames[:p.pronargs]) with ordinality as a (name, position)
        inner join unnest(p.proargtypes::oid[]) with ordinality as t (type, position)
            using (position)
        order by position
    ) as arguments
from pg_proc as p where p.pronamespace = 'api'::regnamespace
"""


@dataclass(frozen=True)
class Principal:
    """Who asks: id and name in policy.principal, and the role their transactions take."""

    id: int
    name: str
    role: Role


@dataclass(frozen=True)
class _Operation:
    """An api function: whether it writes, and ``name => ${}::type`` of each argument."""

    is_writing: bool
    arguments: dict[str, str]


class Database:
    """The service's connections. Every call is one transaction as one principal."""

    def __init__(
        self, pool: asyncpg.Pool, operations: Mapping[str, _Operation], statement_timeout_ms: int
    ) -> None:
        self._pool = pool
        self._operations = operations
        self._statement_timeout_ms = statement_timeout_ms

    @classmethod
    @asynccontextmanager
    async def open(
        cls, dsn: str, *, pool_min: int = 1, pool_max: int = 8, statement_timeout_ms: int = 30_000
    ) -> AsyncGenerator[Self]:
        """Connects as the login role qm_service.

        Args:
            dsn: of the service's login.
            pool_min, pool_max: connections kept and allowed.
            statement_timeout_ms: milliseconds; 0 for none.

        Raises:
            QmError: QM503 database_unavailable.
        """
        with _mapped_errors():
            pool = await asyncpg.create_pool(
                dsn, min_size=pool_min, max_size=pool_max, init=_prepare_connection
            )
        try:
            with _mapped_errors():
                functions = await pool.fetch(_CATALOGUE)
            operations = {
                f["name"]: _Operation(
                    f["is_writing"], {a.split(" => ")[0]: a for a in f["arguments"]}
                )
                for f in functions
            }
            yield cls(pool, operations, statement_timeout_ms)
        finally:
            await pool.close()

    async def authenticate(self, key: str) -> Principal:
        """The principal of a bearer key.

        Raises:
            QmError: QM401 key_invalid.
        """
        return await self._principal(
            "select * from api.authenticate($1)", sha256(key.encode()).digest()
        )

    async def find_principal(self, name: str) -> Principal:
        """A principal by name, for local doors.

        Raises:
            QmError: QM403 principal_unknown.
        """
        return await self._principal("select * from api.find_principal($1)", name)

    async def call(self, operation: str, principal: Principal, /, **arguments: object) -> list[Row]:
        """Calls one api function in a transaction of its own, committed before this returns.

        Args:
            operation: name of the function in schema api.
            principal: on whose behalf; row policies and grants are theirs.
            arguments: by name; those left out take the function's defaults. A vector is a
                sequence of floats, JSON is dicts and lists.

        Returns:
            The rows, as dicts by column name.

        Raises:
            QmError: what the function raised, or QM403 not_permitted, QM503, QM504.
        """
        known = self._operations[operation]
        given = [known.arguments[name].format(i) for i, name in enumerate(arguments, start=1)]
        statement = f"select * from api.{operation}({', '.join(given)})"  # noqa: S608
        access = "read write" if known.is_writing else "read only"
        begin = (
            f"begin {access}; set local role qm_{principal.role};"
            f" set local statement_timeout = {self._statement_timeout_ms};"
            f" select set_config('qm.principal', '{principal.id:d}', true)"
        )
        try:
            return await self._transact(begin, statement, tuple(arguments.values()))
        except QmError as error:
            if not error.is_retryable:
                raise
            return await self._transact(begin, statement, tuple(arguments.values()))

    async def call_one(self, operation: str, principal: Principal, /, **arguments: object) -> Row:
        """The single row of a function that returns exactly one."""
        return (await self.call(operation, principal, **arguments))[0]

    async def call_value(self, operation: str, principal: Principal, /, **arguments: object) -> Any:
        """The single value of a function that returns a scalar or JSON."""
        return next(iter((await self.call_one(operation, principal, **arguments)).values()))

    async def listen(
        self,
        channels: Sequence[str],
        heard: Callable[[str, str], None],
        *,
        until: Callable[[], bool],
    ) -> None:
        """Hears notifications on a connection of its own until it is lost or ``until`` says so.

        Args:
            channels: names, such as qm_refresh.
            heard: called with channel and payload; must not block.
            until: asked after each lost second.

        Raises:
            QmError: QM503 database_unavailable when the connection is lost; call again.
        """
        import anyio

        with _mapped_errors():
            async with self._pool.acquire() as connection:
                try:
                    for channel in channels:
                        await connection.add_listener(
                            channel, lambda _c, _p, name, payload: heard(str(name), str(payload))
                        )
                    while not until():
                        await anyio.sleep(1)
                        await connection.execute("select 1")
                finally:
                    # Nobody else is to get a connection that hears; the pool opens another.
                    connection.terminate()

    async def _principal(self, statement: str, argument: object) -> Principal:
        with _mapped_errors():
            row = await self._pool.fetchrow(statement, argument)
        assert row is not None
        return Principal(row["principal_id"], row["principal"], cast(Role, row["role"]))

    async def _transact(
        self, begin: str, statement: str, arguments: tuple[object, ...]
    ) -> list[Row]:
        with _mapped_errors():
            async with self._pool.acquire() as connection:
                await connection.execute(begin)
                try:
                    rows = await connection.fetch(statement, *arguments)
                except BaseException:
                    if not connection.is_closed():
                        await connection.execute("rollback")
                    raise
                await connection.execute("commit")
                return [dict(row) for row in rows]


async def _prepare_connection(connection: asyncpg.Connection) -> None:
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=json.dumps, decoder=json.loads
    )
    await connection.set_type_codec(
        "vector", schema="ext", encoder=_vector_literal, decoder=str, format="text"
    )


def _vector_literal(vector: Sequence[float]) -> str:
    return f"[{','.join(map(str, vector))}]"


class _mapped_errors:  # noqa: N801 - reads as a statement
    """Turns whatever the driver raises into a QmError."""

    def __enter__(self) -> None: ...

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, asyncpg.PostgresError):
            sqlstate = error.sqlstate or "XX000"
            raise QmError.from_sqlstate(
                sqlstate,
                getattr(error, "constraint_name", None),
                str(error.args[0]) if error.args else "",
                getattr(error, "hint", None),
                getattr(error, "detail", None) if sqlstate not in RETRYABLE_SQLSTATES else None,
            ) from error
        if isinstance(error, (OSError, asyncpg.InterfaceError)):
            raise QmError.from_sqlstate("08006", None, str(error), None, None) from error
