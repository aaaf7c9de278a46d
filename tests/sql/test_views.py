"""The views and `help()` that people meet in psql: who sees what, and what can be typed.

What each view shows in each case is in the pgTAP files beside those of the functions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from contextlib import ExitStack
from typing import Any, LiteralString

import psycopg
import pytest

from tests.support.database import Database, Server
from tests.support.psql_login import psql_login

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[Any, ...]]

_LOGINS: dict[str, tuple[str, str | None]] = {
    "nobody": ("qm_user", None),
    "user": ("qm_user", "alice"),
    "agent": ("qm_user", "robot"),
    "foreign": ("qm_user", "mallory"),
    "curator": ("qm_user", "cora"),
    "operator": ("qm_operator", "oscar"),
    "admin": ("qm_admin", "boss"),
}
# Alice, robot and cora belong to acme; only acme may use the origin vault. Nobody may use attic.
_ARRANGED: LiteralString = """
select policy.put_principal(p.name, p.kind, p.role)
from (
    values
    ('alice', 'person', 'user'), ('robot', 'agent', 'user'), ('mallory', 'person', 'user'),
    ('cora', 'person', 'user'), ('oscar', 'person', 'operator'), ('boss', 'person', 'admin')
) as p (name, kind, role);
insert into policy.organisation (name) values ('acme'), ('other');
update policy.principal as p
set organisation_id = o.id, is_curator = p.name = 'cora'
from policy.organisation as o
where o.name = case when p.name = 'mallory' then 'other' else 'acme' end
    and p.name in ('alice', 'robot', 'cora', 'mallory');
