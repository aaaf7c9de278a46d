"""Installing: fresh, again, at once, after a failure, and what is refused."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
import typer
from psycopg import sql
from psycopg.conninfo import make_conninfo
from typer.testing import CliRunner

from quartermaster.cli.install import install_command
from quartermaster.core.errors import QmError
from quartermaster.install import apply, discover
from quartermaster.install.doctor import diagnose
from quartermaster.settings.settings import Settings
from tests.support.catalogue import snapshot
from tests.support.database import SERVICE_PASSWORD, Database, Server, with_parts
from tests.support.fixtures import on_each_server
from tests.support.logins import remove_login
from tests.support.waiting import wait_until

pytestmark = pytest.mark.install

_SCHEMAS = "select nspname from pg_namespace where nspname !~ '^(pg_|information_schema|public$)'"


@pytest.fixture
def empty(server: Server) -> Generator[Database]:
    with server.empty() as database:
        yield database


@pytest.fixture(scope="module")
def original(server: Server) -> Generator[Database]:
    with server.empty() as database:
        apply.install(database.dsn)
        yield database


@pytest.fixture
def installed(server: Server, original: Database) -> Generator[Database]:
    """A copy of a database as the installation leaves it."""
    with server.clone(original) as database:
        yield database


@pytest.fixture
def broken_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The SQL folders, copied for a test to break; the installer reads the copy."""
    source = discover.database_folder()
    for folder in ("extensions", "migrations", "functions", "sql"):
        subprocess.run(["cp", "-r", source / folder, tmp_path / folder], check=True)
    # Tests break migrations, too, although these are frozen.
    (tmp_path / "migrations/frozen.txt").write_text("")
    monkeypatch.setattr(discover, "database_folder", lambda: tmp_path)
    return tmp_path


def schemas_of(database: Database) -> set[str]:
    with database.connect() as connection:
        return {str(row[0]) for row in connection.execute(_SCHEMAS)}


@on_each_server
def test_a_fresh_database_gets_everything(empty: Database):
    steps: list[str] = []
    report = apply.install(empty.dsn, service_password=SERVICE_PASSWORD, progress=steps.append)
    assert report.server.split(".")[0] in {"17", "18"}
    assert {
        "core",
        "policy",
        "catalog",
        "search",
        "selection",
        "calls",
        "stats",
        "audit",
        "api",
        "service",
    } <= schemas_of(empty)
    assert "migrations" in steps
    with psycopg.connect(empty.service_dsn) as connection:
        connection.execute("set local role qm_user")
        row = connection.execute("select count(*) > 0 from api.list_modes()").fetchone()
    assert row == (True,)


def test_a_fresh_database_has_the_modes_of_the_default_settings(installed: Database):
    with installed.connect() as connection:
        rows = connection.execute("select name, to_jsonb(m) - 'name' from selection.mode as m")
        modes = Settings().modes.model_dump(by_alias=True)
        assert dict(rows) == modes


@on_each_server
def test_installing_twice_changes_nothing(installed: Database):
    first = snapshot(installed.dsn)
    with installed.connect() as connection:
        connection.execute("update core.setting set value = '7' where name = 'exposure.limit'")
        connection.execute("update selection.mode set top = 9 where name = 'fast'")
    apply.install(installed.dsn)
    assert snapshot(installed.dsn) == first
    with installed.connect() as connection:
        retained = connection.execute(
            "select s.value, m.top from core.setting as s, selection.mode as m"
            " where s.name = 'exposure.limit' and m.name = 'fast'"
        ).fetchone()
    assert retained == (7, 9), "what an administrator has changed is kept"


def test_the_snapshot_sees_a_change(installed: Database):
    first = snapshot(installed.dsn)
    with installed.connect() as connection:
        for change in (
            "alter table core.setting add column x integer",
            "drop policy user_reads on core.setting",
            "grant select on policy.api_key to qm_user",
            "comment on function core.now() is 'other'",
            "create index on core.setting (value)",
            "alter table core.setting add check (name <> 'x')",
        ):
            connection.execute(sql.SQL("begin"))
            connection.execute(change)
            assert snapshot(installed.dsn, connection) != first, change
            connection.execute("rollback")


def test_many_at_once_are_one(empty: Database):
    # The third is the first to wait for one that has waited.
    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(lambda _: apply.install(empty.dsn), range(4)))
    assert len({report.version for report in reports}) == 1
    at_once = snapshot(empty.dsn)
    apply.install(empty.dsn)
    assert snapshot(empty.dsn) == at_once
    with empty.connect() as connection:
        ledger = connection.execute("select count(*) from core.migration").fetchone()
        principals = connection.execute("select count(*) from policy.principal").fetchone()
    assert ledger == (sum(map(len, discover.all_migrations().values())),)
    assert principals == (2,)


