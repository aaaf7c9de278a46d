"""Every landing is upgraded: the database is then the same as a new one, and keeps its data.

`make freeze` keeps the script of each landing in `landings/`. What is here now is upgraded to a
release that is made up, too.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from threading import Event
from typing import LiteralString

import pytest
from psycopg import sql
from psycopg.types.json import Jsonb

from quartermaster.core.errors import QmError
from quartermaster.install import apply, discover
from quartermaster.install.bundle import bundle
from quartermaster.install.doctor import diagnose
from quartermaster.install.uninstall import uninstall
from tests.install.test_bundle import run
from tests.support import landings
from tests.support.catalogue import snapshot
from tests.support.database import ROOT, SERVICE_PASSWORD, Database, Server, run_script
from tests.support.filled import counted, filling
from tests.support.fixtures import SERVERS, on_each_server
from tests.support.next_release import write_next_release
from tests.support.waiting import wait_until

pytestmark = pytest.mark.install

# The catalogue, and what ships in tables.
New = tuple[list[str], list[tuple[object, ...]]]

STARTS = landings.starts()
# Versions that called the term masked by this name.
_REDACTED = {"0.2.0", "bf5432e7"}
FIRST, *_, LAST = STARTS
# Each start on one of the servers, in turn: the steps of an upgrade are the same on all.
each_start_on_a_server = pytest.mark.parametrize(
    ("start", "server"), list(zip(STARTS, cycle(SERVERS))), indirect=["server"]
)
from_the_ends = pytest.mark.parametrize("start", [FIRST, LAST])

_DATA = """
select api.import_items('tool', '[{"origin": "o", "name": "count_zebras"}]');
select api.put_organisation('zoo', 'Animals');
select api.create_principal('ada');
update core.setting set value = '7' where name = 'exposure.limit';
select api.add_origin('time', 'stdio', command => '{/d/upstreams/time/bin/mcp-server-time}');
select api.add_origin('mine', 'stdio', command => '{uvx,mine}');
"""
_ANSWERS_QUERY = """
select array[
    (select string_agg(s.name, ',') from api.select_tools('count the zebras') as s),
    (select string_agg(g.name, ',') from policy.organisation as g where g.name = 'zoo'),
    (select string_agg(p.name, ',') from policy.principal as p where p.name = 'ada'),
    (select s.value::text from core.setting as s where s.name = 'exposure.limit')
]
"""
# All learned weights are in the order of the features, also those from before the upgrade.
_READY = """
select count(*) > 0 and count(*) = count(w.profile)
from (select distinct c.kind, c.profile from search.coefficient as c) as l
left join search.profile_weights as w on w.kind = l.kind and w.profile = l.profile
"""
# Nobody has learned weights of the score here, so an upgrade brings those that ship.
_SHIPPED = """
select c.part, c.feature, c.weight
from search.coefficient as c
where c.kind = 'tool' and c.profile = 'minilm-tools-4' and c.part in ('score', 'large')
order by c.part, c.feature
"""
_VERIFIED = """
select v -> 'faults' = '[]', (v ->> 'records')::integer, v -> 'signatures' <> '[]'
from api.verify_audit() as v
"""


# A member of a project, and a note of it, before anybody was asked.
_ENROLLED = """
select api.create_principal('ada');
select api.add_project('barn', '/srv/barn');
select api.put_project_member('ada');
select api.put_notes(jsonb_build_array(t.note('hay', 'The hay is dry in July.')));
"""
_BEFORE = """
update search.card set brief = regexp_replace(brief, '^According to the project .*?: ', '');
drop view api.notes;
drop table projects.invitation cascade;
alter table policy.principal drop column created_by;
set role qm_owner;
"""
_NOW = """
select array[
    (select string_agg(m.role, ',' order by m.role) from projects.member as m),
    (
        select string_agg(c.name || ' created ' || p.name, ',')
        from policy.principal as p
        inner join policy.principal as c on c.id = p.created_by
    ),
    (select string_agg(c.brief, ',') from search.card as c where c.kind = 'passage')
]
"""


# Ends without a chance to tidy up, when everything is done except the checks.
_KILLED = """
import os, signal, sys
from quartermaster.install import apply

def progress(step):
    if step == "checks":
        os.kill(os.getpid(), signal.SIGKILL)

