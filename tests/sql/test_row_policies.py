"""The row policies of every table, role by role: what is forbidden first, then who sees which rows.

What holds for all tables is generated; row_policies.toml adds what each of them needs besides.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, Final

import pytest

from tests.support.database import Database, Server
from tests.support.sql_files import toml_members
from tests.support.tap import TapSession, tap_session

pytestmark = pytest.mark.sql

TABLES: Final[dict[str, dict[str, Any]]] = toml_members("tests/sql/row_policies.toml")
ROLES: Final = ("qm_user", "qm_operator", "qm_admin")
_CATALOG: Final = (
    "select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'),"
    " t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');"
)


@pytest.fixture(scope="module")
def furnished(sql_server: Server) -> Generator[TapSession]:
    """A session with a database that has tools and principals, which most tables need."""
    with tap_session(sql_server, first=_CATALOG) as session:
        yield session


@pytest.mark.parametrize("table", TABLES)
def test_row_policies(session: TapSession, furnished: TapSession, table: str):
    if failure := complaint(session if TABLES[table].get("alone") else furnished, table):
        pytest.fail(failure, pytrace=False)


@pytest.mark.parametrize(
    ("table", "damage"),
    [
        ("calls.call", "alter policy user_reads on calls.call using (true)"),
        ("catalog.item", "alter policy user_reads on catalog.item using (true)"),
        ("policy.rule", "alter policy operator_reads on policy.rule using (true)"),
        ("policy.rule", "alter policy operator_reads on policy.rule using (false)"),
        ("selection.receipt", "create policy more on selection.receipt to qm_reader using (true)"),
        ("selection.receipt", "alter table selection.receipt no force row level security"),
        ("audit.record", "grant update (login) on audit.record to qm_user"),
        (
            "policy.api_key",
            "grant usage on schema policy to qm_user; grant select on policy.api_key to qm_user",
        ),
        ("selection.mode", "grant insert on selection.mode to qm_admin"),
    ],
)
def test_a_broken_policy_or_right_is_found(furnished: TapSession, table: str, damage: str):
    assert "not ok" in (complaint(furnished, table, damage) or "")


def complaint(session: TapSession, table: str, damage: str = "") -> str | None:
    """Returns what is wrong with the rights to a table; None where all is right.

    Args:
        session: with pgTAP.
        table: with its schema.
        damage: a statement that is run first.
    """
    begin, *rest = script(table, TABLES[table])
    return session.run("\n".join([begin, f"{damage};", *rest]))


def script(table: str, entry: dict[str, Any]) -> Iterator[str]:
    """Yields the pgTAP test of one table.

    Args:
        table: with its schema.
        entry: what row_policies.toml says of it.
    """
    schema, _, name = table.partition(".")
    policies = ", ".join(f"'{policy}'" for policy in entry["policies"])
    yield "begin;"
    yield "select * from no_plan();"
    yield entry.get("arrange", "")
    yield "select t.act_as_superuser();"
    yield f"create temporary table untouched as select * from {table};"
    yield "select isnt_empty($$select * from untouched$$, 'there are rows to protect');"
    yield (
        f"select policies_are('{schema}', '{name}', array[{policies}]::name[],"
        " 'these policies and no other');"
    )
    yield (
        "select set_config('t.column', quote_ident(a.attname), true) from pg_attribute as a"
        f" where a.attrelid = '{table}'::regclass and a.attnum = 1;"
    )
    for role in ROLES:
        yield "select t.act_as_superuser();"
        for verb in ("insert", "update"):
            yield (
                f"select ok(not has_any_column_privilege('{role}', '{table}', '{verb}'),"
                f" '{role} may not {verb} a column');"
            )
        yield from _as_role(table, entry, role)
    yield entry.get("attacks", "")
    yield "select t.act_as_superuser();"
    if not entry.get("changes"):
        yield (
            f"select set_eq($$select to_jsonb(x) from {table} as x$$,"
            " $$select to_jsonb(u) from untouched as u$$, 'every row is as it was');"
        )
    yield (
        "select ok(c.relrowsecurity and c.relforcerowsecurity, 'the owner is under policies too')"
        f" from pg_class as c where c.oid = '{table}'::regclass;"
    )
    yield "select * from finish();"
    yield "rollback;"


def _as_role(table: str, entry: dict[str, Any], role: str) -> Iterator[str]:
    """Yields what a role may not do, with a principal and without one."""
    reads = entry.get("reads")
    attempts = {
        "insert": f"$$insert into {table} default values$$",
        "update": f"'update {table} set ' || current_setting('t.column') || ' = default'",
        "delete": f"$$delete from {table}$$",
        "truncate": f"$$truncate {table}$$",
    }
    for principal in ("'local'", "null"):
        who = role if principal != "null" else f"{role} without a principal"
        yield f"select t.act_as({principal}, '{role}');"
        yield f"select is(current_user, '{role}', 'acts as {who}');"
        if role != ROLES[-1] or reads is None:
            yield (
                f"select throws_ok($$select * from {table}$$, '42501', null, '{who} may not read');"
            )
        for verb, attempt in attempts.items():
            yield f"select throws_ok({attempt}, '42501', null, '{who} may not {verb}');"
        # What operations read for it.
        yield f"select t.read_as({principal}, '{role}');"
        if reads is None:
            yield f"select throws_ok($$select * from {table}$$, '42501', null, 'nor operations');"
        elif not entry.get("open") and (
            principal == "null" or ROLES.index(role) < ROLES.index(reads)
        ):
            yield f"select is_empty($$select * from {table}$$, '{who} sees nothing');"


def test_every_table_is_tested(schema: Database):
    with schema.connect() as connection:
        rows = connection.execute(
            "select format('%s.%s', n.nspname, c.relname) from pg_class as c"
            " inner join pg_namespace as n on n.oid = c.relnamespace"
            " where c.relkind in ('r', 'p') and not c.relispartition"
            " and n.nspowner = 'qm_owner'::regrole"
        ).fetchall()
    assert {str(row[0]) for row in rows} == set(TABLES)