def test_the_login_that_installs_is_the_local_user_and_another_one_is_itself(installed: Database):
    named = "select name, database_role from policy.principal where database_role is not null"
    with installed.connect() as connection:
        [[login]] = connection.execute("select session_user").fetchall()
        assert connection.execute(named).fetchall() == [("local", login)]
        connection.execute("create role qm_test_second superuser login password 'second'")
    try:
        second = make_conninfo(installed.dsn, user="qm_test_second", password="second")
        for _ in range(2):
            apply.install(second)
        with psycopg.connect(second) as connection:
            assert connection.execute(f"{named} order by 1").fetchall() == [
                ("local", login),
                ("qm_test_second", "qm_test_second"),
            ]
            # Who has a name of their own keeps it.
            connection.execute("select api.create_principal('anna', 'person', 'admin')")
            connection.execute("select api.map_role('anna', 'qm_test_second')")
        apply.install(second)
        with psycopg.connect(second) as connection:
            connection.execute("select api.enable_principal('local', false)")
            assert connection.execute(f"{named} order by 1").fetchall() == [
                ("anna", "qm_test_second"),
                ("local", login),
            ]
    finally:
        with installed.connect() as connection:
            remove_login(connection, "qm_test_second")


def test_refreshing_functions_changes_nothing(installed: Database):
    first = snapshot(installed.dsn)
    assert apply.refresh_functions(installed.dsn) > 50
    assert snapshot(installed.dsn) == first


@on_each_server
def test_rights_and_policies_that_no_file_states_are_gone_after_an_installation(
    installed: Database,
):
    first = snapshot(installed.dsn)
    with installed.connect() as connection:
        connection.execute("grant execute on function core.probe_capabilities() to qm_user")
    assert snapshot(installed.dsn) != first
    apply.refresh_functions(installed.dsn)
    assert snapshot(installed.dsn) == first
    with installed.connect() as connection:
        connection.execute("grant select on policy.api_key to qm_user")
        connection.execute("grant usage on schema core to qm_service")
        connection.execute("create policy all_read on policy.api_key to qm_user using (true)")
    apply.install(installed.dsn)
    assert snapshot(installed.dsn) == first


def test_a_missing_required_extension_is_named_and_nothing_changes(
    empty: Database, broken_copy: Path
):
    (broken_copy / "extensions/required/20_pg_trgm.sql").write_text(
        "create extension if not exists no_such_extension schema ext;"
    )
    before = schemas_of(empty)
    with pytest.raises(QmError) as caught:
        apply.install(empty.dsn)
    assert (caught.value.code, caught.value.slug) == ("QM500", "extension_missing")
    assert "pg_trgm" in caught.value.message
    assert caught.value.hint
    assert schemas_of(empty) == before


def test_a_rehearsal_lists_all_that_is_missing_and_what_would_follow(
    managed: Database, broken_copy: Path
):
    for name, other in (("20_pg_trgm", "pageinspect"), ("30_unaccent", "pg_buffercache")):
        # These two may only be created by a superuser.
        file = broken_copy / "extensions/required" / f"{name}.sql"
        file.write_text(f"create extension if not exists {other} with schema ext;")
    with pytest.raises(QmError) as refused:
        apply.install(managed.dsn)
    assert "lacks the extensions pg_trgm, unaccent, and" in refused.value.message
    assert "create extension pg_trgm; create extension unaccent;" in refused.value.hint
    report = apply.install(managed.dsn, is_rehearsal=True)
    assert str(report.lacking) == str(refused.value)
    assert report.changes is not None
    assert {("api",), ("core",), ("quality",)} <= {*report.changes.schemas}
    assert ["create", "database", managed.name, "qm_owner"] in report.changes.grants
    assert schemas_of(managed) == {"ext"}
    app = typer.Typer()
    app.command()(install_command)
    done = CliRunner().invoke(app, ["--dry-run", "--dsn", managed.dsn])
    assert str(done.exception) == str(refused.value)
    lines = done.stdout.splitlines()
    assert "would be installed on PostgreSQL" in lines[0]
    assert "once an administrator has created what is missing" in lines[0]
    assert any(line.startswith("Schemas: api, audit, ") for line in lines)
    assert f"Granted to qm_owner: create on database {managed.name}" in lines


def test_a_missing_optional_extension_is_reported_with_its_reason(
    empty: Database, broken_copy: Path
):
    (broken_copy / "extensions/optional/10_plpython3u.sql").write_text(
        "create extension if not exists no_such_extension schema ext;"
    )
    report = apply.install(empty.dsn)
    assert "no_such_extension" in report.missing["plpython3u"]
    with empty.connect() as connection:
        rows = connection.execute(
            "select installed, reason is not null from core.capability where name = 'plpython3u'"
        ).fetchall()
        # A notice says that there is no vector; words alone find nothing in an empty catalog.
        assert connection.execute("select * from api.select_tools('x')").fetchall() == []
    assert rows == [(False, True)]


