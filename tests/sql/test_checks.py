"""The rules of sql/checks/: they hold, and each can fail."""

from __future__ import annotations

import psycopg
import pytest

from quartermaster.install import discover

pytestmark = pytest.mark.sql

CHECKS = {step.name.rsplit("/", 1)[-1]: step.sql for step in discover.checks()}
# What each rule must find; made and rolled back.
OFFENDERS = {
    "0001_row_security_forced.sql": "alter table core.setting no force row level security",
    "0002_comment_missing.sql": "comment on function core.now() is null",
    "0003_search_path_pinned.sql": "alter function core.now() reset all",
    "0004_foreign_key_indexed.sql": "drop index policy.api_key_principal_idx",
    "0005_definer_owned_by_owner.sql": "alter function api.status() owner to postgres",
    "0006_public_executes_nothing.sql": "grant execute on function api.status() to public",
    "0007_evaluation_complete.sql": "insert into stats.evaluation (principal_id, label, mode,"
    " version, files, tools, catalog_hash, model, settings, queries, metrics, latency_ms, stages)"
    " select id, 'x', 'fast', '1', '[]', 0, sha256('x'), 'm', '{}', 1, '{}', '{}', '{}'"
    " from policy.principal limit 1",
    "0008_rights_class_known.sql": "select t.make_catalog();"
    " update search.card set rights_class = 7 where name = 'time__convert_time'",
    "0012_only_approved_items_are_shown.sql": "select t.make_catalog(); update catalog.item"
    " set status = 'pending' where name = 'convert_time'",
    "0014_owner_reads_every_row.sql": "drop policy owner_reads on calls.call_default",
    "0015_everybody_creates_nothing.sql": "grant create on schema public to public",
    "0016_extensions_are_not_shadowed.sql": "grant create on schema ext to public",
    "0013_logins_have_functions_only.sql": "grant select (name) on core.setting to qm_user",
}
Connection = psycopg.Connection[tuple[object, ...]]


@pytest.mark.parametrize("name", CHECKS)
def test_the_rule_holds(rolled_back: Connection, name: str):
    assert rolled_back.execute(CHECKS[name]).fetchall() == []


@pytest.mark.parametrize("name", CHECKS)
def test_the_rule_finds_an_offender(rolled_back: Connection, name: str):
    assert name in OFFENDERS, "write what this rule must find"
    rolled_back.execute(OFFENDERS[name])
    assert rolled_back.execute(CHECKS[name]).fetchall() != []


def test_a_tool_that_only_a_user_interface_calls_needs_no_card(rolled_back: Connection):
    rolled_back.execute(
        """select t.make_catalog(), t.make_all_tools('[{"origin": "time", "name": "redraw",
        "description": "Redraw.", "input_schema": {"type": "object"},
        "extra": {"_meta": {"ui": {"visibility": ["app"]}}}}]')"""
    )
    assert rolled_back.execute(CHECKS["0012_only_approved_items_are_shown.sql"]).fetchall() == []


@pytest.mark.parametrize("name", CHECKS)
def test_a_rule_says_summary_consequence_and_fix(name: str):
    text = CHECKS[name]
    assert all(f"-- {word}: " in text for word in ("Summary", "Consequence", "Fix"))


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("select s.name from core.setting as s", "security_invoker = true"),
        ("select t.name from api.tools() as t", "security_barrier = true"),
    ],
)
def test_a_view_of_logins_reads_operations_with_their_own_rights(
    rolled_back: Connection, form: str, options: str
):
    name = "0013_logins_have_functions_only.sql"
    made = f"create view api.mine with ({options}) as {form}; grant select on api.mine to qm_user"
    rolled_back.execute(f"set local role qm_owner; {made}; reset role".encode())
    found = rolled_back.execute(CHECKS[name]).fetchall()
    assert ("qm_user may read mine",) in found
