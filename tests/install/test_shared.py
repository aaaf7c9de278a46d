"""A database that others use: it is refused, or shared without taking anything from them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.install import apply, discover
from quartermaster.install.bundle import bundle
from quartermaster.install.doctor import diagnose
from quartermaster.install.installed import is_installed
from quartermaster.install.uninstall import uninstall
from tests.support.catalogue import snapshot
from tests.support.database import SERVICE_PASSWORD, Database, Server, run_script, with_parts
from tests.support.fixtures import on_each_server
from tests.support.logins import remove_login
from tests.support.shop import as_reader, reading, shop

pytestmark = pytest.mark.install

# Of all databases, except what an installation makes, and what a session leaves when it ends: the
# server drops that a moment later.
_RIGHTS_OF_OTHERS: LiteralString = """
with ours as (
    select n.oid from pg_namespace as n
    where
        n.nspname in ('ext', 'qm_prior_state')
        or n.nspname ~ '^pg_(toast|temp)'
        or pg_get_userbyid(n.nspowner) = 'qm_owner'
),

object (name, acl, owner, initial) as (
    select 'database ' || d.datname, d.datacl, d.datdba, 'd'::"char" from pg_database as d
    union all
    select 'schema ' || n.nspname, n.nspacl, n.nspowner, 'n'
    from pg_namespace as n
    where n.oid not in (select o.oid from ours as o)
    union all
    select 'table ' || c.oid::regclass, c.relacl, c.relowner,
        case when c.relkind = 'S' then 's'::"char" else 'r' end
    from pg_class as c
    where c.relnamespace not in (select o.oid from ours as o) and c.relkind in ('r', 'v', 'm', 'S')
    union all
    select 'column ' || a.attrelid::regclass || ' ' || a.attname, a.attacl, 0, null
    from pg_attribute as a
    inner join pg_class as c on c.oid = a.attrelid
    where c.relnamespace not in (select o.oid from ours as o) and a.attacl is not null
    union all
    select 'function ' || p.oid::regprocedure, p.proacl, p.proowner, 'f'
    from pg_proc as p
    where
        p.pronamespace not in (select o.oid from ours as o)
        and p.oid not in (
            select d.objid from pg_depend as d
            where d.classid = 'pg_proc'::regclass and d.deptype = 'e'
        )
    union all
    select 'large object ' || l.oid, l.lomacl, l.lomowner, 'L' from pg_largeobject_metadata as l
    union all
    select
        'default of ' || d.defaclrole::regrole || ' ' || d.defaclobjtype::text, d.defaclacl, 0, null
    from pg_default_acl as d
    where pg_get_userbyid(d.defaclrole) <> 'qm_owner'
)

