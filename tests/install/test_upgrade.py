"""Every release is upgraded: the database is then the same as a new one, and keeps its data.

`make freeze` keeps the script of each release in `releases/`. Until there is one, and in addition
to them, what is here now is upgraded to a release that is made up.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from psycopg.types.json import Jsonb

from quartermaster.core.errors import QmError
from quartermaster.install import apply, discover
from quartermaster.install.bundle import bundle
from tests.conftest import on_each_server
from tests.install.test_bundle import run
from tests.support.catalogue import snapshot
from tests.support.database import ROOT, Database, Server, run_script

pytestmark = pytest.mark.install

RELEASES = sorted((Path(__file__).parent / "releases").glob("*.sql"))
FROZEN = (ROOT / "migrations" / "frozen.txt").read_text(encoding="utf-8").split()[1::2]

# What the next release does: it moves data, and gives a function another signature.
_NAME = "9998_later"
_DROP = "drop function if exists api.feature_names(text);\n"
_MIGRATION = f"""
alter table policy.organisation add column motto text not null default 'none';
comment on column policy.organisation.motto is 'For a test.';
reset role;
update policy.organisation set motto = upper(name);
set role qm_owner;
{_DROP}"""
_REVISION = """from quartermaster.install.migration import run_sql_beside

revision, down_revision = "9998", "{before}"


def upgrade() -> None:
    run_sql_beside(__file__)
"""
_DATA = """
select api.import_items('tool', '[{"origin": "o", "name": "count_zebras"}]');
select api.put_organisation('zoo', 'Animals');
select api.create_principal('ada');
update core.setting set value = '7' where name = 'exposure.limit';
select api.add_origin('time', 'stdio', command => '{/d/upstreams/time/bin/mcp-server-time}');
select api.add_origin('mine', 'stdio', command => '{uvx,mine}');
"""
_KEPT = """
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


# A member of a project, and a note of it, before anybody was asked.
_ENROLLED = """
select api.create_principal('ada');
select api.add_project('barn', '/srv/barn');
select api.put_project_member('ada');
select api.put_notes(jsonb_build_array(t.note('hay', 'The hay is dry in July.')));
"""
_BEFORE = """
update search.card set brief = regexp_replace(brief, '^According to the project .*?: ', '');
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


@pytest.fixture
def empty(server: Server) -> Generator[Database]:
    with server.empty() as database:
        yield database


@pytest.fixture
def next_release(tmp_path: Path) -> Path:
    """The SQL folders of a release that is made up."""
    source = discover.database_folder()
    for folder in ("extensions", "migrations", "functions", "sql"):
        shutil.copytree(source / folder, tmp_path / folder)
    versions = tmp_path / "migrations" / "versions"
    [*_, last] = sorted(path.stem for path in versions.glob("*.sql"))
    (versions / f"{_NAME}.sql").write_text(_MIGRATION)
    (versions / f"{_NAME}.py").write_text(_REVISION.format(before=last.partition("_")[0]))
    function = tmp_path / "functions" / "api" / "search" / "feature_names.sql"
    text = function.read_text()
    signed = text.replace("(kind text)", "(kind text, reversed boolean default false)")
    function.write_text(signed.replace("feature_names(text)", "feature_names(text, boolean)"))
    return tmp_path


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
        before = connection.execute(_KEPT).fetchone()
    assert before == (["o__count_zebras", "zoo", "ada", "7"],)
    apply.install(database.dsn)
    with database.connect() as connection:
        assert connection.execute(_KEPT).fetchone() == before
        assert connection.execute(_READY).fetchone() == (True,)
        terms = connection.execute("select terms from calls.terms").fetchall()
        assert terms == [({"masked": ["token"]},)]


def assert_is_like_a_new_one(database: Database, server: Server) -> None:
    with server.empty() as fresh:
        apply.install(fresh.dsn)
        assert snapshot(database.dsn) == snapshot(fresh.dsn)
        with database.connect() as old, fresh.connect() as new:
            assert old.execute(_SHIPPED).fetchall() == new.execute(_SHIPPED).fetchall()


@on_each_server
@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.stem)
def test_an_upgraded_release_is_like_a_new_one(
    release: Path, empty: Database, server: Server, psql: Path
):
    upgraded(empty, release.read_text(encoding="utf-8"), psql, "redacted")
    with empty.connect() as connection:
        starters = connection.execute("select name from catalog.origin where is_starter")
        assert starters.fetchall() == [("time",)]
    assert_is_like_a_new_one(empty, server)


def test_the_next_release_moves_data_and_gives_a_function_another_signature(
    empty: Database,
    server: Server,
    psql: Path,
    next_release: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    script = bundle()
    monkeypatch.setattr(discover, "database_folder", lambda: next_release)
    upgraded(empty, script, psql, "masked")
    assert_is_like_a_new_one(empty, server)
    with empty.connect() as connection:
        moved = "select motto from policy.organisation where name = 'zoo'"
        assert connection.execute(moved).fetchone() == ("ZOO",)


def test_who_is_a_member_already_stays_one(database: Database):
    migration = ROOT / "migrations" / "versions" / "0020_projects.sql"
    with database.connect() as connection:
        run_script(connection, _ENROLLED)
        before = connection.execute(_NOW).fetchone()
        with connection.transaction():
            run_script(connection, _BEFORE + migration.read_text(encoding="utf-8"))
        assert connection.execute(_NOW).fetchone() == before
    assert before == (
        [
            "member,owner",
            "local created ada",
            "According to the project local/barn: The hay is dry in July.",
        ],
    )


def test_a_function_that_was_not_dropped_is_noticed(
    embedded_server: Server, next_release: Path, monkeypatch: pytest.MonkeyPatch
):
    """Its file is gone, or has another signature, and no migration drops it."""
    migration = next_release / "migrations" / "versions" / f"{_NAME}.sql"
    migration.write_text(_MIGRATION.replace(_DROP, ""))
    with embedded_server.empty() as database, embedded_server.empty() as fresh:
        apply.install(database.dsn)
        monkeypatch.setattr(discover, "database_folder", lambda: next_release)
        with pytest.raises(QmError, match="not unique"):
            apply.install(database.dsn)
        (next_release / "functions" / "api" / "search" / "feature_names.sql").unlink()
        for each in (database, fresh):
            apply.install(each.dsn)
        left = set(snapshot(database.dsn)) - set(snapshot(fresh.dsn))
    assert len(left) == 1
    assert "feature_names" in left.pop()


def test_a_frozen_release_has_its_script():
    assert bool(FROZEN) == bool(RELEASES)
    for name in FROZEN:
        migration = (ROOT / "migrations" / "versions" / name).read_text(encoding="utf-8")
        assert any(migration.strip() in release.read_text(encoding="utf-8") for release in RELEASES)
