"""Whoever may act as qm_owner, or made the dump of a database, wants the rights of the login that
installs, checks and uninstalls: nothing that stands in the database runs with them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from quartermaster.core.errors import QmError
from quartermaster.install import apply, discover
from quartermaster.install.doctor import diagnose
from quartermaster.install.installed import is_installed
from quartermaster.install.service_access import register_token, try_embedding
from quartermaster.install.uninstall import preview, remove_functions, uninstall
from quartermaster.substrate.role_settings import reset_role_settings
from tests.install.test_bundle import run
from tests.support import landings
from tests.support.database import Database, Server, run_script, with_parts
from tests.support.fixtures import on_each_server
from tests.support.logins import remove_login

MALLORY = "qm_test_mallory"
CUSTOMER = "qm_test_customer"

# What Mallory plants: it counts how often it runs, and how often as somebody else than the owner. A
# sequence counts on if the transaction is rolled back. It tries to become the login again, and
# leaves behind what would run later: on a path of names, at the end of the transaction, or in place
# of a statement that the driver has prepared.
EVIL = r"""
create schema mallory;
grant all on schema mallory to public;
create sequence mallory.ran;
create sequence mallory.escaped;
create function mallory.count() returns boolean language plpgsql volatile as $$
begin
    perform pg_catalog.nextval('mallory.ran');
    if current_user <> all('{qm_owner,qm_reader,qm_service,qm_test_mallory}'::name[]) then
        raise warning 'run as %', current_user;
        perform pg_catalog.nextval('mallory.escaped');
    end if;
    return true;
end $$;
create function mallory.later() returns trigger language plpgsql as $$
begin
    perform mallory.count();
    -- It defers itself again, but not without end.
    if (select r.last_value from mallory.ran as r) < 50 then
        perform mallory.evil();
    end if;
    return null;
end $$;
create table mallory.queue (n int);
create constraint trigger later after insert on mallory.queue deferrable initially deferred
for each row execute function mallory.later();
create function mallory.current_setting(text) returns text language plpgsql as $$
begin
    perform mallory.count();
    return pg_catalog.current_setting($1);
end $$;
create function mallory.format(text, name) returns text language plpgsql as $$
begin
    perform mallory.count();
    return pg_catalog.format($1, $2);
end $$;
create function mallory.evil() returns boolean language plpgsql volatile as $$
declare
    v_try text;
begin
    foreach v_try in array array[
        'reset role', 'set role none', 'reset session authorization',
        'set constraints all deferred', 'insert into mallory.queue values (1)',
        'set search_path = mallory, pg_catalog', 'set standard_conforming_strings = off',
        'declare later cursor with hold for select mallory.count()',
        'deallocate _pg3_0', 'prepare _pg3_0 (text) as select mallory.count()'
    ] loop
        begin
            execute v_try;
        exception
            when others then null;
        end;
    end loop;
    return mallory.count();
end $$;
create function mallory.constant(int) returns boolean language plpgsql immutable as
$$ begin return mallory.evil(); end $$;
create function mallory.each() returns trigger language plpgsql as
$$ begin perform mallory.evil(); return coalesce(new, old); end $$;
grant all on all tables in schema mallory to public;
grant all on all sequences in schema mallory to public;
"""

_EACH_TABLE = """
do $do$
declare
    v_table regclass;
begin
    for v_table in
        select c.oid from pg_class as c
        where c.relowner = 'qm_owner'::regrole and c.relkind = 'r' and not c.relispartition
    loop
        {body}
    end loop;
end $do$;
"""
_HIDDEN_BY_VIEW = """
alter table {0} rename to hidden_{1};
create view {0} as select h.* from core.hidden_{1} as h where (select mallory.evil());
"""
PLANTS = {
    "a remedy and a schema of pg_cron": """