select o.name, a.grantee::regrole::text, a.privilege_type
from object as o
cross join lateral aclexplode(coalesce(o.acl, acldefault(o.initial, o.owner))) as a
where a.grantee::regrole::text !~ '^qm_'
union all
select 'role ' || m.member::regrole, m.roleid::regrole::text, 'member'
from pg_auth_members as m
where m.member::regrole::text !~ '^qm_'
union all
select 'setting', s.setdatabase::text || s.setrole, s.setconfig::text from pg_db_role_setting as s
order by 1, 2, 3
"""
# What each installation leaves in a database that is in use.
_ROLES = "select rolname from pg_roles order by 1"
_OTHERS = (
    ("create table shop (id integer)", "table public.shop"),
    ("create view public.shop as select 1", "view public.shop"),
    ("create sequence shop", "sequence public.shop"),
    ("create type shop as (id integer)", "type public.shop"),
    ("create domain shop as text", "type public.shop"),
    ("create function shop() returns integer language sql as 'select 1'", "function public.shop()"),
    ('create collation shop from "C"', "collation public.shop"),
    ("create text search configuration shop (copy = simple)", "configuration public.shop"),
    ("create foreign data wrapper shop", "foreign-data wrapper shop"),
    ("create publication shop", "publication shop"),
    ("select lo_create(0)", "large object"),
    ("grant create on database {database} to qm_test_other", "rights of qm_test_other"),
    ("grant usage on schema public to qm_test_other", "rights of qm_test_other"),
    ("create schema shop authorization qm_test_other", "rights of qm_test_other"),
    (
        "alter default privileges grant select on tables to qm_test_other",
        "rights of qm_test_other",
    ),
    (
        "alter role qm_test_other in database {database} set work_mem = '8MB'",
        "settings of qm_test_other",
    ),
)


# What a provider does for the owner of a database; the roles of ours are there already.
_OWNER = (
    "create role qm_test_owner login createrole password 'x'",
    "grant qm_owner, qm_reader, qm_user, qm_operator, qm_admin, qm_service to qm_test_owner"
    " with admin option",
    "create schema ext authorization qm_test_owner",
    "create extension vector schema ext",
    "alter database {} owner to qm_test_owner",
)


@pytest.fixture
def empty(server: Server) -> Generator[Database]:
    with server.empty() as database:
        yield database


@pytest.fixture
def of_the_shop(server: Server) -> Generator[Database]:
    with shop(server) as database:
        yield database


@pytest.fixture
def other(empty: Database) -> Generator[str]:
    """A login that has nothing to do with us."""
    with empty.connect() as connection:
        connection.execute("create role qm_test_other login password 'other'")
        yield "qm_test_other"
        remove_login(connection, "qm_test_other")


def rights_of_others(database: Database) -> list[tuple[object, ...]]:
    with database.connect() as connection:
        return connection.execute(_RIGHTS_OF_OTHERS).fetchall()


def refused(database: Database, **options: bool) -> QmError:
    before, before_roles = rights_of_others(database), roles_of(database)
    with pytest.raises(QmError) as caught:
        apply.install(database.dsn, **options)
    assert rights_of_others(database) == before
    assert roles_of(database) == before_roles
    return caught.value


def roles_of(database: Database) -> list[tuple[object, ...]]:
    with database.connect() as connection:
        return connection.execute(_ROLES).fetchall()


@on_each_server
def test_a_database_of_others_is_refused_in_a_sentence_that_names_the_better_way(
    of_the_shop: Database, server: Server
):
    error = refused(of_the_shop)
    assert (error.code, error.slug) == ("QM409", "database_shared")
    assert f"others use the database {of_the_shop.name}" in error.message
    assert "table shop.ddl" in error.message
    assert "rights of shop_reader" in error.message
    assert "qm install --shared --dsn" in error.hint
    assert "docs/doors.md" in error.hint
    _, command, statement, *_ = error.hint.split('"', 1)[0], *error.hint.split('"')
    assert command.endswith(" -c ")
    with psycopg.connect(server.admin_dsn, autocommit=True) as connection:
        password = connection.info.password
        assert password not in str(error)
        connection.execute(sql.SQL(statement))
        name = statement.split()[2]
        try:
            report = apply.install(server.database(name).dsn)
        finally:
            connection.execute(sql.SQL("drop database {}").format(sql.Identifier(name)))
    assert report.version


@on_each_server
def test_a_shared_database_keeps_all_rights_of_others(of_the_shop: Database):
    before = rights_of_others(of_the_shop)
    with reading(of_the_shop) as reader:
        apply.install(of_the_shop.dsn, service_password=SERVICE_PASSWORD, shared=True)
        # The database remembers the choice.
        apply.install(of_the_shop.dsn)
    assert (reader.refusals, set(reader.answers)) == ([], {2})
    assert rights_of_others(of_the_shop) == before
    with psycopg.connect(as_reader(of_the_shop)) as connection:
        connection.execute("select pg_advisory_xact_lock(1), pg_database_size(current_database())")
        connection.execute("select reltuples from pg_class")
        assert connection.execute("select lo_create(0) > 0").fetchone() == (True,)
        rights = connection.execute(
            "select has_schema_privilege(n.oid, 'usage') from pg_namespace as n"
            " where pg_get_userbyid(n.nspowner) = 'qm_owner' or n.nspname = 'ext'"
        ).fetchall()
    assert set(rights) == {(False,)}, "default privileges open nothing of ours"
    with psycopg.connect(of_the_shop.service_dsn) as connection:
        connection.execute("set local role qm_user")
        assert connection.execute("select count(*) > 0 from api.list_modes()").fetchone() == (True,)


@on_each_server
def test_a_shared_database_is_the_same_but_for_the_rights_of_others(
    of_the_shop: Database, empty: Database
):
    def of_ours(database: Database) -> list[str]:
        # Everybody may use the extensions in a database of our own, and finds operations there.
        others = "schema ext", "default privileges postgres", "settings of ", "event trigger"
        return [line for line in snapshot(database.dsn) if not line.startswith(others)]

    apply.install(of_the_shop.dsn, shared=True)
    apply.install(empty.dsn)
    assert of_ours(of_the_shop) == of_ours(empty)


@on_each_server
def test_an_uninstallation_leaves_the_database_to_the_others(of_the_shop: Database):
    before = rights_of_others(of_the_shop)
    with reading(of_the_shop) as reader:
        apply.install(of_the_shop.dsn, shared=True)
        uninstall(of_the_shop.dsn)
    assert (reader.refusals, set(reader.answers)) == ([], {2})
    assert rights_of_others(of_the_shop) == before
    assert refused(of_the_shop).slug == "database_shared", "the choice is forgotten"


@pytest.fixture
def owned(of_the_shop: Database, empty: Database) -> Generator[Database]:
    """The shop's database, with the connection string of its owner, who is no superuser."""
    apply.install(empty.dsn)
    with of_the_shop.connect() as connection:
        for statement in _OWNER:
            connection.execute(sql.SQL(statement).format(sql.Identifier(of_the_shop.name)))
        dsn = with_parts(
            of_the_shop.dsn, database=of_the_shop.name, user="qm_test_owner", password="x"
        )
        yield Database(of_the_shop.name, dsn, of_the_shop.service_dsn)
        remove_login(connection, "qm_test_owner")