select t.make_catalog(), t.make_origin('vault'), t.make_origin('attic');
select t.make_tools('vault', 'open_vault'), t.make_tools('attic', 'open_attic');
select t.make_tools('vault', 'new_tool');
update catalog.item set status = 'pending' where name = 'new_tool';
select t.make_rules('{"rules": [
    {"effect": "deny", "subject": "organisation:other", "origins": "vault", "reason": "theirs"},
    {"effect": "deny", "subject": "everyone", "origins": "attic", "reason": "secret"}
]}');
"""
_DONE: LiteralString = """
select t.act_as(%(name)s);
select * from api.select_tools('open the vault of ' || %(name)s);
select * from service.call_begin(
    'time__convert_time', 1, 'of ' || %(name)s, gen_random_uuid(), started_at => now()
);
select t.act_as_superuser();
"""
_REFUSED = {
    "rules": {"nobody", "user", "agent", "foreign", "curator"},
    "changes": {"nobody", "user", "agent", "foreign", "curator", "operator"},
    "snapshots": {"nobody", "user", "agent", "foreign", "curator", "operator"},
}
_VIEWS = ("tools", "origins", "receipts", "calls", "rules", "changes", "snapshots")
_OF_OTHERS = {
    "nobody": ("vault", "attic", "alice", "robot", "mallory", "new_tool"),
    "user": ("attic", "robot", "mallory", "new_tool"),
    "agent": ("attic", "alice", "mallory", "new_tool"),
    "foreign": ("vault__", "attic", "alice", "robot", "new_tool"),
    "curator": ("attic", "alice", "robot", "mallory", "new_tool"),
    "operator": ("attic__", "alice", "robot", "mallory"),
    "admin": ("attic__",),
}
_SHOWN = {
    "user": ("vault__open_vault", "alice"),
    "agent": ("vault__open_vault", "robot"),
    "foreign": ("time__convert_time", "mallory"),
    "curator": ("vault__open_vault",),
    "operator": ("vault__open_vault", "vault__new_tool"),
    "admin": ("vault__new_tool", "alice", "robot", "mallory"),
}
# What the functions say of the same things, to the same caller; null is shown to nobody.
_SAID_BY_FUNCTIONS = {
    "tools": "select i.public_name from api.list_items('tool', maximum => null) as i",
    "origins": "select o.name from api.list_origins() as o",
    "receipts": "select r.receipt from api.receipts as r"
    " cross join lateral api.show_receipt(r.receipt) as s"
    " where to_jsonb(s)::text like '%' || r.goal || '%'",
}
_COLUMN = {"tools": "name", "origins": "name", "receipts": "receipt"}

# What a DBA types first. "?" is a word that the error has to contain: what to type instead.
_TYPED: tuple[tuple[LiteralString, str], ...] = (
    ("select * from help()", ""),
    ("select * from help('receipt')", ""),
    ("select name, example from help() order by name", ""),
    ("select * from help('zebra')", "select * from help()"),
    ("table tools", ""),
    ("select * from tools limit 5", ""),
    ("select count(*) from tools", ""),
    ("select * from tools where origin = 'time'", ""),
    ("select name from tools where brief ilike '%ticket%'", ""),
    ("select origin, count(*) from tools group by origin order by 2 desc", ""),
    ("select name from tools where is_destructive and not is_read_only", ""),
    ("select status, count(*) from tools group by 1", ""),
    ("select name, status from origins", ""),
    ("select * from origins where status <> 'ready'", ""),
    (
        "select o.name, count(t.name) from origins o left join tools t on t.origin = o.name"
        " group by o.name",
        "",
    ),
    ("select name, items -> 'tool' as tools from origins", ""),
    ("table receipts", ""),
    ("select receipt, at, goal, first from receipts order by at desc limit 10", ""),
    ("select count(*) from receipts where at > now() - interval '1 hour'", ""),
    ("select show_receipt(receipt) from receipts limit 1", ""),
    ("select goal from receipts where offered = 0", ""),
    ("table calls", ""),
    ("select count(*) from calls where outcome = 'ok'", ""),
    ("select count(*) from calls where started_at > now() - interval '1 day'", ""),
    ("select name, count(*), avg(duration_ms) from calls group by name", ""),
    ("select c.name, r.goal from calls c join receipts r on r.receipt = c.receipt", ""),
    ("select * from calls(since => now() - interval '1 hour')", ""),
    ("table rules", ""),
    ("select * from rules where effect = 'deny'", ""),
    ('select version, "default" from list_rules() where is_active', ""),
    ("table changes", ""),
    ("select at, principal, action, object from changes order by id desc limit 20", ""),
    ("select * from changes where table_name = 'policy.principal'", ""),
    ("table snapshots", ""),
    ("select * from select_tools('what time is it in Tokyo')", ""),
    ("select name, score from select_tools('open a ticket', mode => 'fast')", ""),
    ("select * from select_tools('open a ticket', mode => 'slow')", "fast"),
    ("select * from select_tools('')", "goal"),
    ("select * from describe_tool('time__convert_time')", ""),
    ("select * from describe_tool('time__convert_tim')", "time__convert_time"),
    ("select * from list_call_statistics(subject => 'tool')", "card"),
    ("select * from create_snapshot('before', 'a test')", ""),
    ("select * from verify_snapshot('nothing')", "snapshot"),
)
_PSQL = {
    # \d tools
    "d": "select a.attname, format_type(a.atttypid, a.atttypmod) from pg_attribute as a"
    " where a.attrelid = 'tools'::regclass and a.attnum > 0",
    # \dv
    "dv": "select c.relname from pg_class as c where c.relkind = 'v'"
    " and pg_table_is_visible(c.oid) and c.relnamespace = 'api'::regnamespace",
    # \d+ tools
    "d+": "select pg_get_viewdef('tools'::regclass, true)",
    # \df+ help
    "df+": "select obj_description('help(text)'::regprocedure, 'pg_proc')",
}


@pytest.fixture(scope="module")
def arranged(sql_server: Server) -> Generator[Database]:
    with sql_server.clone() as database, database.connect() as connection:
        connection.execute(_ARRANGED)
        for name in ("alice", "robot", "mallory"):
            with psycopg.ClientCursor(connection) as cursor:
                cursor.execute(_DONE, {"name": name})
        connection.execute("select api.create_snapshot('monday', 'a test')")
        yield database


@pytest.fixture(scope="module")
def logins(arranged: Database) -> Generator[dict[str, Connection]]:
    """A psql session of each role."""
    with ExitStack() as stack:
        yield {
            who: stack.enter_context(
                psycopg.connect(
                    stack.enter_context(psql_login(arranged, role, principal)), autocommit=True
                )
            )
            for who, (role, principal) in _LOGINS.items()
        }


@pytest.fixture(scope="module")
def admin(logins: dict[str, Connection]) -> Connection:
    return logins["admin"]


def said(connection: Connection, statement: str) -> str:
    """Returns all that a statement says: its rows, or its error with the hint."""
    try:
        return "\n".join(map(str, connection.execute(statement.encode()).fetchall()))
    except psycopg.Error as error:
        return f"{error} {error.diag.message_hint}"


def mistake(connection: Connection, statement: LiteralString) -> str:
    """Returns the error of a statement with its detail and hint; nothing if it returns rows."""
    try:
        return "" if connection.execute(statement).description else "no rows"
    except psycopg.Error as error:
        return f"{error} {error.diag.message_detail} {error.diag.message_hint}"


@pytest.mark.parametrize("who", _LOGINS)
@pytest.mark.parametrize("view", _VIEWS)
def test_no_view_shows_what_rules_hide_or_what_others_did(
    logins: dict[str, Connection], view: str, who: str
):
    if who in _REFUSED.get(view, ()):
        assert "permission denied" in said(logins[who], f"select * from {view}")
        return
    # Rules name whom they speak of, and the audit whom it recorded; both are for those who may.
    hidden = () if view in ("rules", "changes") else _OF_OTHERS[who]
    for statement in (
        f"select * from {view}",
        f"explain (analyze, verbose, buffers) select * from {view} where {view}::text like '%x%'",
    ):
        shown = said(logins[who], statement)
        assert "permission denied" not in shown
        assert not [word for word in hidden if word in shown], shown


@pytest.mark.parametrize("who", _SHOWN)
def test_the_views_show_what_may_be_seen(logins: dict[str, Connection], who: str):
    shown = "\n".join(said(logins[who], f"select * from {v}") for v in ("tools", "receipts"))
    assert [word for word in _SHOWN[who] if word not in shown] == []


@pytest.mark.parametrize("who", _LOGINS)
@pytest.mark.parametrize("view", _SAID_BY_FUNCTIONS)
def test_a_view_has_the_rows_that_the_functions_return_to_the_same_login(
    logins: dict[str, Connection], view: str, who: str
):
    def rows(query: str) -> set[object]:
        return {row[0] for row in logins[who].execute(query.encode())}

    query = _SAID_BY_FUNCTIONS[view]
    if view == "tools" and who in ("operator", "admin"):
        query = "select name from api.review_items('{tool}', maximum => 1000)"
    shown = rows(f"select {_COLUMN[view]} from api.{view}")
    assert shown == rows(query)
    searched = ("user", "agent", "foreign", "admin")
    assert bool(shown) == (who in searched if view == "receipts" else who != "nobody")


def test_every_column_of_a_view_says_what_it_contains(arranged: Database):
    with arranged.connect() as connection:
        found = connection.execute("""
            select c.relname, a.attname, col_description(c.oid, a.attnum)
            from pg_class as c inner join pg_attribute as a on a.attrelid = c.oid
            where c.relnamespace = 'api'::regnamespace and c.relkind = 'v'
        """).fetchall()
    assert {"tools", "origins", "receipts", "calls", "rules", "changes", "snapshots"} <= {
        name for name, _, _ in found
    }
    assert [row for row in found if not str(row[2]).endswith(".")] == []


@pytest.mark.parametrize("who", _LOGINS)
def test_each_example_of_help_runs_as_it_stands(logins: dict[str, Connection], who: str):
    rows = logins[who].execute("select name, example from help()").fetchall()
    assert rows
    failed = {
        name: answer
        for name, example in rows
        if re.search(
            r"QM\d{3}|permission denied|does not exist|syntax", answer := said(logins[who], example)
        )
    }
    # Who is nobody is told so.
    assert not failed or (
        who == "nobody" and all("no enabled principal" in text for text in failed.values())
    ), failed


def test_help_names_the_views_and_fifteen_functions(arranged: Database, admin: Connection):
    with arranged.connect() as connection:
        views = {
            name
            for (name,) in connection.execute(
                "select viewname from pg_views where schemaname = 'api'"
            )
        }
    named = {name for (name,) in admin.execute("select name from help()")}
    assert views <= named
    assert "select_tools" in named
    assert len(named - views) >= 15


@pytest.mark.parametrize(("statement", "instead"), _TYPED, ids=[text for text, _ in _TYPED])
def test_what_a_dba_types_works_or_says_what_to_type(
    admin: Connection, statement: LiteralString, instead: str
):
    error = mistake(admin, statement)
    assert instead in error if instead else not error


@pytest.mark.parametrize("command", _PSQL)
@pytest.mark.parametrize("who", ["user", "admin"])
def test_psql_finds_the_views_by_their_names(logins: dict[str, Connection], who: str, command: str):
    rows = json.dumps(logins[who].execute(_PSQL[command].encode()).fetchall())
    assert {"d": "is_read_only", "dv": "receipts", "d+": "tools() t(", "df+": "Example"}[
        command
    ] in rows