update core.installed_object set state = 'x', remedy = 'select mallory.evil()'
where name in ('core.setting', 'core.installed_object') or kind = 'index';
create schema if not exists cron;
create function cron.schedule(text, text, text) returns bigint language plpgsql
set search_path = pg_catalog, pg_temp as
$$ begin perform mallory.evil(); return 1; end $$;
comment on function cron.schedule is 'No check refuses it.';
grant all on schema cron to public;
grant all on all functions in schema cron to public;""",
    "functions": """
do $do$
declare
    v_made text;
begin
    for v_made in
        select format(
            'create or replace function %s.%I(%s) returns %s language plpgsql as %L',
            p.pronamespace::regnamespace, p.proname, pg_get_function_arguments(p.oid),
            pg_get_function_result(p.oid),
            'begin perform mallory.evil(); return'
            || case
                when p.proretset then ''
                when p.prorettype = 'void'::regtype then ''
                when p.prorettype = 'trigger'::regtype then ' coalesce(new, old)'
                when p.prorettype = 'boolean'::regtype then ' true'
                else ' null'
            end || '; end'
        )
        from pg_proc as p
        where
            p.proowner = 'qm_owner'::regrole and p.prokind = 'f'
            and p.pronamespace::regnamespace::text not like 'pg\\_%'
    loop
        begin
            execute v_made;
        exception
            when others then null;
        end;
    end loop;
end $do$;""",
    "triggers": _EACH_TABLE.format(
        body="""
        execute format(
            'create trigger evil before insert or update or delete on %s for each row'
            ' execute function mallory.each()', v_table
        );
        execute format(
            'create constraint trigger evil_later after insert or update or delete on %s deferrable'
            ' initially deferred for each row execute function mallory.later()', v_table
        );
        execute format('alter table %s enable always trigger evil', v_table);
        execute format('alter table %s enable always trigger evil_later', v_table);"""
    ),
    "policies": _EACH_TABLE.format(
        body="""
        -- Once a statement: once a row takes minutes.
        execute format('create policy evil on %s using ((select mallory.evil()))', v_table);
        execute format(
            'create policy worse on %s as restrictive using ((select mallory.evil()))', v_table
        );
        execute format('drop policy if exists owner_all on %s', v_table);"""
    ),
    "checks and indexes": _EACH_TABLE.format(
        body="""
        execute format(
            'alter table %s add constraint evil check (mallory.evil()) not valid', v_table
        );
        execute format('create index on %s ((mallory.constant(1)))', v_table);"""
    ),
    "views": "".join(
        _HIDDEN_BY_VIEW.format(f"core.{name}", name)
        for name in ("release", "capability", "kind_folder", "installed_object", "setting")
    ),
    "views of migrations": "".join(
        _HIDDEN_BY_VIEW.format(f"core.{name}", name) for name in ("migration", "alembic_version")
    ),
    "names on the path": """