@on_each_server
def test_an_owner_who_is_no_superuser_is_refused_and_shares(of_the_shop: Database, owned: Database):
    before = rights_of_others(of_the_shop)
    with pytest.raises(QmError) as caught:
        apply.install(owned.dsn)
    assert "rights of shop_reader" in caught.value.message
    assert 'an administrator runs "create database' in caught.value.hint
    assert 'template template0 owner qm_test_owner"' in caught.value.hint
    with reading(of_the_shop) as reader:
        for is_shared in (True, False):
            apply.install(owned.dsn, shared=is_shared)
    assert (reader.refusals, set(reader.answers)) == ([], {2})
    assert rights_of_others(of_the_shop) == before
    states = {c["name"]: c["state"] for c in diagnose(owned.dsn).capabilities}
    assert states["own_database"] == "absent"


def test_the_doctor_says_what_sharing_costs(of_the_shop: Database, empty: Database):
    apply.install(of_the_shop.dsn, shared=True)
    apply.install(empty.dsn)
    diagnosis = diagnose(of_the_shop.dsn)
    assert diagnosis.problems == []
    [shared] = [row for row in diagnosis.capabilities if row["name"] == "own_database"]
    assert shared["state"] == "absent"
    assert "the database is shared" in shared["reason"]
    assert "api.select_tools (docs/doors.md)" in shared["stand_in"]
    [own] = [row for row in diagnose(empty.dsn).capabilities if row["name"] == "own_database"]
    assert own["state"] == "ok"


def test_logins_of_a_shared_database_are_not_limited(of_the_shop: Database):
    apply.install(of_the_shop.dsn, shared=True)
    error = refused(of_the_shop, limit_logins=True)
    assert (error.slug, "--limit-logins" in error.hint) == ("database_shared", True)


@pytest.mark.parametrize(("made", "named"), _OTHERS, ids=[named for _, named in _OTHERS])
def test_each_thing_of_others_is_seen(empty: Database, other: str, made: str, named: str):
    with empty.connect() as connection:
        connection.execute(sql.SQL(made).format(database=sql.Identifier(empty.name)))
        error = refused(empty)
    assert (error.slug, named in error.message) == ("database_shared", True), error.message