apply.install(sys.argv[1], progress=progress)
"""
_OF_PEOPLE = """
create function core.of_people() returns integer language sql immutable
set search_path = pg_catalog, pg_temp as 'select 7';
comment on function core.of_people() is 'Made by a person.';
revoke all on function core.of_people() from public;
"""


@pytest.fixture
def empty(server: Server) -> Generator[Database]:
    with server.empty() as database:
        yield database


@pytest.fixture
def next_release(tmp_path: Path) -> Path:
    """The SQL folders of a release that is made up."""
    write_next_release(tmp_path)
    return tmp_path


def installed(database: Database, script: str, psql: Path) -> dict[str, int]:
    """Runs the script of an installation, and fills it with some of everything.

    Returns:
        The numbers of rows by table before it was filled.
    """
    done = run(psql, database.dsn, script)
    assert (done.returncode, done.stderr) == (0, "")
    of_installation = counted(database)
    done = run(psql, database.dsn, "\\set ON_ERROR_STOP on\n" + filling(database))
    assert done.returncode == 0, done.stderr
    return of_installation


def upgraded(database: Database, script: str, psql: Path, term: str) -> None:
    """Installs a release by its script, gives it data, and upgrades it.

    Args:
        term: name that the release gives to the term of calls which hides arguments.
    """
    done = run(psql, database.dsn, script)
    assert (done.returncode, done.stderr) == (0, "")
    with database.connect() as connection:
        run_script(connection, _DATA)
        hidden = Jsonb({term: ["token"]})
        connection.execute("select api.set_terms('o__count_zebras', %s)", [hidden])
        before = connection.execute(_ANSWERS_QUERY).fetchone()
    assert before == (["o__count_zebras", "zoo", "ada", "7"],)
    apply.install(database.dsn)
    with database.connect() as connection:
        assert connection.execute(_ANSWERS_QUERY).fetchone() == before
        assert connection.execute(_READY).fetchone() == (True,)
        terms = connection.execute("select terms from calls.terms").fetchall()
        assert terms == [({"masked": ["token"]},)]


@pytest.fixture(scope="module")
def new_one(server: Server) -> New:
    """What a new installation is like."""
    return made_anew(server)


def made_anew(server: Server) -> New:
    with server.empty() as fresh:
        apply.install(fresh.dsn)
        return as_new(fresh)


def as_new(database: Database) -> New:
    """Returns what is the same in a new installation and in one that was upgraded."""
    # A model has indexes of its own.
    catalogue = [line for line in snapshot(database.dsn) if " USING hnsw " not in line]
    with database.connect() as connection:
        return catalogue, connection.execute(_SHIPPED).fetchall()


@on_each_server
@from_the_ends
def test_an_upgraded_release_is_like_a_new_one(
    start: str, empty: Database, new_one: New, psql: Path
):
    upgraded(empty, STARTS[start], psql, "redacted" if start in _REDACTED else "masked")
    with empty.connect() as connection:
        starters = connection.execute("select name from catalog.origin where is_starter").fetchall()
        # Later versions say of an origin that it is a starter when they add it.
        assert starters == [("time",)] * (start in _REDACTED)
    assert as_new(empty) == new_one


@from_the_ends
def test_without_a_kind_its_data_wait_until_it_comes_back(
    start: str, empty: Database, new_one: New, psql: Path, monkeypatch: pytest.MonkeyPatch
):
    installed(empty, STARTS[start], psql)
    before = _of_kinds(empty)
    with monkeypatch.context() as patch:
        patch.setattr(discover, "packaged_folders", list)
        apply.install(empty.dsn)
        assert all("is not installed" in problem for problem in diagnose(empty.dsn).problems)
        with empty.connect() as connection:
            hidden = "select k.folder from search.kind as k where k.audience_id is not null"
            folders = {folder for (folder,) in connection.execute(hidden).fetchall()}
    # Code quality has no kind of card.
    assert folders == {name.partition(".")[0] for name in before} - {"quality"}
    apply.install(empty.dsn)
    # What ships in tables grows.
    after = _of_kinds(empty)
    assert not {name for name, rows in before.items() if after[name] < rows}
    assert as_new(empty) == new_one


def _of_kinds(database: Database) -> dict[str, int]:
    """Returns the numbers of their rows by table; a release may lack tables."""
    schemas = {kind.name for kind in discover.kinds()}
    rows = counted(database).items()
    return {name: number for name, number in rows if name.partition(".")[0] in schemas}


@each_start_on_a_server
def test_everything_is_there_after_an_upgrade_that_was_killed_and_a_second_try(
    start: str, psql: Path, empty: Database, new_one: New
):
    of_installation = installed(empty, STARTS[start], psql)
    before, old = counted(empty), snapshot(empty.dsn)
    killed = subprocess.run([sys.executable, "-c", _KILLED, empty.dsn])
    assert killed.returncode == -signal.SIGKILL
    assert (counted(empty), snapshot(empty.dsn)) == (before, old)
    apply.install(empty.dsn)
    after = counted(empty)
    filled = [table for table, rows in before.items() if rows > of_installation[table]]
    assert len(filled) >= 40
    # The upgrade itself is audited, and brings settings.
    grown = {table for table in filled if before[table] != after[table]}
    assert grown <= {"audit.record", "core.setting", "search.kind", "search.feature_set"}
    # Its rows are now a comment that qm_owner cannot write.
    before.pop("core.prior_state", None)
    assert all(after[table] >= rows for table, rows in before.items())
    with empty.connect() as connection:
        verified = connection.execute(_VERIFIED).fetchall()
    assert verified == [(True, after["audit.record"], True)]
    assert as_new(empty) == new_one


@on_each_server
def test_rights_of_other_roles_stay_on_functions_that_are_made_again(
    server: Server, empty: Database, psql: Path
):
    done = run(psql, empty.dsn, STARTS["bf5432e7"])
    assert done.returncode == 0
    with empty.connect() as connection:
        connection.execute("create role qm_test_shop")
        connection.execute("grant execute on function api.list_experts() to qm_test_shop")
        connection.execute("grant select on selection.mode_outcome to qm_test_shop")
        connection.execute("grant select (mode) on selection.mode_outcome to qm_test_shop")
    try:
        apply.install(empty.dsn)
        with empty.connect() as connection:
            rights = connection.execute(
                "select has_function_privilege('qm_test_shop', 'api.list_experts()', 'execute'),"
                " has_table_privilege('qm_test_shop', 'selection.mode_outcome', 'select')"
            ).fetchall()
        assert rights == [(True, True)]
    finally:
        with empty.connect() as connection:
            connection.execute("drop owned by qm_test_shop; drop role qm_test_shop")


def test_what_people_made_of_a_function_that_changes_is_named_and_not_dropped(
    embedded_server: Server, psql: Path
):
    with embedded_server.empty() as database:
        run(psql, database.dsn, STARTS["bf5432e7"])
        with database.connect() as connection:
            connection.execute("create view public.mine as select * from api.list_experts()")
            connection.execute("create view public.ours as select * from api.status()")
        before = snapshot(database.dsn)
        with pytest.raises(
            QmError, match=r"view public.mine depends on function api\.list_experts"
        ) as report:
            apply.install(database.dsn)
        assert (report.value.status, report.value.slug) == (409, "still_used")
        assert snapshot(database.dsn) == before
        with database.connect() as connection:
            connection.execute("drop view public.mine")
        apply.install(database.dsn)
        with database.connect() as connection:
            assert connection.execute("select count(*) from public.ours").fetchone() == (1,)


def test_a_view_gets_other_columns_unless_people_have_made_something_of_it(database: Database):
    made = "create view api.tools with (security_invoker = true) as select 1 as number, 'x' as name"
    with database.connect() as connection:
        run_script(connection, f"drop view api.tools; set role qm_owner; {made}; reset role")
        connection.execute("create view public.mine as select number from api.tools")
    before = snapshot(database.dsn)
    with pytest.raises(QmError, match=r"view (public\.)?mine depends on view api\.tools") as report:
        apply.install(database.dsn)
    assert (report.value.status, report.value.slug) == (409, "still_used")
    assert snapshot(database.dsn) == before
    with database.connect() as connection:
        connection.execute("drop view public.mine")
    apply.install(database.dsn)
    with database.connect() as connection:
        assert connection.execute("select name, status from api.tools").fetchall() == []
        connection.execute("create view public.mine as select name from api.tools")
    apply.install(database.dsn)
    with database.connect() as connection:
        assert connection.execute("select count(*) from public.mine").fetchone() == (0,)


def test_a_function_of_people_in_our_schemas_is_named_and_not_dropped(database: Database):
    with database.connect() as connection:
        run_script(connection, _OF_PEOPLE)
    with pytest.raises(QmError, match=r"function core\.of_people\(\) does not belong") as report:
        apply.install(database.dsn)
    _, _, remedy = report.value.hint.partition("Move it: ")
    with database.connect() as connection:
        assert connection.execute("select core.of_people()").fetchone() == (7,)
        run_script(connection, remedy.partition(". ")[0])
    apply.install(database.dsn)


@on_each_server
def test_the_next_release_moves_data_changes_a_function_and_drops_what_it_lacks(
    empty: Database,
    server: Server,
    psql: Path,
    next_release: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    script = bundle()
    monkeypatch.setattr(discover, "database_folder", lambda: next_release)
    upgraded(empty, script, psql, "masked")
    assert as_new(empty) == made_anew(server)
    with empty.connect() as connection:
        moved = "select motto from policy.organisation where name = 'zoo'"
        assert connection.execute(moved).fetchone() == ("ZOO",)
        gone = "select to_regproc('api.list_capabilities'), to_regclass('selection.mode_outcome')"
        assert connection.execute(gone).fetchone() == (None, None)
        views = "select to_regclass('api.snapshots'), column_name from information_schema.columns"
        first = f"{views} where (table_schema, table_name, ordinal_position) = ('api', 'tools', 1)"
        assert connection.execute(first).fetchone() == (None, "origin")


_SEARCHES = "qm_user", "select count(*) + %s from api.select_tools('count zebras')"
_WRITES = (
    "qm_operator",
    "select * from api.import_items("
    "'tool', jsonb_build_array(jsonb_build_object('origin', 'o' || %s, 'name', 'x')))",
)


@on_each_server
def test_clients_that_search_and_write_wait_for_an_upgrade_and_none_is_refused(
    empty: Database, next_release: Path, monkeypatch: pytest.MonkeyPatch
):
    apply.install(empty.dsn, service_password=SERVICE_PASSWORD)
    answered, is_over = [0] * 5, Event()

    def ask(place: int, role: LiteralString, statement: LiteralString) -> None:
        with empty.connect(as_service=True) as connection:
            while not is_over.is_set():
                with connection.transaction():
                    connection.execute(sql.SQL("set local role {}").format(sql.Identifier(role)))
                    connection.execute("select set_config('qm.principal', '1', true)")
                    connection.execute(statement, [place])
                answered[place] += 1

    def all_answered() -> bool:
        before = answered[:]
        return wait_until(
            lambda: (
                any(each.done() for each in asked)
                or all(now > then for now, then in zip(answered, before, strict=True))
            ),
            60,
        )

    with ThreadPoolExecutor(5) as threads:
        asked = [threads.submit(ask, place, *_SEARCHES) for place in range(3)]
        asked += [threads.submit(ask, place, *_WRITES) for place in range(3, 5)]
        try:
            assert all_answered()
            apply.install(empty.dsn)
            monkeypatch.setattr(discover, "database_folder", lambda: next_release)
            apply.install(empty.dsn)
            assert all_answered()
        finally:
            is_over.set()
        for each in asked:
            each.result()


def test_code_of_before_is_told_that_the_database_is_newer(
    empty: Database, next_release: Path, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as newer:
        newer.setattr(discover, "database_folder", lambda: next_release)
        apply.install(empty.dsn)
    before = snapshot(empty.dsn)
    with pytest.raises(QmError) as refused:
        apply.install(empty.dsn)
    assert refused.value.slug == "schema_too_new"
    assert any("newer" in report for report in diagnose(empty.dsn).problems)
    assert snapshot(empty.dsn) == before
    # What a newer release has made can be taken away.
    uninstall(empty.dsn)


def test_who_is_a_member_already_stays_one(database: Database):
    # The second moved from the first to its kind.
    moved = "kinds/knowledge/migrations/0002_notes_of_projects.sql"
    files = [ROOT / "migrations" / "0020_projects.sql", ROOT / moved]
    migrations = "set role qm_owner;".join(path.read_text(encoding="utf-8") for path in files)
    with database.connect() as connection:
        run_script(connection, _ENROLLED)
        before = connection.execute(_NOW).fetchone()
        with connection.transaction():
            run_script(connection, _BEFORE + migrations)
        assert connection.execute(_NOW).fetchone() == before
    assert before == (
        [
            "member,owner",
            "local created ada",
            "According to the project local/barn: The hay is dry in July.",
        ],
    )
