"""A DBA with a user's role tries what a login can try: nothing tells of what rules hide."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from tests.support.database import Database, with_parts

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[Any, ...]]
HIDDEN = "vault"
COUNTED = "select count(*) from api.list_items('tool')"
ARRANGED = """
select t.make_catalog(), t.make_origin('vault'), t.make_principal('alice');
select t.make_tools('vault', 'open_vault', 'close_vault');
select t.make_rules('{"rules": [
    {"effect": "deny", "subject": "role:user", "origins": "vault", "reason": "secret"}
]}');
insert into selection.utility
    select 'tool', x.id, 5, 5, 1, 1, 0, 0, now() from catalog.item as x;
"""


@pytest.fixture(scope="module")
def guarded(schema: Database) -> Generator[tuple[Database, str]]:
    """A database with hidden tools, and the login of a DBA who is mapped to a user."""
    name = f"qm_test_dba_{uuid4().hex[:8]}"
    identifier = sql.Identifier(name)
    with schema.connect() as connection:
        connection.execute(
            sql.SQL("create role {} login password 'x' in role qm_user").format(identifier)
        )
        connection.execute(ARRANGED.encode())
        connection.execute("select policy.put_principal('dba', 'person', 'user', %s)", [name])
        connection.execute(sql.SQL("create schema evil authorization {}").format(identifier))
        connection.execute("analyze")
    yield schema, with_parts(schema.dsn, database=schema.name, user=name, password="x")
    with schema.connect() as connection:
        connection.execute(sql.SQL("drop owned by {} cascade").format(identifier))
        connection.execute("update policy.principal set database_role = null where name = 'dba'")
        connection.execute(sql.SQL("drop role {}").format(identifier))


@pytest.fixture
def dba(guarded: tuple[Database, str]) -> Generator[Connection]:
    with psycopg.connect(guarded[1], autocommit=True) as connection:
        yield connection


def report(connection: Connection, statement: str) -> str:
    """Returns all that a statement says: rows, notices, or its error."""
    said: list[str] = []
    connection.add_notice_handler(lambda notice: said.append(str(notice.message_primary)))
    try:
        cursor = connection.execute(statement.encode())
        said += [str(row) for row in cursor.fetchall()] if cursor.description else []
    except psycopg.Error as error:
        diag = error.diag
        said += [str(error), *(str(x) for x in (diag.message_detail, diag.message_hint))]
    return "\n".join(said)


@pytest.mark.parametrize(
    "statement",
    [
        "select * from api.select_tools('open the vault', explain => true)",
        "select * from api.search_cards('vault open_vault close_vault', '{tool}')",
        "select text from api.rerank_candidates('open vault')",
        "select * from api.list_origins()",
        "select * from api.tools, api.origins",
        "explain (analyze, verbose, buffers) select * from api.tools where name like 'v%'",
        "explain (analyze, verbose) select * from api.list_items('tool', after => 'u')",
        "select most_common_vals, histogram_bounds from pg_stats"
        " where schemaname in ('catalog', 'search')",
        "select public_name::integer from api.list_items('tool') order by public_name desc",
        "select * from api.describe_tool('tracker__nothing')",
        "select api.status()",
    ],
)
def test_no_statement_tells_of_what_is_hidden(dba: Connection, statement: str):
    assert HIDDEN not in report(dba, statement)


@pytest.mark.parametrize(
    "door", ["api.describe_tool('{}')", "service.call_begin('{}', 1, 'r', gen_random_uuid())"]
)
def test_hidden_and_absent_are_told_in_the_same_words(dba: Connection, door: str):
    hidden, absent = (
        report(dba, f"select * from {door.format(name)}").replace(name, "NAME")
        for name in ("vault__open_vault", "vault__no_such_v")
    )
    assert hidden == absent


def test_what_is_hidden_is_not_counted(dba: Connection):
    assert report(dba, COUNTED) == "(4,)"


def test_the_whole_catalog_is_not_counted_either(dba: Connection):
    assert "'cards': {'tool': 4" in report(dba, "select api.status()")
    assert "permission denied" in report(dba, "select cards from search.kind")


@pytest.mark.parametrize(
    "statement",
    [
        "set role qm_owner",
        "set role qm_admin",
        "set role qm_operator",
        "set role qm_service",
        "set session authorization qm_service",
        "alter table catalog.item disable row level security",
        "drop policy user_reads on catalog.item",
        "create policy mine on catalog.item using (true)",
        "update catalog.item set rights_class = 0",
        "select * from policy.rule",
        "select * from policy.subject_rights",
        "select * from policy.decision",
        "select * from search.lexical",
        "select * from search.posting",
        "select * from search.embedding",
        "select last_value from catalog.item_id_seq",
        "select policy.rights_of(1)",
        "select policy.decide(1, null, 0)",
        "select api.show_rules()",
        "select api.apply_rules('{}')",
        "select * from catalog.put_items('tool', '{}', '{}')",
        "create function policy.visible_classes() returns bit varying language sql as ''''''",
        "create table policy.mine (id integer)",
        "select * from catalog.item for update",
        "select * from search.fuzzy('tool', 'open_vault', 10)",
        "select * from search.bm25('tool', 'vault', 10) as b"
        " inner join search.card as c on c.id = b.card_id",
        "select * from catalog.item",
        "select definition from catalog.item_version",
        "select name, slug from catalog.origin",
        "select * from search.card",
        "select u.*, c.name from selection.utility as u"
        " left join search.card as c on c.ref = u.ref",
        "explain (verbose) select * from catalog.item where public_name > 'u'",
        "explain (analyze, verbose) select * from search.card",
        "select public_name::integer from catalog.item order by public_name desc",
        "select 1 / (case when name like 'vault%' then 0 else 1 end) from catalog.origin",
        "copy catalog.item to stdout",
    ],
)
def test_a_user_may_not(dba: Connection, statement: str):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        dba.execute(statement.encode())


def test_row_security_cannot_be_switched_off(dba: Connection):
    dba.execute("set row_security = off")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        dba.execute("select * from catalog.item")


def test_forged_settings_count_for_nothing(dba: Connection, guarded: tuple[Database, str]):
    with guarded[0].connect() as connection:
        row = connection.execute(
            "select id::text from policy.principal where name = 'local'"
        ).fetchone()
    assert row
    for name, value in (("qm.principal", row[0]), ("qm.toolset", "vault"), ("role", "none")):
        dba.execute("select set_config(%s, %s, false)", [name, value])
    assert report(dba, COUNTED) == "(4,)"


SHADOWS = """
create function evil.get_bit(bit, integer) returns integer language sql immutable as 'select 1';
create function evil.get_bit(bit varying, integer) returns integer
    language sql immutable as 'select 1';