def test_a_session_of_others_is_seen(empty: Database, other: str):
    with psycopg.connect(empty.dsn, user=other, password="other"):
        error = refused(empty)
    assert f"sessions of {other}" in error.message


def test_extensions_and_empty_schemas_are_nobodys(empty: Database):
    with empty.connect() as connection:
        connection.execute("create schema extensions")
        for extension in ("pg_trgm", "unaccent", "hstore"):
            create = sql.SQL("create extension {} schema extensions")
            connection.execute(create.format(sql.Identifier(extension)))
        connection.execute("set session_replication_role = replica")
        connection.execute("drop extension pg_trgm, unaccent")
    assert apply.install(empty.dsn).version


_EXTENSIONS = (
    "create extension pg_trgm schema extensions; create extension vector schema extensions"
)


@pytest.mark.parametrize(
    ("made", "offender", "mended"),
    [
        (
            f"create schema extensions authorization qm_test_other; {_EXTENSIONS}",
            "qm_test_other may create objects in schema extensions",
            "alter schema extensions owner to current_user",
        ),
        (
            f"create schema extensions; {_EXTENSIONS}; grant create on schema extensions to public",
            "public may create objects in schema extensions",
            "revoke create on schema extensions from public",
        ),
        (
            "create schema ext; grant create on schema ext to qm_test_other",
            "qm_test_other may create objects in schema ext",
            "revoke create on schema ext from qm_test_other",
        ),
    ],
    ids=["owner", "public", "empty schema"],
)
@on_each_server
def test_extensions_that_others_could_shadow_are_refused(
    empty: Database, other: str, made: str, offender: str, mended: str
):
    with empty.connect() as connection:
        run_script(connection, made)
        error = refused(empty, shared=True)
        assert (error.slug, offender in error.message) == ("check_failed", True), error
        assert mended.split(maxsplit=1)[0] in error.hint
        run_script(connection, mended)
        apply.install(empty.dsn, shared=True)
        assert diagnose(empty.dsn).problems == []
        # What somebody does later is told, too.
        run_script(connection, "grant create on schema ext to qm_test_other")
        summary = diagnose(empty.dsn).problems
        assert any("qm_test_other may create objects in schema ext" in each for each in summary)


def test_the_login_that_installs_may_own_the_schema_of_the_extensions(owned: Database):
    apply.install(owned.dsn, shared=True)
    assert diagnose(owned.dsn).problems == []


@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize("schema", ["core", "api", "service", "quality"])
def test_a_schema_of_ours_that_is_somebody_elses_is_refused_and_stays(
    empty: Database, schema: str, is_shared: bool
):
    with empty.connect() as connection:
        connection.execute(sql.SQL("create schema {}").format(sql.Identifier(schema)))
        table = sql.Identifier(schema, "release")
        connection.execute(sql.SQL("create table {} (id integer)").format(table))
        # Whoever works with it does not wait for an installation.
        with connection.transaction():
            connection.execute(sql.SQL("lock table {}").format(table))
            error = refused(empty, shared=is_shared)
    assert (error.slug, schema in error.message) == ("schema_taken", True)
    assert not is_installed(empty.dsn)
    assert "not installed" in diagnose(empty.dsn).problems[0]


def test_the_schemas_that_must_be_free_are_those_of_an_installation(database: Database):
    with database.connect() as connection:
        names = connection.execute(
            "select n.nspname from pg_namespace as n where pg_get_userbyid(n.nspowner) = 'qm_owner'"
        ).fetchall()
    for (name,) in names:
        with database.connect() as connection, connection.transaction(force_rollback=True):
            alter = sql.SQL("alter schema {} owner to current_user")
            connection.execute(alter.format(sql.Identifier(str(name))))
            # A schema that the last installation has recorded is given back instead.
            connection.execute("delete from core.installed_object")
            connection.execute("set local search_path = pg_catalog, pg_temp")
            connection.execute(discover.schemas())
            connection.execute(discover.NAMED_ROLES)
            run_script(connection, discover.owner().sql)
            if name == "core":
                continue
            with pytest.raises(psycopg.Error) as caught:
                connection.execute(Path("sql/shared.sql").read_text())
            assert caught.value.diag.constraint_name == "schema_taken"


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_publication_of_all_tables_is_refused(empty: Database, is_shared: bool):
    with empty.connect() as connection:
        connection.execute("create publication everything for all tables")
    error = refused(empty, shared=is_shared)
    assert (error.slug, "everything" in error.message) == ("database_published", True)


