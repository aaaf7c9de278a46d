"""Uninstalling: what goes, what stays, what is as it was before, and what stands in the way."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import LiteralString, cast

import psycopg
import pytest
import typer
from psycopg import sql
from typer.testing import CliRunner

from quartermaster import api
from quartermaster.cli.session import open_session
from quartermaster.cli.uninstall import uninstall_command
from quartermaster.core.errors import QmError
from quartermaster.install import apply
from quartermaster.install.doctor import diagnose
from quartermaster.install.installed import is_installed
from quartermaster.install.uninstall import preview, remove_functions, uninstall
from tests.support import debian_root
from tests.support.catalogue import snapshot
from tests.support.database import SERVICE_PASSWORD, Database, Server, debian, embedded, with_parts
from tests.support.instance import new_instance
from tests.support.logins import remove_login
from tests.support.waiting import wait_until

pytestmark = pytest.mark.install

ADMINISTRATORS = ("superuser", "owner")
# What somebody may do with an object if nothing is written down, by the column of the rights.
_DEFAULTS = {
    "pg_class.relacl": (
        "acldefault(case o.relkind when 'S' then 's' else 'r' end::\"char\", o.relowner)"
    ),
    "pg_database.datacl": "acldefault('d', o.datdba)",
    "pg_foreign_data_wrapper.fdwacl": "acldefault('F', o.fdwowner)",
    "pg_foreign_server.srvacl": "acldefault('S', o.srvowner)",
    "pg_language.lanacl": "acldefault('l', o.lanowner)",
    "pg_largeobject_metadata.lomacl": "acldefault('L', o.lomowner)",
    "pg_namespace.nspacl": "acldefault('n', o.nspowner)",
    "pg_parameter_acl.paracl": "acldefault('p', 10)",
    "pg_proc.proacl": "acldefault('f', o.proowner)",
    "pg_tablespace.spcacl": "acldefault('t', o.spcowner)",
    "pg_type.typacl": "acldefault('T', o.typowner)",
}
# Columns whose rows have no default of their own.
_WRITTEN = ("pg_attribute.attacl", "pg_default_acl.defaclacl", "pg_init_privs.initprivs")
_COLUMNS = """
select c.relname || '.' || a.attname from pg_attribute as a
inner join pg_class as c on c.oid = a.attrelid
where a.atttypid = 'aclitem[]'::regtype and c.relkind = 'r'
    and c.relnamespace = 'pg_catalog'::regnamespace