create function api.format(text, name, text) returns text language plpgsql as
$$ begin perform mallory.evil(); return pg_catalog.format($1, $2, $3); end $$;
grant execute on function api.format to public;
grant usage on schema api to public;""",
}


@pytest.fixture(scope="module")
def original(server: Server) -> Generator[Database]:
    with server.empty() as database:
        apply.install(database.dsn)
        yield database


@pytest.fixture
def planted(
    server: Server, original: Database, request: pytest.FixtureRequest
) -> Generator[Database]:
    """A copy in which Mallory has planted something as qm_owner."""
    with server.clone(original) as database:
        with database.connect() as connection:
            run_script(
                connection,
                f"create role {MALLORY} login password 'x'; grant qm_owner to {MALLORY};"
                f' grant create on database "{database.name}" to {MALLORY};'
                # Policies that read their own tables recurse to this depth, again at each step.
                f""" alter database "{database.name}" set max_stack_depth = '500kB';"""
                f" alter role {MALLORY} in database \"{database.name}\" set work_mem = '8MB'",
            )
        try:
            dsn = with_parts(database.dsn, database=database.name, user=MALLORY, password="x")
            with psycopg.connect(dsn, autocommit=True) as connection:
                run_script(connection, EVIL)
                connection.execute("set role qm_owner")
                run_script(connection, request.param)
            yield database
        finally:
            with database.connect() as connection:
                remove_login(connection, MALLORY)


def _doctor(dsn: str) -> None:
    diagnose(dsn)


def _rehearse(dsn: str) -> None:
    apply.install(dsn, is_rehearsal=True)


def _install(dsn: str) -> None:
    apply.install(dsn, limit_logins=True)


def _key(dsn: str) -> None:
    register_token(dsn, "local", "a token", "x")


def _try(dsn: str) -> None:
    try_embedding(dsn, Path("/nowhere"))


def _reset(dsn: str) -> None:
    reset_role_settings(dsn, MALLORY)


# What is done as the superuser, one after another.
DONE: dict[str, Callable[[str], object]] = {
    "qm up asks": is_installed,
    "qm doctor": _doctor,
    "qm uninstall --dry-run": preview,
    "the local key": _key,
    "embed()": _try,
    "stored settings": _reset,
    "qm install --dry-run": _rehearse,
    "qm install --functions-only": apply.refresh_functions,
    "qm install": _install,
    "qm doctor again": _doctor,
    "qm uninstall --keep-data": remove_functions,
    "qm uninstall": uninstall,
}


def escapes(planted: Database, dsn: str) -> list[str]:
    """Returns what was done while something of the owner ran with the rights of the login.

    Args:
        planted: the database.
        dsn: of the login that does everything.
    """
    escaped: list[str] = []
    before: object = None
    for name, act in DONE.items():
        with suppress(QmError, psycopg.Error):
            act(dsn)
        with planted.connect() as connection:
            now = connection.execute(
                "select last_value from mallory.escaped where is_called"
            ).fetchone()
        if now != before:
            escaped.append(name)
        before = now
    return escaped


@on_each_server
@pytest.mark.parametrize("planted", PLANTS.values(), ids=PLANTS, indirect=True)
def test_nothing_of_the_owner_runs_as_the_superuser(planted: Database) -> None:
    assert escapes(planted, planted.dsn) == []


@pytest.mark.parametrize(
    "planted",
    [PLANTS["functions"], PLANTS["triggers"]],
    ids=["functions", "triggers"],
    indirect=True,
)
def test_nothing_of_the_owner_runs_as_the_owner_of_the_database(planted: Database) -> None:
    with planted.connect() as connection:
        run_script(connection, f"create role {CUSTOMER} login createrole password 'x'")
        for role in discover.ROLES:
            run_script(connection, f"grant {role} to {CUSTOMER} with admin option")
        run_script(connection, f'alter database "{planted.name}" owner to {CUSTOMER}')
    try:
        dsn = with_parts(planted.dsn, database=planted.name, user=CUSTOMER, password="x")
        assert escapes(planted, dsn) == []
    finally:
        with planted.connect() as connection:
            remove_login(connection, CUSTOMER)


def test_a_note_that_the_owner_could_write_opens_nothing(server: Server) -> None:
    """A landing before migration 0029 kept it in a table of the owner."""
    assert server.programs
    with server.empty() as database:
        script = landings.scripts()["2026-11-29"]
        done = run(server.programs / "psql", database.dsn, script)
        assert done.returncode == 0, done.stderr
        with database.connect() as connection:
            run_script(
                connection,
                """
                delete from core.prior_state;
                insert into core.prior_state (subject, state)
                select 'database', jsonb_build_object(
                    'oid', d.oid, 'settings', '{"": ["search_path=mallory"]}'::jsonb
                )
                from pg_database as d
                where d.datname = current_database();
                insert into core.prior_state (subject, state)
                values ('catalog', '{"public_is_open": true}');
                """,
            )
        apply.install(database.dsn)
        uninstall(database.dsn)
        with database.connect() as connection:
            opened = "select has_schema_privilege('public', 'public', 'create')"
            assert connection.execute(opened).fetchone() == (False,)
            stored = (
                "select s.setconfig from pg_db_role_setting as s"
                " inner join pg_database as d on d.oid = s.setdatabase"
                " where d.datname = current_database()"
            )
            assert connection.execute(stored).fetchall() == []
