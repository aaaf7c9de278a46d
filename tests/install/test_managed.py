"""Databases as providers give them: an owner without superuser rights installs, searches, calls."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import LiteralString, cast

import anyio
import psycopg
import pytest
import typer
from psycopg import sql
from typer.testing import CliRunner

from quartermaster import api
from quartermaster.cli.install import install_command
from quartermaster.cli.session import open_session
from quartermaster.cli.uninstall import uninstall_command
from quartermaster.core.errors import QmError
from quartermaster.doors.mcp.own_client import connect
from quartermaster.install import apply
from quartermaster.install.admin_sql import admin_sql
from quartermaster.install.doctor import diagnose
from quartermaster.install.uninstall import preview, uninstall
from quartermaster.substrate import binaries
from tests.support import debian_root, pgbouncer
from tests.support.database import SERVICE_PASSWORD, Database, run_script, runtime_dir, with_parts
from tests.support.instance import Instance, new_instance
from tests.support.look_alikes import (
    ADMINISTRATOR,
    EXTENSIONS,
    LOOK_ALIKES,
    PASSWORD,
    LookAlike,
    create_role_only,
    look_alike,
    new_server,
)
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.install, pytest.mark.slow]

SERVERS = ("postgresql-18", "postgresql-17")
EVERY = [(name, server) for server in SERVERS for name in LOOK_ALIKES]
_IDLE_S = 1
# The session that listens, which is never idle for long, may be there.
_ALL_ENDED = "select count(*) <= 1 from pg_stat_activity where usename = 'qm_service'"
_ONE_ROW_STAYS = """
select max(now() - state_change) > interval '3 seconds'
from pg_stat_activity where usename = 'qm_service'
"""
_TABLES = """
select format('%I.%I', n.nspname, c.relname)
from pg_class as c inner join pg_namespace as n on n.oid = c.relnamespace
where n.nspowner = 'qm_owner'::regrole and c.relkind = 'r'
order by 1
"""
_EXTENSION_SCHEMA = "select extnamespace::regnamespace from pg_extension where extname = 'vector'"
_SCHEMA_OPTIONS = """
select '--schema=' || n.nspname from pg_namespace as n where n.nspowner = 'qm_owner'::regrole
"""
_HAS_SCHEMA_IF_USED = """
select exists (select from pg_extension as e where e.extnamespace = to_regnamespace('ext'))
    = (to_regnamespace('ext') is not null)
"""
_IS_TAKEN_BACK = """
select p.proowner = 'qm_reader'::regrole
    and not has_schema_privilege(p.proowner, 'api', 'create')
    and not has_schema_privilege(p.proowner, 'service', 'create')
