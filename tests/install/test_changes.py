"""What people do to a database later: qm doctor names it, and qm install mends it."""

from __future__ import annotations

from collections.abc import Generator

import psycopg
import pytest
import typer
from psycopg import sql
from typer.testing import CliRunner

from quartermaster.cli.install import install_command
from quartermaster.core.errors import QmError
from quartermaster.install import apply
from quartermaster.install.doctor import diagnose
from quartermaster.install.installed import is_installed
from quartermaster.install.uninstall import preview
from tests.support.catalogue import snapshot
from tests.support.database import Database, Server, run_script, with_parts
from tests.support.fixtures import on_each_server

pytestmark = pytest.mark.install

# What somebody does, and the words with which qm doctor names it: together what neither hides nor
# undoes each other.
MENDED = {
    "owners and attributes": {
        "alter function core.now() owner to postgres": "function core.now()",
        "alter table catalog.item owner to postgres": "table catalog.item",
        "alter schema catalog owner to postgres": "schema catalog",
        "alter role qm_owner superuser": "role qm_owner",
        "alter role qm_user bypassrls": "role qm_user",
    },
    "all owners": {"reassign owned by qm_owner to postgres": "schema api"},
    "rights": {
        "revoke qm_user from qm_operator": "membership qm_operator in qm_user",
        "revoke select on policy.rule from qm_reader": "rights on policy.rule",
        "revoke usage on schema api from qm_user": "rights on api",
        "grant execute on function api.status() to public": "function api.status()",
        "grant select (name) on core.setting to qm_user": "rights on core.setting.name",
    },
    "row security": {
        "alter table catalog.item disable trigger audited": "trigger audited on catalog.item",
        "alter table catalog.item disable row level security": "row security of catalog.item",
        "drop policy owner_all on catalog.item": "policy owner_all on catalog.item",
        "alter database {name} reset search_path": "database search_path",
        "revoke connect on database {name} from qm_user": "database rights",
    },
    "functions, indexes and columns": {
        "drop function api.status()": "function api.status()",
        "drop function api.list_capabilities()": "function api.list_capabilities()",
        "create or replace function core.now() returns timestamptz language sql volatile"
        " as 'select clock_timestamp()'": "function core.now()",
        "drop trigger audited on catalog.item": "trigger audited on catalog.item",
        "grant connect on database {name} to public": "database rights",
        "drop index policy.api_key_principal_idx": "index policy.api_key_principal_idx",
        "drop index search.card_tool_label_idx": "search.card_tool_label_idx",
        "alter table policy.api_key drop constraint api_key_pkey": "constraint api_key_pkey",
        "alter table core.setting alter column value drop not null": (
            "default of core.setting.value"
        ),
        "alter table core.instance alter column seen_at drop default": "core.instance.seen_at",
    },
    "the function that compares": {
        "drop function core.changed_objects()": "cannot be checked",
    },
    "tables": {
        "alter table catalog.item disable trigger all": "foreign keys of catalog.item",
        "alter table search.posting set unlogged": "storage of search.posting",
    },
}
# What somebody adds to our schemas, and its remedy.
FOREIGN = {
    "create table catalog.mine (id bigint)": "alter table catalog.mine set schema public",
    "create view catalog.mine as select 1 as one": "alter view catalog.mine set schema public",
    "create function core.f() returns int language sql as 'select 1'": "function core.f()",
    "alter table catalog.item add column mine text": "column catalog.item.mine",
    "alter table catalog.item add constraint mine check (id < 9)": "constraint mine",
    "grant qm_reader to qm_user": "membership qm_user in qm_reader",
}


@pytest.fixture(scope="module")
def original(server: Server) -> Generator[Database]:
    with server.empty() as database:
        apply.install(database.dsn)
        yield database


@pytest.fixture
def installed(server: Server, original: Database) -> Generator[Database]:
    with server.clone(original) as database:
        yield database


def do(database: Database, statement: str) -> None:
    """Runs what somebody does to the database."""
    with database.connect() as connection:
        name = sql.Identifier(database.name).as_string(connection)
        run_script(connection, statement.format(name=name))


@on_each_server
@pytest.mark.parametrize("changed", MENDED)
def test_doctor_names_changes_and_an_installation_brings_everything_back(
    installed: Database, changed: str
):
    first = snapshot(installed.dsn)
    assert diagnose(installed.dsn).problems == []
    for statement in MENDED[changed]:
        do(installed, statement)
    problems = diagnose(installed.dsn).problems
    for named in MENDED[changed].values():
        assert any(named in report and "qm install" in report for report in problems), problems
    apply.install(installed.dsn)
    assert diagnose(installed.dsn).problems == []
    assert snapshot(installed.dsn) == first