@pytest.mark.parametrize(
    "place",
    ["migrations/0006_calls.sql", "functions/search/words.sql", "sql/rls/stats.sql"],
)
def test_a_failure_in_the_middle_leaves_nothing(empty: Database, broken_copy: Path, place: str):
    with (broken_copy / place).open("a") as file:
        file.write("\nselect 1 / 0;\n")
    before = schemas_of(empty)
    with pytest.raises(QmError) as caught:
        apply.install(empty.dsn)
    assert (caught.value.code, caught.value.slug) == ("QM500", "install_failed")
    assert "division by zero" in str(caught.value)
    assert schemas_of(empty) == before


def test_a_failed_update_keeps_the_installed_release(installed: Database, broken_copy: Path):
    first = snapshot(installed.dsn)
    with (broken_copy / "sql/rls/stats.sql").open("a") as file:
        file.write("\nselect 1 / 0;\n")
    with (broken_copy / "functions/core/now.sql").open("a") as file:
        file.write("\ncomment on function core.now() is 'changed';\n")
    with pytest.raises(QmError):
        apply.install(installed.dsn)
    assert snapshot(installed.dsn) == first


def test_a_function_that_becomes_wrong_is_refused(installed: Database, broken_copy: Path):
    # No installation runs it.
    path = broken_copy / "functions/audit/retain.sql"
    path.write_text(path.read_text().replace("if v_months > 0 then", "if v_months > 0"))
    with pytest.raises(QmError, match=r"functions/audit/retain\.sql: .*missing"):
        apply.install(installed.dsn)


_FUNCTION = (
    "create or replace function core.{name}() returns integer language {language} as $$ {body} $$;"
)


@pytest.mark.parametrize(
    ("functions", "reason"),
    [
        ([("other", "sql", "select no_such from core.setting")], "no_such"),
        (
            [("more", "sql", "select 1"), ("second", "plpgsql", "begin retrun 1; end")],
            "syntax error",
        ),
    ],
    ids=["of another name", "the second"],
)
def test_each_body_in_a_file_is_checked(
    empty: Database, broken_copy: Path, functions: list[tuple[str, str, str]], reason: str
):
    (broken_copy / "functions/core/more.sql").write_text(
        "".join(
            _FUNCTION.format(name=name, language=language, body=body)
            for name, language, body in functions
        )
    )
    with pytest.raises(QmError, match=rf"functions/core/more\.sql: .*{reason}"):
        apply.install(empty.dsn)


def test_an_offender_of_a_check_is_refused(empty: Database, broken_copy: Path):
    path = broken_copy / "functions/core/now.sql"
    path.write_text(path.read_text().partition("comment on")[0])
    with pytest.raises(QmError) as caught:
        apply.install(empty.dsn)
    assert caught.value.slug == "check_failed"
    assert "core.now()" in caught.value.message


def test_an_edited_released_migration_is_refused(empty: Database, broken_copy: Path):
    released = broken_copy / "migrations/0001_core.sql"
    digest = hashlib.sha256(released.read_bytes()).hexdigest()
    (broken_copy / "migrations/frozen.txt").write_text(f"{digest}  0001_core.sql\n")
    apply.install(empty.dsn)
    released.write_text(released.read_text() + "\n-- an afterthought\n")
    with pytest.raises(QmError) as caught:
        apply.install(empty.dsn)
    assert (caught.value.code, caught.value.slug) == ("QM500", "migration_edited")
    released.unlink()
    with pytest.raises(QmError) as caught:
        apply.install(empty.dsn)
    assert caught.value.slug == "migration_edited"


def test_a_database_of_before_is_refused_and_stays_as_it_is(installed: Database):
    with installed.connect() as connection:
        connection.execute("update core.release set version = '0.1.0'")
        connection.execute("drop function api.status()")
    before = snapshot(installed.dsn)
    for act in (apply.install, apply.refresh_functions):
        with pytest.raises(QmError) as caught:
            act(installed.dsn)
        assert (caught.value.code, caught.value.slug) == ("QM500", "schema_too_old")
        hint = caught.value.hint
        assert all(way in hint for way in ("--data-dir", "policy apply", "import", "lookup load"))
        assert snapshot(installed.dsn) == before


