"""The owner of a database, who is no superuser, gives every function and operator another meaning.

What an administrator runs there must not use any of them, because they would run as a superuser.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import LiteralString, cast

import psycopg
import pytest
from psycopg import sql

from quartermaster import api
from quartermaster.cli.bundle import bundle_command
from quartermaster.cli.session import open_session
from quartermaster.install import apply, service_access
from quartermaster.install.admin_sql import admin_sql
from quartermaster.install.doctor import diagnose
from quartermaster.install.installed import is_installed
from quartermaster.install.uninstall import preview, remove_functions, uninstall
from tests.support.database import SERVICE_PASSWORD, Database, Server, run_script, with_parts
from tests.support.fixtures import on_each_server

pytestmark = pytest.mark.install

_TRAPS: LiteralString = """
create schema traps;
do $do$
declare
    v_routine record;
    v_operator record;
begin
    for v_routine in
        select p.proname, pg_get_function_result(p.oid) as result, (
            select coalesce(string_agg(a.type::regtype::text, ', ' order by a.number), '')
            from unnest(p.proargtypes) with ordinality as a (type, number)
        ) as arguments
        from pg_proc as p
        where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f'
    loop
        begin
            execute format(
                'create function traps.%I(%s) returns %s language plpgsql as %L',
                v_routine.proname, v_routine.arguments, v_routine.result,
                format('begin raise exception %L; end', v_routine.proname || ' of others')
            );
        exception
            -- Some types are only those of functions in C.
            when invalid_function_definition or feature_not_supported then null;
        end;
    end loop;
    for v_operator in
        select o.oprname, p.proname, o.oprleft::regtype as of_left, o.oprright::regtype as of_right
        from pg_operator as o inner join pg_proc as p on p.oid = o.oprcode
        where o.oprnamespace = 'pg_catalog'::regnamespace and o.oprleft <> 0
    loop
        begin
            execute format(
                'create operator traps.%s (function = traps.%I, leftarg = %s, rightarg = %s)',
                v_operator.oprname, v_operator.proname, v_operator.of_left, v_operator.of_right
            );
        exception
            when undefined_function then null;
        end;
    end loop;
end
$do$;
grant usage on schema traps to public;
"""


@pytest.fixture
def trapped(server: Server) -> Generator[tuple[Database, str]]:
    """A database, and the connection string of its owner."""
    with server.empty() as database, database.connect() as superuser:
        superuser.execute("create role qm_test_owner login password 'x'")
        name = sql.Identifier(database.name)
        superuser.execute(sql.SQL("alter database {} owner to qm_test_owner").format(name))
        dsn = with_parts(database.dsn, database=database.name, user="qm_test_owner", password="x")
        with psycopg.connect(dsn, autocommit=True) as owner:
            run_script(owner, _TRAPS)
            path = sql.SQL("alter database {} set search_path = traps, pg_catalog, public")
            owner.execute(path.format(name))
        yield database, dsn
        superuser.execute(sql.SQL("alter database {} owner to current_user").format(name))
        superuser.execute("drop schema traps cascade")
        superuser.execute("drop owned by qm_test_owner")
        superuser.execute("drop role qm_test_owner")


@on_each_server
def test_nothing_that_an_administrator_runs_uses_functions_of_the_owner(
    trapped: tuple[Database, str], capsys: pytest.CaptureFixture[str]
):
    database, owner_dsn = trapped
    dsn = database.dsn
    with psycopg.connect(dsn) as superuser, pytest.raises(psycopg.Error, match="of others"):
        superuser.execute("select pg_backend_pid()")
    bundle_command(roles=True)
    for text in (admin_sql(owner_dsn), capsys.readouterr().out):
        with psycopg.connect(dsn, autocommit=True) as superuser:
            superuser.execute(cast(LiteralString, text))
    assert admin_sql(dsn)
    assert not is_installed(dsn)
    assert apply.install(dsn, shared=True, is_rehearsal=True).changes
    apply.install(dsn, shared=True)
    assert is_installed(dsn)
    service_dsn = service_access.service_dsn(dsn, SERVICE_PASSWORD)
    assert service_access.refused_service(dsn, SERVICE_PASSWORD) is None
    assert service_access.try_embedding(dsn, None)
    assert service_dsn
    assert apply.refresh_functions(dsn)
    assert diagnose(dsn).problems == []
    with open_session(None, dsn) as session:
        assert session.call(api.list_modes())
    assert preview(dsn).schemas
    assert remove_functions(dsn)
    apply.install(dsn)
    assert uninstall(dsn).schemas