@on_each_server
def test_extensions_that_somebody_moves_are_used_where_they_are_after_an_installation(
    installed: Database,
):
    moved = {"vector": "public", "pg_trgm": "mine", "unaccent": "public"}
    do(installed, "create schema mine; grant usage on schema mine to public")
    for extension, schema in moved.items():
        do(installed, f"alter extension {extension} set schema {schema}")
    [report] = diagnose(installed.dsn).problems
    assert all(f"extension {name}" in report for name in moved)
    assert not is_installed(installed.dsn), "qm up mends it, too"
    apply.install(installed.dsn)
    assert diagnose(installed.dsn).problems == []
    assert is_installed(installed.dsn)
    with installed.connect() as connection:
        connection.execute(
            'select * from api.import_items(\'tool\', \'[{"origin": "o", "name": "Zébra"}]\')'
        )
        found = connection.execute("select name from api.select_tools('zebra')").fetchall()
        schemas = connection.execute(
            "select extname, extnamespace::regnamespace::text from pg_extension"
            " where extname = any(%s) order by extname",
            [list(moved)],
        ).fetchall()
    assert found
    assert schemas == sorted(moved.items())


@on_each_server
def test_an_extension_is_updated(installed: Database):
    do(installed, "alter extension vector update; alter extension pg_trgm update")
    assert diagnose(installed.dsn).problems == []


@pytest.mark.parametrize("statement", FOREIGN)
def test_what_somebody_adds_is_named_and_not_taken_for_ours(installed: Database, statement: str):
    do(installed, statement)
    try:
        assert any(FOREIGN[statement] in report for report in diagnose(installed.dsn).problems)
        with pytest.raises(QmError) as refused:
            apply.install(installed.dsn)
        assert refused.value.slug == "object_foreign"
    finally:
        with installed.connect() as connection:
            connection.execute("revoke qm_reader from qm_user")


@pytest.mark.parametrize(
    "statement",
    [
        "drop table quality.finding cascade",
        "alter table core.setting drop column description",
        "alter table core.setting alter column value type text",
    ],
)
def test_dropped_data_is_not_made_again_as_if_nothing_were_lost(
    installed: Database, statement: str
):
    do(installed, statement)
    assert any("Restore a backup" in report for report in diagnose(installed.dsn).problems)
    with pytest.raises(QmError) as refused:
        apply.install(installed.dsn)
    assert refused.value.slug == "objects_lost"
    assert "backup" in refused.value.hint


def test_a_sequence_that_lags_is_named_and_set_right(installed: Database):
    made = 'select id from api.import_items(\'tool\', \'[{"origin": "o", "name": "x"}]\')'
    with installed.connect() as connection:
        connection.execute(made.replace("id from", "* from", 1))
        connection.execute(
            "select setval(pg_get_serial_sequence('catalog.item', 'id'), 1, false),"
            " setval(pg_get_serial_sequence('audit.record', 'id'), 1, false)"
        )
    [report] = diagnose(installed.dsn).problems
    assert "catalog.item_id_seq" in report
    apply.install(installed.dsn)
    assert diagnose(installed.dsn).problems == []
    with installed.connect() as connection:
        connection.execute(
            'select * from api.import_items(\'tool\', \'[{"origin": "o", "name": "y"}]\')'
        )


def test_collations_of_another_operating_system_are_named(installed: Database):
    do(
        installed,
        "update pg_database set datcollversion = '0' where datname = current_database()",
    )
    [report] = diagnose(installed.dsn).problems
    assert "refresh collation version" in report


def test_an_index_that_a_failed_rebuild_left_invalid_is_named(installed: Database):
    do(
        installed,
        "update pg_index set indisvalid = false"
        " where indexrelid = 'policy.api_key_principal_idx'::regclass",
    )
    assert any(
        "policy.api_key_principal_idx" in report for report in diagnose(installed.dsn).problems
    )
    apply.install(installed.dsn)
    assert diagnose(installed.dsn).problems == []


def test_a_publication_that_copies_our_tables_is_named(installed: Database):
    with installed.connect() as connection:
        connection.execute("create table orders (id bigint primary key)")
        connection.execute("create publication orders_only for table orders")
        assert diagnose(installed.dsn).problems == []
        connection.execute("create publication everything for all tables")
        [report] = diagnose(installed.dsn).problems
        assert report.startswith("The publication everything copies tables of Quartermaster")
        connection.execute("drop publication everything")
        connection.execute("create publication ours for table catalog.item")
        [report] = diagnose(installed.dsn).problems
        assert report.startswith("The publication ours copies tables of Quartermaster")