create function evil.always(integer, integer) returns boolean
    language sql immutable as 'select true';
create operator evil.<> (function = evil.always, leftarg = integer, rightarg = integer);
create operator evil.= (function = evil.always, leftarg = integer, rightarg = integer);
create function evil.visible_classes() returns bit varying language sql as 'select B''1111''';
create function evil.session_user() returns name language sql as 'select ''qm_service''::name';
create table evil.subject_rights as select 'everyone' as subject, B'1111' as allows;
create table evil.principal as select 1 as id;
"""


def test_shadows_on_the_path_are_not_seen(dba: Connection):
    dba.execute(SHADOWS.encode())
    dba.execute("create temporary table card as select 1 as id")
    dba.execute("create function pg_temp.get_bit(bit, integer) returns integer return 1")
    for path in ("evil, pg_catalog", "evil, pg_temp, policy, catalog, search, api, pg_catalog"):
        dba.execute(f"set search_path = {path}".encode())
        assert report(dba, COUNTED) == "(4,)"
        assert HIDDEN not in report(dba, "select * from api.select_tools('open the vault')")
        called = (
            "select call_id from service.call_begin('vault__open_vault', 1, 'r', gen_random_uuid())"
        )
        assert "is not a session of the service" in report(dba, called)


def test_a_cheap_function_sees_no_row_before_the_policy(dba: Connection):
    dba.execute(
        "create function evil.leak(text) returns boolean language plpgsql cost 0.0000001"
        " as $$ begin raise notice 'seen %', $1; return true; end $$"
    )
    said = report(dba, "select count(*) from api.list_items('tool') where evil.leak(public_name)")
    assert "seen time__convert_time" in said
    assert HIDDEN not in said


@pytest.mark.parametrize(
    "statement",
    [
        "select * from api.search_cards('vault', array[$$tool' or true --$$])",
        "select * from api.search_cards($$vault'; select * from policy.rule; --$$)",
        "select * from api.select_tools('vault', $$fast'; drop table catalog.item; --$$)",
        "select * from api.describe_tool($$x' or 'a' = 'a$$)",
    ],
)
def test_arguments_are_never_statements(dba: Connection, statement: str):
    assert HIDDEN not in report(dba, statement).replace("for 'vault'", "")
    assert report(dba, COUNTED) == "(4,)"
