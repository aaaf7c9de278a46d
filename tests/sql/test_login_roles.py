"""Who a real session is: the service names principals, everybody else is who they logged in as."""

from __future__ import annotations

from collections.abc import Generator
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from tests.support.database import Database, with_parts

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[object, ...]]


@pytest.fixture
def dba(schema: Database) -> Generator[str]:
    """Connection string of a login role that may take the role of users, mapped to nobody."""
    name = f"qm_test_dba_{uuid4().hex[:8]}"
    with schema.connect() as connection:
        connection.execute(
            sql.SQL("create role {} login password 'x' in role qm_user").format(
                sql.Identifier(name)
            )
        )
        connection.execute("begin; select t.make_catalog(), t.make_principal('alice'); commit")
    yield with_parts(schema.dsn, database=schema.name, user=name, password="x")
    with schema.connect() as connection:
        connection.execute(
            "truncate search.lexical, search.card, catalog.item_version, catalog.item,"
            " selection.exposure, selection.outcome, selection.receipt, calls.call,"
            " catalog.refresh, catalog.origin cascade"
        )
        connection.execute("delete from policy.principal where name in ('alice', 'the dba')")
        connection.execute(sql.SQL("drop role {}").format(sql.Identifier(name)))


def principal_of(schema: Database, name: str) -> str:
    with schema.connect() as connection:
        row = connection.execute(
            "select id::text from policy.principal where name = %s", [name]
        ).fetchone()
        assert row
        return str(row[0])


def count_tools(connection: Connection) -> int:
    row = connection.execute("select count(*) from api.list_items('tool')").fetchone()
    assert row
    return int(str(row[0]))


def test_another_login_cannot_forge_a_principal(schema: Database, dba: str):
    with psycopg.connect(dba) as connection:
        connection.execute("set role qm_user")
        assert count_tools(connection) == 0
        connection.execute(
            "select set_config('qm.principal', %s, false)", [principal_of(schema, "alice")]
        )
        assert count_tools(connection) == 0
        with pytest.raises(psycopg.DatabaseError) as caught:
            connection.execute("select * from api.select_tools('ticket')")
        assert caught.value.sqlstate == "QM403"
        assert caught.value.diag.constraint_name == "principal_unknown"


def test_a_login_mapped_to_a_principal_searches_in_plain_psql(schema: Database, dba: str):
    user = psycopg.conninfo.conninfo_to_dict(dba)["user"]
    with schema.connect() as connection:
        connection.execute(
            "select policy.put_principal('the dba', 'person', 'user', %s)", [str(user)]
        )
    with psycopg.connect(dba) as connection:
        # Unqualified: the database's search_path leads to schema api.
        row = connection.execute("select name from select_tools('open a ticket')").fetchone()
        assert row == ("tracker__create_ticket",)


def test_the_services_login_may_do_nothing_before_it_takes_a_role(schema: Database, dba: str):
    with psycopg.connect(schema.service_dsn, autocommit=True) as connection:
        connection.execute(
            "select set_config('qm.principal', %s, false)", [principal_of(schema, "alice")]
        )
        for statement in (
            "select * from catalog.item",
            "select * from api.select_tools('ticket')",
            "select * from api.status()",
            "set role qm_owner",
            "set role postgres",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
        connection.execute("set role qm_user")
        assert count_tools(connection) == 4


def test_a_user_of_the_service_cannot_take_more_than_its_role(schema: Database, dba: str):
    with psycopg.connect(schema.service_dsn, autocommit=True) as connection:
        connection.execute("set role qm_user")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("select api.remove_origin('time')")


def test_a_setting_of_an_earlier_transaction_is_forgotten(schema: Database, dba: str):
    with psycopg.connect(schema.service_dsn) as connection:
        connection.execute("set local role qm_user")
        connection.execute(
            "select set_config('qm.principal', %s, true)", [principal_of(schema, "alice")]
        )
        assert count_tools(connection) == 4
        connection.commit()
        connection.execute("set local role qm_user")
        assert count_tools(connection) == 0
