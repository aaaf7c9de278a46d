"""Owners, databases, members and logins whose names have to be quoted."""

from __future__ import annotations

from collections.abc import Generator

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from quartermaster.install import apply
from quartermaster.install.admin_sql import admin_sql
from quartermaster.install.doctor import diagnose
from quartermaster.install.uninstall import preview, uninstall
from tests.support.database import Server, embedded, run_script
from tests.support.instance import new_instance

pytestmark = [pytest.mark.install, pytest.mark.slow]

NAMES = ["O'Brien", 'x"y', "user", "ünï b%s{}$1\\/?#@:\nc"]


@pytest.fixture(scope="module")
def server() -> Generator[Server]:
    """Without roles of ours."""
    with embedded() as running:
        yield running


@pytest.fixture
def owned(server: Server, request: pytest.FixtureRequest) -> Generator[str]:
    """The connection string of an owner without superuser rights, whose database has his name."""
    name = sql.Identifier(request.param)
    with psycopg.connect(server.admin_dsn, autocommit=True) as admin:
        admin.execute(sql.SQL("create role {} login createrole password 'x'").format(name))
        admin.execute(sql.SQL("create database {0} template template0 owner {0}").format(name))
        given = {"dbname": request.param, "user": request.param, "password": "x"}
        yield make_conninfo(server.admin_dsn, **given)
        admin.execute(sql.SQL("drop database {} with (force)").format(name))
        admin.execute(sql.SQL("drop role {}").format(name))


@pytest.mark.parametrize("owned", NAMES, indirect=True, ids=ascii)
def test_every_name_is_quoted(server: Server, owned: str):
    with psycopg.connect(owned) as connection:
        database, member = connection.info.dbname, f"{connection.info.user}'s member"
    provided = make_conninfo(server.admin_dsn, dbname=database)
    with psycopg.connect(provided, autocommit=True) as provider:
        run_script(provider, admin_sql(owned))
    assert apply.install(owned, is_rehearsal=True).changes
    apply.install(owned)
    with psycopg.connect(owned, autocommit=True) as connection:
        role = sql.Identifier(member)
        connection.execute(sql.SQL("create role {} login password 'x'").format(role))
        connection.execute("select * from api.create_principal('mia')")
        connection.execute("select * from api.map_role('mia', %s)", [member])
        connection.execute(sql.SQL("grant qm_user to {}").format(role))
        connection.execute('select api.import_items(\'tool\', \'[{"origin": "o", "name": "x"}]\')')
    with psycopg.connect(owned, user=member) as connection:
        assert connection.execute("select name from select_tools('x')").fetchall() == [("o__x",)]
    assert preview(owned).members == [member]
    if database == NAMES[-1]:
        with new_instance("--dsn", owned) as instance:
            instance.start()
            assert instance.qm("search", "x").returncode == 0
            assert instance.qm("doctor").returncode == 0
    assert diagnose(owned).problems == []
    assert uninstall(owned).retained_roles == {}
    with psycopg.connect(provided, autocommit=True) as provider:
        # As is said to whoever ran the script.
        run_script(provider, "drop extension vector, pg_trgm, unaccent; drop schema ext")
        provider.execute(sql.SQL("drop role {}").format(role))
