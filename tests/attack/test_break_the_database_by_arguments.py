"""A login of each role gives every operation arguments that nobody expects.

An operation may refuse them. An internal error, a lost connection or a statement that does not end
within its limit is a hole. The operations are those of the database, so a new one is tried, too.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import psycopg
import pytest

from tests.sql.test_operations import ARRANGED, LOGINS
from tests.support.database import Database, Server
from tests.support.psql_login import psql_login

Connection = psycopg.Connection[tuple[Any, ...]]

_OPERATIONS = """
select p.oid::regproc::text, array(
    select format_type(t.type, null)
    from unnest(p.proargtypes) with ordinality as t (type, place)
    where t.place <= p.pronargs - p.pronargdefaults or %s
    order by t.place
)
from pg_proc as p
where
    p.pronamespace in ('api'::regnamespace, 'service'::regnamespace) and p.prokind = 'f'
    and has_function_privilege(p.oid, 'execute')
order by 1
"""
_DEEP = "[" * 5000 + "]" * 5000
TEXTS = ("", "'; drop table core.setting; --", "\u202e\u200b$$", "%" * 2000 + "_", "(" * 2000)
VALUES: dict[str, tuple[str, ...]] = {
    "text": TEXTS,
    "name": TEXTS,
    "text[]": ("{}", "{NULL}", '{"a\\"; --",""}', "{{a},{b}}", "[5:6]={a,b}"),
    "jsonb": ("null", "{}", _DEEP, '{"rules": {"rules": []}}', '["\\u0001", 1e400, {"": null}]'),
    "boolean": ("true", "false"),
    "integer": ("0", "-1", "2147483647", "-2147483648"),
    "smallint": ("0", "-1", "32767", "-32768"),
    "bigint": ("0", "-1", "9223372036854775807", "-9223372036854775808"),
    "double precision": ("0", "NaN", "Infinity", "-1e308", "1e-308"),
    "real": ("0", "NaN", "Infinity", "-3e38"),
    "numeric": ("0", "NaN", "1e1000", "-1"),
    "bytea": ("", "\\x00", "\\x" + "ff" * 5000),
    "uuid": ("00000000-0000-0000-0000-000000000000",),
    "timestamp with time zone": ("infinity", "-infinity", "294276-12-31", "4713-01-01 BC"),
    "date": ("infinity", "-infinity", "5874897-12-31"),
    "interval": ("0", "-178000000 years", "1000000 years"),
}
_ROUNDS = max(map(len, VALUES.values()))
# Errors that say that the server itself failed, or that time was up.
_FAULTS = ("XX", "58", "57", "53", "08", "54")
_LIMIT = "set statement_timeout = '20s'"


@pytest.fixture(scope="module")
def arranged(embedded_server: Server) -> Generator[Database]:
    with embedded_server.clone() as database:
        with database.connect() as connection:
            connection.execute(ARRANGED.encode())
        yield database


def attempt(connection: Connection, operation: str, types: list[str], turn: int) -> str | None:
    """Returns what went wrong in one call; None if nothing did."""
    given = [(values := VALUES.get(name, ("0",)))[turn % len(values)] for name in types]
    holes = ", ".join(f"%s::{name}" for name in types)
    try:
        with connection.transaction(force_rollback=True):
            connection.execute(f"select * from {operation}({holes})".encode(), given).fetchmany(5)
    except psycopg.Error as error:
        state = error.sqlstate or "08000"
        if state.startswith(_FAULTS) or connection.closed:
            return f"{operation}({', '.join(given)[:120]}): {state} {str(error)[:200]}"
    return None


@pytest.mark.parametrize("role", LOGINS)
@pytest.mark.parametrize("all_arguments", [False, True])
def test_as_each_role(arranged: Database, role: str, *, all_arguments: bool) -> None:
    working, principal = LOGINS[role]
    with (
        psql_login(arranged, working, principal) as dsn,
        psycopg.connect(dsn, autocommit=True) as connection,
    ):
        connection.execute(_LIMIT)
        operations = connection.execute(_OPERATIONS, [all_arguments]).fetchall()
        assert len(operations) > 50
        faults = [
            fault
            for turn in range(_ROUNDS)
            for operation, types in operations
            if (fault := attempt(connection, str(operation), types, turn)) is not None
        ]
        assert faults == []
    with arranged.connect() as connection:
        assert connection.execute("select count(*) from core.setting").fetchall() != [(0,)]