def test_lost_statistics_are_named(installed: Database):
    do(
        installed,
        # It was empty, so autovacuum has not analyzed it before, in the copied database either.
        "alter table policy.organisation set (autovacuum_enabled = false);"
        " insert into policy.organisation (name, description)"
        " select 'x' || n, repeat('x', 1000) from generate_series(1, 2000) as n;"
        " select pg_stat_force_next_flush();",
    )
    assert diagnose(installed.dsn).problems == []
    with installed.connect() as connection:
        connection.execute("select pg_stat_reset()")
        [report] = diagnose(installed.dsn).problems
        assert "analyze" in report
        connection.execute("analyze")
    assert diagnose(installed.dsn).problems == []


@on_each_server
def test_maintenance_of_the_database_changes_nothing(installed: Database):
    first = snapshot(installed.dsn)
    with installed.connect() as connection:
        name = sql.Identifier(installed.name)
        connection.execute("create role qm_test_dba")
        connection.execute(sql.SQL("alter database {} owner to qm_test_dba").format(name))
        connection.execute("cluster catalog.item using item_pkey")
        for statement in ("vacuum full", "reindex database {}", "analyze"):
            connection.execute(sql.SQL(statement).format(name))
    assert diagnose(installed.dsn).problems == []
    assert snapshot(installed.dsn) == first
    do(installed, "alter database {name} owner to current_user; drop role qm_test_dba")


def test_a_role_of_ours_cannot_be_dropped_and_comes_back_after_it_was_renamed(installed: Database):
    with installed.connect() as connection:
        with pytest.raises(psycopg.errors.DependentObjectsStillExist):
            connection.execute("drop role qm_reader")
        connection.execute("alter role qm_reader rename to qm_test_renamed")
    try:
        report = diagnose(installed.dsn).problems
        assert any("role qm_reader" in problem for problem in report)
        apply.install(installed.dsn)
        assert diagnose(installed.dsn).problems == []
    finally:
        with installed.connect() as connection:
            # The old role is still that of all other databases of the server.
            connection.execute("reassign owned by qm_reader to qm_test_renamed")
            connection.execute("drop owned by qm_reader")
            connection.execute("drop role qm_reader")
            connection.execute("alter role qm_test_renamed rename to qm_reader")


@pytest.mark.parametrize("role", ["qm_reader", "qm_user", "qm_admin"])
def test_a_login_that_has_not_installed_is_told_who_has_to(installed: Database, role: str):
    do(installed, f"create role qm_test_anna login password 'x'; grant {role} to qm_test_anna")
    do(installed, f"grant connect on database {{name}} to {role}")
    dsn = with_parts(installed.dsn, database=installed.name, user="qm_test_anna", password="x")
    try:
        for refuses in (apply.install, apply.refresh_functions, is_installed, diagnose, preview):
            with pytest.raises(QmError) as refused:
                refuses(dsn)
            assert (refused.value.code, refused.value.slug) == ("QM403", "not_permitted")
            assert "the login that installed Quartermaster" in refused.value.hint
        with pytest.raises(QmError, match="another login has installed"):
            apply.install(dsn, is_rehearsal=True)
    finally:
        do(installed, "drop role qm_test_anna")


def test_a_renamed_owner_is_named_with_the_command_that_renames_it_back(installed: Database):
    do(installed, "alter role qm_owner rename to qm_test_renamed")
    try:
        [report] = diagnose(installed.dsn).problems
        for refuses in (apply.install, apply.refresh_functions, is_installed, preview):
            with pytest.raises(QmError) as refused:
                refuses(installed.dsn)
            assert refused.value.slug == "owner_renamed"
            assert refused.value.hint in report
    finally:
        do(installed, "alter role qm_test_renamed rename to qm_owner")
    assert "alter role qm_test_renamed rename to qm_owner;" in report
    assert diagnose(installed.dsn).problems == []


def test_a_rehearsal_says_that_the_installation_is_there_and_lists_nothing_of_its_own(
    installed: Database,
):
    app = typer.Typer()
    app.command()(install_command)
    shown = CliRunner().invoke(app, ["--dry-run", "--dsn", installed.dsn]).stdout
    assert "is already installed" in shown
    assert "Granted to" not in shown