from pg_proc as p where p.oid = 'api.list_items'::regproc
"""
_MEMBERSHIPS = """
select m.roleid::regrole, m.member::regrole, m.grantor::regrole, m.admin_option
from pg_auth_members as m order by 1, 2, 3
"""


def require(server: str, *, is_pooled: bool = True) -> None:
    if server == "postgresql-17" and (reason := debian_root.skip_reason()):
        pytest.skip(reason)
    if is_pooled and pgbouncer.PROGRAM is None:
        pytest.skip("PgBouncer is not there: run scripts/test-prerequisites.sh")


def as_provider(managed: LookAlike, *statements: str) -> None:
    with psycopg.connect(managed.provider_dsn, autocommit=True) as provider:
        for statement in statements:
            run_script(provider, statement)


@pytest.fixture(scope="module", params=EVERY, ids=" on ".join)
def managed(request: pytest.FixtureRequest) -> Generator[LookAlike]:
    """Installed by its owner, after the administrator of the server has run his script."""
    name, server = request.param
    require(server, is_pooled=name == "create role only")
    with look_alike(name, server) as made:
        as_provider(made, admin_sql(made.dsn))
        apply.install(made.dsn, service_password=SERVICE_PASSWORD)
        yield made


def is_so(managed: LookAlike, query: LiteralString) -> bool:
    with psycopg.connect(managed.provider_dsn, autocommit=True) as provider:
        return provider.execute(query).fetchone() == (True,)


def counts(managed: LookAlike) -> dict[str, object]:
    """Returns the number of rows in each of our tables."""
    with psycopg.connect(managed.provider_dsn, autocommit=True) as provider:
        tables = [str(name) for (name,) in provider.execute(_TABLES)]
        count = sql.SQL("select count(*) from {}")
        of = {name: count.format(sql.Identifier(*name.split("."))) for name in tables}
        return {name: provider.execute(query).fetchone() for name, query in of.items()}


def run_client(program: str, *options: str | Path, script: str = "") -> str:
    """Returns what a client program of PostgreSQL 18 prints, which must succeed."""
    programs = binaries.installed_at(runtime_dir())
    done = subprocess.run(
        [programs / "bin" / program, *options],
        env={**os.environ, "LD_LIBRARY_PATH": str(programs / "lib")},
        input=script,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def of_owner(dsn: str) -> list[str]:
    """Returns the options of pg_dump for an owner without superuser rights, as docs/managed.md
    says.
    """
    schemas = run_client("psql", "-At", f"--dbname={dsn}", script=_SCHEMA_OPTIONS)
    return ["--role=qm_owner", "--enable-row-security", *schemas.split()]


def restore_as_owner(dump: Path, copy: LookAlike) -> None:
    """Restores such a dump, as docs/managed.md says."""
    grant = f'grant create on database "{copy.database.name}" to qm_owner'
    run_client("psql", "--no-psqlrc", "-v", "ON_ERROR_STOP=1", f"--dbname={copy.dsn}", script=grant)
    as_one = "--single-transaction", "--no-owner", "--role=qm_owner"
    run_client("pg_restore", *as_one, f"--dbname={copy.dsn}", dump)


@contextmanager
def second_database(managed: LookAlike, user: str = ADMINISTRATOR) -> Generator[LookAlike]:
    """Provides another database of the same cluster, with the extensions in the same schema."""
    with managed.server.empty() as database:
        name = sql.Identifier(database.name)
        with database.connect() as provider:
            if user != ADMINISTRATOR:
                create = sql.SQL("create role {} login createrole password {}")
                provider.execute(create.format(sql.Identifier(user), PASSWORD))
            owner = sql.SQL("alter database {} owner to {}")
            provider.execute(owner.format(name, sql.Identifier(user)))
            with psycopg.connect(managed.dsn) as first:
                [[schema]] = first.execute(_EXTENSION_SCHEMA).fetchall()
            run_script(
                provider, f"create schema {schema}; grant usage on schema {schema} to public"
            )
            for extension in EXTENSIONS:
                run_script(provider, f"create extension {extension} schema {schema}")
        dsn = with_parts(database.dsn, database=database.name, user=user, password=PASSWORD)
        yield LookAlike(
            managed.server, Database(database.name, dsn, database.service_dsn), database.dsn
        )


@contextmanager
def serving(managed: LookAlike, environment: dict[str, str] | None = None) -> Generator[Instance]:
    with new_instance("--dsn", managed.dsn, environment=environment) as instance:
        instance.data_dir.mkdir()
        credentials = instance.data_dir / "credentials.json"
        credentials.write_text(json.dumps({"qm_service": SERVICE_PASSWORD}))
        yield instance.start()


def uninstall_report(managed: LookAlike) -> str:
    """Returns what `qm uninstall --dry-run` prints."""
    app = typer.Typer()
    app.command()(uninstall_command)
    return CliRunner().invoke(app, ["--dry-run", "--dsn", managed.dsn]).output


def finds_and_calls(instance: Instance) -> None:
    found = instance.qm_json("search", "echo a text")
    assert "leaf__echo" in [tool["name"] for tool in found["tools"]], found
    anyio.run(finds_and_calls_over_mcp, instance)


async def finds_and_calls_over_mcp(instance: Instance) -> None:
    async with connect(instance.run_file) as client:
        found = await client.call_tool("search_tools", {"query": "echo a text"})
        offered = cast("dict[str, list[dict[str, str]]]", found.structured_content or {})["tools"]
        assert "leaf__echo" in [tool["name"] for tool in offered]
        call = {"name": "leaf__echo", "arguments": {"text": "hello"}}
        assert not (await client.call_tool("call_tool", call)).is_error


def test_it_installs_again_searches_in_psql_and_over_mcp_and_calls(managed: LookAlike):
    apply.install(managed.dsn)
    apply.refresh_functions(managed.dsn)
    with serving(managed) as instance:
        instance.add_upstream("leaf", "leaf_server.py", "stdio")
        finds_and_calls(instance)
        with psycopg.connect(managed.dsn) as connection:
            [*found] = connection.execute("select name from select_tools('echo a text')")
            assert ("leaf__echo",) in found
            with pytest.raises(psycopg.DatabaseError, match="there is no lookup table"):
                connection.execute("select * from api.search_lookup('nope', 'x')")
        doctor = instance.qm("doctor")
        assert doctor.returncode == 0, doctor.stdout


def test_what_qm_up_prints_can_be_pasted(managed: LookAlike):
    with serving(managed) as instance:
        instance.stop()
        assert "DSN" not in instance.stdout
        assert PASSWORD not in instance.stdout
        assert "MCP " in instance.stdout
        assert "qm up --port=0 '--dsn=" in instance.stdout
        instance.environment["PGPASSWORD"] = PASSWORD
        last = instance.stdout.strip().splitlines()[-1]
        shown = last.partition("'--dsn=")[2].partition("'")[0]
        instance.options = ["--dsn", shown, "--no-starter"]
        instance.start()


def test_its_owner_dumps_every_row_and_restores_them(
    managed: LookAlike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with psycopg.connect(managed.dsn) as connection:
        connection.execute(
            'select * from api.import_items(\'tool\', \'[{"origin": "o", "name": "x"}]\')'
        )
    # A shop that shares the database keeps what is its own.
    as_provider(managed, "create schema shop", "create table shop.orders ()")
    report = uninstall_report(managed)
    as_provider(managed, "drop schema shop cascade")
    [printed] = [line.strip() for line in report.splitlines() if "pg_dump" in line]
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    run_client("pg_dump", *shlex.split(printed)[1:], f"--file={tmp_path / 'dump'}")
    with second_database(managed) as copy:
        restore_as_owner(tmp_path / "dump", copy)
        apply.install(copy.dsn)
        assert counts(copy) == counts(managed)
        with psycopg.connect(copy.dsn) as connection:
            [*found] = connection.execute("select name from select_tools('x')")
            assert ("o__x",) in found


def test_there_is_no_schema_for_extensions_that_stand_elsewhere(managed: LookAlike):
    assert is_so(managed, _HAS_SCHEMA_IF_USED)


def test_uninstalling_tells_how_what_the_administrator_made_goes(managed: LookAlike):
    report = uninstall_report(managed)
    with psycopg.connect(managed.provider_dsn) as provider:
        if provider.execute(_EXTENSION_SCHEMA).fetchone() == ("extensions",):
            # These are the provider's own.
            assert "drop extension" not in report
            return
        [drop] = [
            line.partition(": ")[2] for line in report.splitlines() if "drop extension" in line
        ]
        # In this transaction only.
        provider.execute("drop owned by qm_owner, qm_reader cascade")
        run_script(provider, drop)
        assert provider.execute(_EXTENSION_SCHEMA).fetchone() is None
        provider.rollback()


def test_its_owner_takes_back_what_was_given_to_another_owner(managed: LookAlike):
    as_provider(
        managed,
        f"alter function api.list_items(text, text, text, integer) owner to {ADMINISTRATOR}",
        f"alter table catalog.item owner to {ADMINISTRATOR}",
    )
    # Whoever owns them, they are ours, and in nobody's way.
    assert preview(managed.dsn).schemas
    apply.install(managed.dsn)
    assert is_so(managed, _IS_TAKEN_BACK)
    assert not [report for report in diagnose(managed.dsn).problems if "changed" in report]


def test_the_script_of_the_administrator_can_be_repeated(managed: LookAlike):
    app = typer.Typer()
    app.command()(install_command)
    printed = CliRunner().invoke(app, ["--print-admin-sql", "--dsn", managed.dsn])
    assert printed.exit_code == 0
    with psycopg.connect(managed.provider_dsn, autocommit=True) as provider:
        before = provider.execute(_MEMBERSHIPS).fetchall()
        run_script(provider, printed.stdout)
        assert provider.execute(_MEMBERSHIPS).fetchall() == before
    assert "nothing has to be run" in admin_sql(managed.provider_dsn)


@pytest.mark.parametrize("server", SERVERS)
def test_without_its_extensions_the_statement_and_who_may_run_it_are_named(server: str):
    require(server)
    with look_alike("create role only", server) as managed:
        for _ in range(2):
            with pytest.raises(QmError) as refused:
                apply.install(managed.dsn)
            assert refused.value.slug == "not_permitted"
            assert "create extension vector;" in refused.value.hint
            assert "qm install --print-admin-sql" in refused.value.hint
        # What the sentence names is enough; the others are for everybody.
        as_provider(managed, "create extension vector")
        apply.install(managed.dsn)


@pytest.mark.parametrize("server", SERVERS)
def test_the_script_gives_a_plain_login_all_that_it_lacks(server: str):
    require(server)
    with look_alike("extensions elsewhere", server) as managed:
        database = f'"{managed.database.name}"'
        as_provider(managed, f"alter database {database} owner to postgres")
        as_provider(managed, "alter role customer nocreaterole nocreatedb nobypassrls")
        with pytest.raises(QmError) as refused:
            apply.install(managed.dsn)
        assert "qm install --print-admin-sql" in refused.value.hint
        # Nobody's database is given away by a script that an administrator may not read.
        with pytest.raises(QmError, match="belongs to postgres") as refused:
            admin_sql(managed.dsn)
        assert refused.value.slug == "not_permitted"
        as_provider(managed, f"alter database {database} owner to {ADMINISTRATOR}")
        script = admin_sql(managed.dsn)
        assert "alter database" not in script
        as_provider(managed, script)
        apply.install(managed.dsn)


@pytest.mark.parametrize("server", SERVERS)
def test_roles_of_another_owner_are_used_once_that_owner_has_granted_them(server: str):
    require(server)
    with look_alike("extensions elsewhere", server) as managed:
        apply.install(managed.dsn)
        with second_database(managed, user="other") as others:
            with pytest.raises(QmError) as refused:
                apply.install(others.dsn)
            assert refused.value.slug == "not_permitted"
            statement = refused.value.hint.partition("must run: ")[2]
            assert statement.startswith("grant qm_owner, qm_reader, ")
            with psycopg.connect(managed.dsn, autocommit=True) as owner:
                run_script(owner, statement)
            apply.install(others.dsn)
            apply.install(managed.dsn)


def test_a_schema_that_our_roles_may_not_use_is_named_with_its_grant():
    require("postgresql-18")
    with look_alike("extensions elsewhere", "postgresql-18") as managed:
        grant = "revoke usage on schema extensions from public; grant usage on schema extensions"
        as_provider(managed, f"{grant} to customer")
        with pytest.raises(QmError) as refused:
            apply.install(managed.dsn)
        assert refused.value.slug == "not_permitted"
        statement = refused.value.hint.partition("must run: ")[2]
        assert statement.startswith("grant usage on schema extensions to ")
        # Roles that were made are gone with the transaction; the script makes them, too.
        as_provider(managed, admin_sql(managed.dsn), statement)
        apply.install(managed.dsn)


def test_roles_with_rights_that_only_the_provider_can_take_away_stay():
    require("postgresql-18")
    with look_alike("extensions elsewhere", "postgresql-18") as managed:
        as_provider(
            managed,
            "revoke usage on schema extensions from public",
            "grant usage on schema extensions to customer",
        )
        as_provider(managed, admin_sql(managed.dsn))
        apply.install(managed.dsn)
        removal = uninstall(managed.dsn)
        reason = "only its owner can take away the rights on schema extensions"
        users = {"qm_owner", "qm_reader", "qm_user", "qm_service"}
        assert removal.retained_roles == dict.fromkeys(users, reason)
        for role in users:
            as_provider(managed, f"drop owned by {role}", f"drop role {role}")


def test_each_extension_may_stand_in_a_schema_of_its_own():
    require("postgresql-18")
    with look_alike("extensions elsewhere", "postgresql-18") as managed:
        as_provider(
            managed,
            'create schema "Names and more"',
            'alter extension pg_trgm set schema "Names and more"',
            'grant usage on schema "Names and more" to public',
            "alter extension unaccent set schema public",
        )
        apply.install(managed.dsn, service_password=SERVICE_PASSWORD)
        with serving(managed) as instance:
            instance.add_upstream("leaf", "leaf_server.py", "stdio")
            finds_and_calls(instance)


def test_an_installation_takes_the_time_that_it_needs():
    require("postgresql-18")
    with (
        new_server("postgresql-18") as server,
        create_role_only(server, statement_timeout="50ms") as managed,
    ):
        as_provider(managed, admin_sql(managed.dsn))
        apply.install(managed.dsn)


def test_a_server_that_demands_tls_says_what_to_add():
    require("postgresql-18")
    with look_alike("create role only", "postgresql-18") as managed:
        with pytest.raises(QmError) as refused:
            apply.install(managed.dsn.partition("?")[0] + "?sslmode=disable")
        assert "sslmode=require" in refused.value.hint


@pytest.mark.parametrize("server", SERVERS)
def test_a_pooler_is_refused_but_serves_the_service_while_idle_connections_are_ended(server: str):
    require(server)
    with new_server(server) as running, create_role_only(running, idle_s=_IDLE_S) as managed:
        as_provider(managed, admin_sql(managed.dsn))
        pooled = managed.pooled_dsn
        assert pooled is not None
        with pytest.raises(QmError, match="pooler") as refused:
            apply.install(pooled)
        assert "database.listen_dsn" in refused.value.hint
        with pytest.raises(QmError, match="pooler"), open_session(None, pooled):
            pass
        apply.install(managed.dsn, service_password=SERVICE_PASSWORD)
        with new_instance("--dsn", pooled) as instance:
            launched = instance.launch()
            assert launched.wait(60) != 0
            assert "pooler" in instance.stderr
        environment = {
            "QM_DATABASE__SERVICE_DSN": managed.pooled(managed.database.service_dsn),
            "QM_DATABASE__LISTEN_DSN": managed.database.service_dsn,
        }
        with serving(managed, environment) as instance:
            instance.add_upstream("leaf", "leaf_server.py", "stdio")
            for _ in range(3):
                finds_and_calls(instance)
                assert wait_until(lambda: is_so(managed, _ALL_ENDED), 60)
            made = instance.qm_json("key", "create", "local", "--label", "pooled")
            with instance.http(made["key"]) as client:
                assert client.get("/status").status_code == 200
                # That it is revoked is heard on the connection that listens.
                instance.qm("key", "revoke", str(made["id"]), "--yes")
                assert client.get("/status").status_code == 401


def test_a_service_keeps_the_connections_that_the_server_would_end():
    require("postgresql-18")
    with (
        new_server("postgresql-18") as server,
        create_role_only(server, idle_s=_IDLE_S) as managed,
    ):
        as_provider(managed, admin_sql(managed.dsn))
        apply.install(managed.dsn, service_password=SERVICE_PASSWORD)
        with serving(managed):
            assert wait_until(lambda: is_so(managed, _ONE_ROW_STAYS), 60)
        with open_session(None, managed.dsn) as session:
            assert session.call_value(api.status()) is not None