"""
_SETTINGS = """
select format('%s %s %s', d.datname, pg_get_userbyid(s.setrole), s.setconfig)
from pg_db_role_setting as s left join pg_database as d on d.oid = s.setdatabase
"""
# PostgreSQL keeps a schema for each session that has made temporary objects, for the next one.
_TEMPORARY = re.compile(r"\bpg_(toast_)?temp_")
_OBJECTS = """
select nspname from pg_namespace where nspname !~ '^pg_(toast_)?temp_'
union all select extname from pg_extension
union all select rolname from pg_roles
"""


@pytest.fixture(scope="module")
def embedded_cluster() -> Generator[Server]:
    """A server of its own, because roles that other databases use stay."""
    with embedded() as server:
        yield server


@pytest.fixture(scope="module")
def debian_cluster() -> Generator[Server]:
    """Like `embedded_cluster`; skips where the machine cannot have it."""
    if reason := debian_root.skip_reason():
        pytest.skip(reason)
    with debian() as server:
        yield server


@pytest.fixture(params=["embedded_cluster"])
def cluster(request: pytest.FixtureRequest) -> Server:
    """The newest server; in a test that is marked `on_each_cluster`, each in turn."""
    return request.getfixturevalue(request.param)


on_each_cluster = pytest.mark.parametrize(
    "cluster", ["embedded_cluster", "debian_cluster"], indirect=True, ids=["18", "17"]
)


@pytest.fixture
def empty(cluster: Server) -> Generator[Database]:
    with cluster.empty() as database:
        yield database


@contextmanager
def administered(server: Server, administrator: str) -> Generator[Database]:
    """Provides an empty database, with the connection string of a superuser or of its owner."""
    with server.empty() as database:
        if administrator == "superuser":
            yield database
            return
        login = "shop_owner"
        with database.connect() as connection:
            connection.execute("create role shop_owner login createrole password 'x'")
            owned = sql.SQL("alter database {} owner to shop_owner")
            connection.execute(owned.format(sql.Identifier(database.name)))
            # Not trusted: a provider makes it.
            connection.execute("create schema ext authorization shop_owner")
            connection.execute("create extension vector schema ext")
        try:
            own = with_parts(database.dsn, database=database.name, user=login, password="x")
            yield Database(database.name, own, database.service_dsn)
        finally:
            with database.connect() as connection:
                remove_login(connection, "shop_owner")


def grants(superuser_dsn: str) -> set[str]:
    """Returns all rights on everything in the catalog, with those that PostgreSQL gives by
    default.
    """
    found: set[str] = set()
    with psycopg.connect(superuser_dsn) as connection:
        connection.execute("set search_path = pg_catalog")
        for (column,) in connection.execute(_COLUMNS).fetchall():
            assert column in _DEFAULTS or column in _WRITTEN, (
                "a column that this test does not know"
            )
            table, _, name = column.partition(".")
            default = _DEFAULTS.get(column, "null::aclitem[]")
            described = (
                "o.attrelid::regclass::text || '.' || o.attname"
                if table == "pg_attribute"
                else "o::text"
                if column in _WRITTEN
                else "pg_describe_object(o.tableoid, o.oid, 0)"
            )
            query = (
                f"select {described} || ' ' || array(select x::text from unnest("
                f"coalesce(o.{name}, {default})) as x order by 1)::text from {table} as o"
            )
            rows = connection.execute(cast(LiteralString, query)).fetchall()
            texts = [str(text) for (text,) in rows if text is not None]
            found |= {f"{column}: {text}" for text in texts if not _TEMPORARY.search(text)}
    return found


def state(server: Server, database: Database, *, at: Path) -> dict[str, object]:
    """Returns what an installation could change for others."""
    assert server.admin is not None
    dsn = with_parts(server.admin_dsn, database=database.name)
    with psycopg.connect(dsn) as connection:
        named = [str(row[0]) for row in connection.execute(_OBJECTS)]
        settings = [str(row[0]) for row in connection.execute(_SETTINGS)]
    return {
        "globals": dumped_globals(server, at),
        "grants": grants(dsn),
        "named": sorted(name for name in named if not _TEMPORARY.search(name)),
        "settings": sorted(settings),
    }


def dumped_globals(server: Server, programs: Path) -> list[str]:
    """Returns what `pg_dumpall --globals-only` says, without the lines that differ each time."""
    command = [programs / "pg_dumpall", "--globals-only", f"--dbname={server.admin_dsn}"]
    environment = {**os.environ, "LD_LIBRARY_PATH": str(programs.parent / "lib")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if not line.startswith("\\")]


@pytest.fixture
def programs(embedded_cluster: Server) -> Path:
    """The folder of a pg_dumpall that reads every server."""
    assert embedded_cluster.programs
    return embedded_cluster.programs


@on_each_cluster
@pytest.mark.parametrize("administrator", ADMINISTRATORS)
def test_everything_is_as_before_the_installation(
    cluster: Server, programs: Path, administrator: str
):
    with administered(cluster, administrator) as database:
        before = state(cluster, database, at=programs)
        limits = administrator == "superuser"
        apply.install(database.dsn, service_password=SERVICE_PASSWORD, limit_logins=limits)
        installed = state(cluster, database, at=programs)
        assert all(installed[each] != before[each] for each in before), "it sees an installation"
        first = snapshot(database.dsn)
        uninstall(database.dsn)
        assert state(cluster, database, at=programs) == before
        apply.install(database.dsn, service_password=SERVICE_PASSWORD, limit_logins=limits)
        assert snapshot(database.dsn) == first, "the second installation is a first one"
        assert preview(database.dsn).is_recorded
        uninstall(database.dsn)
        assert state(cluster, database, at=programs) == before


def test_settings_of_the_database_keep_nothing_from_going(empty: Database):
    apply.install(empty.dsn)
    with empty.connect() as connection:
        limit = sql.SQL("alter database {} set default_transaction_read_only = on")
        connection.execute(limit.format(sql.Identifier(empty.name)))
    uninstall(empty.dsn)
    assert not is_installed(empty.dsn)


@on_each_cluster
def test_rights_and_settings_that_differ_from_the_defaults_come_back(
    cluster: Server, empty: Database, programs: Path
):
    name = sql.Identifier(empty.name)
    with empty.connect() as connection:
        for statement in (
            "revoke connect on database {} from public",
            "grant connect on database {} to pg_monitor",
            "alter database {} set search_path = shop, public",
            "alter database {} set temp_file_limit = '1GB'",
            "alter role current_user in database {} set temp_file_limit = '2GB'",
            "revoke execute on function pg_database_size(oid), lo_create(oid) from public",
            "grant execute on function pg_database_size(oid) to pg_monitor",
            "revoke select on pg_class from public",
            "grant create on schema public to public",
            "create schema ext",
            "create extension pg_trgm schema ext",
        ):
            connection.execute(sql.SQL(statement).format(name))
    before = state(cluster, empty, at=programs)
    apply.install(empty.dsn, limit_logins=True)
    with empty.connect() as connection:
        creates = "select has_schema_privilege('public', 'public', 'create')"
        assert connection.execute(creates).fetchone() == (False,), "it could hide our functions"
    removal = uninstall(empty.dsn)
    assert state(cluster, empty, at=programs) == before
    assert removal.retained_extensions == {"pg_trgm": "it was there before"}
    with empty.connect() as connection:
        reset = sql.SQL("alter role current_user in database {} reset all")
        connection.execute(reset.format(name))


def test_what_somebody_has_changed_since_stays(cluster: Server, empty: Database):
    apply.install(empty.dsn)
    with empty.connect() as connection:
        name = sql.Identifier(empty.name)
        connection.execute(sql.SQL("alter database {} set search_path = shop").format(name))
        connection.execute(sql.SQL("alter database {} set work_mem = '9MB'").format(name))
        connection.execute(sql.SQL("grant connect on database {} to pg_read_all_data").format(name))
    uninstall(empty.dsn)
    with empty.connect() as connection:
        [[settings]] = connection.execute(
            "select s.setconfig from pg_db_role_setting as s"
            " inner join pg_database as d on d.oid = s.setdatabase and d.datname = %s",
            [empty.name],
        ).fetchall()
        assert settings == ["search_path=shop", "work_mem=9MB"]
        has = "select has_database_privilege('pg_read_all_data', %s, 'connect')"
        assert connection.execute(has, [empty.name]).fetchone() == (True,)


def test_an_installation_without_a_record_gets_the_defaults_of_postgresql(
    cluster: Server, empty: Database, programs: Path
):
    before = state(cluster, empty, at=programs)
    apply.install(empty.dsn, limit_logins=True)
    with empty.connect() as connection:
        connection.execute("drop schema qm_prior_state")
    assert not preview(empty.dsn).is_recorded
    uninstall(empty.dsn)
    assert state(cluster, empty, at=programs) == before


def test_a_copy_of_a_database_gets_back_its_own_rights(cluster: Server, empty: Database):
    assert cluster.admin is not None
    apply.install(empty.dsn)
    copy = cluster.database(f"{empty.name}_copy")
    name = sql.Identifier(copy.name)
    create = sql.SQL("create database {} template {}").format(name, sql.Identifier(empty.name))
    cluster.admin.execute(create)
    try:
        with copy.connect() as connection:
            connection.execute(sql.SQL("alter database {} set search_path = shop").format(name))
            connection.execute(sql.SQL("revoke connect on database {} from public").format(name))
        apply.install(copy.dsn)
        uninstall(copy.dsn)
        rights = (
            "select has_database_privilege('public', datname, 'connect'),"
            " has_database_privilege('public', datname, 'temporary'), s.setconfig"
            " from pg_database as d inner join pg_db_role_setting as s on s.setdatabase = d.oid"
            " where d.datname = %s"
        )
        with copy.connect() as connection:
            assert connection.execute(rights, [copy.name]).fetchall() == [
                (False, True, ["search_path=shop"])
            ]
    finally:
        cluster.admin.execute(sql.SQL("drop database {} with (force)").format(name))
    uninstall(empty.dsn)


def test_roles_that_another_database_uses_stay_and_work_there(cluster: Server, empty: Database):
    apply.install(empty.dsn, service_password=SERVICE_PASSWORD)
    with cluster.empty() as other:
        apply.install(other.dsn)
        removal = uninstall(empty.dsn)
        assert removal.roles == []
        assert set(removal.retained_roles.values()) == {f"used in {other.name}"}
        with psycopg.connect(other.service_dsn) as connection:
            connection.execute("set local role qm_user")
            connection.execute("select * from api.list_modes()")
        last = uninstall(other.dsn)
        assert last.retained_roles == {}


_IN_THE_WAY = {
    "create view public.shop as select name from catalog.origin": "view public.shop",
    "create table public.shop (id bigint references policy.principal)": (
        "constraint shop_id_fkey on table public.shop"
    ),
    "create table public.shop (at timestamptz default core.now())": (
        "default value for column at of table public.shop"
    ),
    "create table core.shop (id int)": "table core.shop, which belongs to postgres",
    "create table public.shop (id int); alter table public.shop owner to qm_owner": (
        "table public.shop, which belongs to qm_owner"
    ),
}


def test_what_others_have_made_is_named_and_nothing_changes(empty: Database):
    apply.install(empty.dsn)
    before = snapshot(empty.dsn)
    for statement, named in _IN_THE_WAY.items():
        with empty.connect() as connection:
            connection.execute(cast(LiteralString, statement))
        for act in (preview, uninstall, remove_functions):
            with pytest.raises(QmError) as refused:
                act(empty.dsn)
            assert (refused.value.code, refused.value.slug) == ("QM409", "installation_in_use")
            assert refused.value.message.endswith(f"would go, too: {named}")
        with empty.connect() as connection:
            kind, _, name = statement.removeprefix("create ").partition(" ")
            kind, name = (sql.SQL(cast(LiteralString, kind)), name.split()[0].split("."))
            connection.execute(sql.SQL("drop {} {}").format(kind, sql.Identifier(*name)))
    assert snapshot(empty.dsn) == before
    uninstall(empty.dsn)


def test_an_extension_that_others_use_stays_with_its_schema(empty: Database):
    apply.install(empty.dsn)
    with empty.connect() as connection:
        connection.execute("create table public.shop (place ext.vector(3))")
    removal = uninstall(empty.dsn)
    assert removal.retained_extensions == {"vector": "used by column place of table public.shop"}
    with empty.connect() as connection:
        connection.execute("insert into public.shop values ('[1,2,3]')")
    apply.install(empty.dsn, shared=True)


def test_a_database_without_an_installation_is_told_so(empty: Database):
    with pytest.raises(QmError) as refused:
        uninstall(empty.dsn)
    assert (refused.value.code, refused.value.slug) == ("QM404", "not_installed")


def test_commands_say_that_a_database_lacks_the_installation_or_its_functions(empty: Database):
    def refused() -> QmError:
        with open_session(None, empty.dsn) as session, pytest.raises(QmError) as report:
            session.call(api.status())
        return report.value

    assert (refused().code, refused().slug) == ("QM404", "not_installed")
    apply.install(empty.dsn)
    remove_functions(empty.dsn)
    assert refused().slug == "not_installed"
    [problem] = diagnose(empty.dsn).problems
    assert "qm uninstall --keep-data" in problem
    app = typer.Typer()
    app.command()(uninstall_command)
    shown = CliRunner().invoke(app, ["--dry-run", "--dsn", empty.dsn]).stdout
    assert "To be removed from database" in shown
    assert shown.strip().endswith("nothing was changed.")
    uninstall(empty.dsn)


def test_a_part_of_an_installation_is_not_built_upon(empty: Database):
    with empty.connect() as connection:
        connection.execute("create role qm_owner")
        connection.execute("create schema api authorization qm_owner")
    with pytest.raises(QmError, match="part of an installation") as refused:
        apply.install(empty.dsn)
    assert "Drop the database, create it again" in refused.value.hint
    with empty.connect() as connection:
        connection.execute("drop schema api")
        connection.execute("drop role qm_owner")


def test_the_owner_is_told_that_only_a_superuser_can_give_functions_back(cluster: Server):
    with administered(cluster, "owner") as database:
        superuser = with_parts(cluster.admin_dsn, database=database.name)
        with psycopg.connect(superuser, autocommit=True) as connection:
            # Whoever owns the schema of extensions could put functions there.
            connection.execute("alter schema ext owner to current_user")
        apply.install(superuser)
        with pytest.raises(QmError) as refused:
            uninstall(database.dsn)
        assert (refused.value.code, refused.value.slug) == ("QM403", "not_permitted")
        uninstall(superuser)


def test_sessions_of_the_service_and_of_logins_are_ended_and_those_of_others_go_on(
    empty: Database,
):
    apply.install(empty.dsn, service_password=SERVICE_PASSWORD)
    with (
        empty.connect() as other,
        empty.connect(as_service=True) as idle,
        psycopg.connect(empty.service_dsn) as working,
        empty.connect() as locking,
    ):
        working.execute("set local role qm_user")
        working.execute("select * from api.list_modes()")
        locking.autocommit = False
        locking.execute("lock table catalog.origin")
        uninstall(empty.dsn)
        assert other.execute("select 1").fetchone() == (1,)
        for ended in (idle, working, locking):
            with pytest.raises(psycopg.OperationalError):
                ended.execute("select 1")


@pytest.mark.parametrize("is_there_before", [False, True])
def test_jobs_of_pg_cron_go_with_it_unless_it_was_there_before(
    debian_cluster: Server, programs: Path, is_there_before: bool
):
    database = debian_cluster.database("quartermaster")
    jobs = "select jobname from cron.job"
    with database.connect() as connection:
        try:
            if is_there_before:
                connection.execute("create extension pg_cron")
                connection.execute("select cron.schedule('tick', '0 5 * * *', 'select 1')")
            before = state(debian_cluster, database, at=programs)
            apply.install(database.dsn)
            assert ("quartermaster",) in connection.execute(jobs).fetchall()
            uninstall(database.dsn)
            assert state(debian_cluster, database, at=programs) == before
            if is_there_before:
                assert connection.execute(jobs).fetchall() == [("tick",)]
        finally:
            connection.execute("drop extension if exists pg_cron")


def test_a_service_that_connects_again_and_again_does_not_hold_it_up(empty: Database):
    apply.install(empty.dsn, service_password=SERVICE_PASSWORD)
    is_over = Event()

    def serve() -> None:
        while not is_over.is_set():
            with suppress(psycopg.Error), psycopg.connect(empty.service_dsn) as connection:
                connection.execute("set local role qm_user")
                connection.execute("select * from api.list_modes()")

    with ThreadPoolExecutor(2) as services:
        served = [services.submit(serve) for _ in range(2)]
        try:
            uninstall(empty.dsn)
        finally:
            is_over.set()
        for each in served:
            each.result()
    with empty.connect() as observer:
        assert wait_until(
            lambda: observer.execute(_SESSIONS, [empty.name]).fetchall() == [(1,)], 60
        )


def test_a_service_that_goes_on_serves_its_copy(cluster: Server, empty: Database):
    with cluster.empty() as other, new_instance("--dsn", empty.dsn) as instance:
        # The roles stay, so the service may still connect.
        apply.install(other.dsn)
        instance.start()
        assert wait_until((instance.data_dir / "outage").exists, 60)
        uninstall(empty.dsn)
        found = instance.qm("search", "list invitations")
        assert found.returncode == 0, found.stderr
        assert "invitations" in found.stdout
        assert instance.stop() == 0


_KILLED = """
import sys
from quartermaster.install.uninstall import uninstall
uninstall(sys.argv[1])
"""
_WAITING = "select from pg_stat_activity where datname = %s and wait_event_type = 'Lock'"
_SESSIONS = """
select count(*) from pg_stat_activity where datname = %s and backend_type = 'client backend'
"""


def test_killed_in_the_middle_it_has_done_nothing_and_a_second_one_works(
    empty: Database,
):
    apply.install(empty.dsn)
    before = snapshot(empty.dsn)
    with empty.connect() as blocking, empty.connect() as observer:
        # Whoever gives back the rights waits for this; by then, the tables are locked.
        blocking.autocommit = False
        name = sql.Identifier(empty.name)
        blocking.execute(sql.SQL("alter database {} set work_mem = '8MB'").format(name))
        blocking.execute(sql.SQL("grant temporary on database {} to qm_user").format(name))
        process = subprocess.Popen([sys.executable, "-c", _KILLED, empty.dsn])
        assert wait_until(lambda: observer.execute(_WAITING, [empty.name]).fetchall() != [], 60)
        process.kill()
        process.wait()
        blocking.rollback()
        assert wait_until(
            lambda: observer.execute(_SESSIONS, [empty.name]).fetchall() == [(2,)], 60
        )
    assert snapshot(empty.dsn) == before
    uninstall(empty.dsn)


def test_without_its_functions_the_data_stay_and_an_installation_brings_them_back(
    empty: Database,
):
    apply.install(empty.dsn, service_password=SERVICE_PASSWORD)
    with empty.connect() as connection:
        connection.execute(
            'select * from api.import_items(\'tool\', \'[{"origin": "o", "name": "x"}]\')'
        )
    before = snapshot(empty.dsn)
    assert remove_functions(empty.dsn) > 500
    with empty.connect() as connection:
        assert connection.execute("select name from catalog.item").fetchall() == [("x",)]
    assert remove_functions(empty.dsn) == 0
    assert not is_installed(empty.dsn)
    apply.install(empty.dsn)
    assert snapshot(empty.dsn) == before
    with empty.connect() as connection:
        found = connection.execute("select name from api.select_tools('x')").fetchall()
    assert found == [("o__x",)]
    remove_functions(empty.dsn)
    uninstall(empty.dsn)
    with empty.connect() as connection:
        assert connection.execute("select from pg_roles where rolname ~ '^qm_'").fetchall() == []