def test_a_database_of_a_newer_release_is_refused(installed: Database):
    with installed.connect() as connection:
        connection.execute(
            "insert into core.migration (folder, name, digest) values ('', 'migrations/9999_x', '')"
        )
    before = snapshot(installed.dsn)
    with pytest.raises(QmError) as caught:
        apply.install(installed.dsn)
    assert (caught.value.code, caught.value.slug) == ("QM500", "schema_too_new")
    assert snapshot(installed.dsn) == before


def test_no_server_at_that_address_is_a_clear_error():
    with pytest.raises(QmError) as caught:
        apply.install("postgresql://nobody:secret@127.0.0.1:1/none?connect_timeout=2")
    assert (caught.value.code, caught.value.slug) == ("QM503", "database_unavailable")
    assert "secret" not in str(caught.value)


@pytest.fixture
def managed(server: Server) -> Generator[Database]:
    """A database of a provider: its owner may create roles, but is no superuser.

    The roles of ours are there already, made by the superuser for other tests of this server; a
    provider's customer makes them itself, so here the owner is given what that would give it.
    """
    owner = "qm_test_customer"
    with server.empty() as database:
        with database.connect() as connection:
            apply.install(database.dsn)
            connection.execute("drop role if exists qm_test_customer")
            connection.execute("create role qm_test_customer login createrole password 'x'")
            roles = "owner", "reader", "user", "operator", "admin", "service"
            for role in (f"qm_{name}" for name in roles):
                connection.execute(
                    sql.SQL("grant {} to qm_test_customer with admin option").format(
                        sql.Identifier(role)
                    )
                )
        with server.empty() as own:
            with own.connect() as connection:
                # Not trusted extensions: a provider makes them, or lets its customers.
                connection.execute("create schema ext authorization qm_test_customer")
                connection.execute("create extension vector schema ext")
                connection.execute(
                    sql.SQL("alter database {} owner to qm_test_customer").format(
                        sql.Identifier(own.name)
                    )
                )
            yield Database(
                own.name,
                with_parts(own.dsn, database=own.name, user=owner, password="x"),
                own.service_dsn,
            )
        with database.connect() as connection:
            remove_login(connection, "qm_test_customer")


@on_each_server
def test_the_owner_of_a_database_installs_without_being_superuser(managed: Database):
    report = apply.install(managed.dsn, service_password=SERVICE_PASSWORD)
    assert "plpython3u" in report.missing
    apply.install(managed.dsn)
    with psycopg.connect(managed.service_dsn) as connection:
        connection.execute("set local role qm_user")
        row = connection.execute("select count(*) > 0 from api.list_modes()").fetchone()
    assert row == (True,)


_LIMITED = """
select
    not has_function_privilege('public', 'pg_advisory_lock(bigint)', 'execute'),
    exists (
        select from pg_db_role_setting as s
        inner join pg_database as d on d.oid = s.setdatabase
        where
            d.datname = current_database() and s.setrole = 0
            and 'temp_file_limit=256MB' = any(s.setconfig)
    )
"""


def limits(database: Database) -> list[tuple[object, ...]]:
    with database.connect() as connection:
        return connection.execute(_LIMITED).fetchall()


@on_each_server
def test_logins_are_limited_if_the_administrator_agrees(empty: Database):
    apply.install(empty.dsn)
    assert limits(empty) == [(False, False)]
    summary = {each["name"]: each for each in diagnose(empty.dsn).capabilities}["login_limits"]
    assert summary["state"] == "absent"
    assert "qm install --limit-logins" in summary["reason"]
    apply.install(empty.dsn, limit_logins=True)
    assert limits(empty) == [(True, True)]
    summary = {each["name"]: each for each in diagnose(empty.dsn).capabilities}["login_limits"]
    assert "functions" not in (summary["reason"] or "")
    apply.install(empty.dsn)
    assert limits(empty) == [(True, True)], "a later installation keeps them"


@on_each_server
def test_only_a_superuser_limits_logins(managed: Database):
    with pytest.raises(QmError) as refused:
        apply.install(managed.dsn, limit_logins=True)
    assert (refused.value.code, refused.value.slug) == ("QM403", "not_permitted")
    assert "superuser" in refused.value.hint
    assert schemas_of(managed) == {"ext"}


def test_an_installation_that_meets_a_deadlock_is_repeated(installed: Database):
    waiting = "select pid from pg_locks where not granted and relation = %s::regclass"
    with (
        installed.connect() as other,
        installed.connect() as observer,
        ThreadPoolExecutor(2) as threads,
    ):
        other.execute("set deadlock_timeout = '1min'")  # So the installation is the victim.
        other.autocommit = False
        other.execute("select from search.card limit 1")
        running = threads.submit(apply.install, installed.dsn)
        assert wait_until(lambda: observer.execute(waiting, ["search.card"]).fetchall(), 60)
        other.execute("lock table core.release in share row exclusive mode")
        other.rollback()
        assert running.result().server