def test_an_installation_from_before_goes_on_as_it_was(empty: Database):
    apply.install(empty.dsn)
    with empty.connect() as connection:
        connection.execute("delete from core.capability where name = 'own_database'")
        connection.execute("create table orders (id integer)")
    before = rights_of_others(empty)
    apply.install(empty.dsn)
    assert rights_of_others(empty) == before
    assert refused(empty, shared=True).slug == "database_not_shared"
    # As the error says.
    uninstall(empty.dsn)
    apply.install(empty.dsn, shared=True)
    with empty.connect() as connection:
        is_open = "select has_database_privilege('public', current_database(), 'connect')"
        assert connection.execute(is_open).fetchone() == (True,)


@on_each_server
def test_a_rehearsal_lists_what_an_installation_changes_and_changes_nothing(
    of_the_shop: Database, empty: Database
):
    before = rights_of_others(empty), roles_of(empty)
    changes = apply.install(empty.dsn, is_rehearsal=True).changes
    assert (rights_of_others(empty), roles_of(empty)) == before
    with empty.connect() as connection:
        made = "select from pg_namespace where nspname in ('core', 'ext')"
        assert connection.execute(made).fetchall() == []
    assert changes is not None
    apply.install(empty.dsn)
    after = set(rights_of_others(empty))
    taken = {
        (f"{kind} {name}", role if role != "public" else "-", privilege.upper())
        for privilege, kind, name, role in changes.revokes
    }
    assert taken == {right for right in before[0] if right not in after}
    assert (f"database {empty.name}", "-", "CONNECT") in taken
    assert ["connect", "database", empty.name, "qm_user"] in changes.grants
    assert {"core", "ext", "quality"} <= {name for (name,) in changes.schemas}
    assert {"vector", "pg_trgm", "unaccent"} <= {name for name, _ in changes.extensions}
    assert (None, empty.name, 'search_path="$user", public, api') in changes.settings
    assert changes.own_grants > 100
    assert changes.seconds > 0

    shared = apply.install(of_the_shop.dsn, shared=True, is_rehearsal=True).changes
    assert shared is not None
    assert (shared.revokes, shared.settings) == ([], [])
    assert {role for *_, role in shared.grants} <= {
        "qm_owner",
        "qm_reader",
        "qm_user",
        "qm_service",
    }
    assert not is_installed(of_the_shop.dsn)


def test_the_script_refuses_and_shares_as_the_installer_does(embedded_server: Server, psql: Path):
    def run(database: Database, options: str) -> subprocess.CompletedProcess[str]:
        libraries = {"LD_LIBRARY_PATH": str(psql.parents[1] / "lib"), "PGOPTIONS": options}
        return subprocess.run(
            [psql, "--no-psqlrc", "--quiet", "--dbname", database.dsn],
            input=bundle(),
            env=os.environ | libraries,
            capture_output=True,
            text=True,
        )

    with shop(embedded_server) as database:
        before = rights_of_others(database)
        done = run(database, "")
        assert done.returncode == 3
        assert "others use the database" in done.stderr
        assert "-c qm.shared=on" in done.stderr
        done = run(database, "-c qm.shared=on")
        assert (done.returncode, done.stderr) == (0, "")
        assert rights_of_others(database) == before


def test_time_limits_end_neither_an_installation_nor_its_examination(embedded_server: Server):
    with embedded_server.empty() as database, database.connect() as connection:
        for limit in ("transaction_timeout = '500ms'", "statement_timeout = '20ms'"):
            alter = sql.SQL(f"alter database {{}} set {limit}")
            connection.execute(alter.format(sql.Identifier(database.name)))
        assert apply.install(database.dsn).version
        assert diagnose(database.dsn).problems == []
