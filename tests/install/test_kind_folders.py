"""Folders with kinds of one's own: applied after what is shipped, each with its own ledger."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from quartermaster.core.errors import QmError
from quartermaster.install import apply
from quartermaster.install.bundle import bundle
from quartermaster.install.doctor import diagnose
from quartermaster.install.installed import is_installed
from quartermaster.install.kind_folder import KindFolder
from quartermaster.install.kind_folders import kind_folders
from tests.install.test_bundle import run as run_script
from tests.support.catalogue import snapshot
from tests.support.database import Database, Server
from tests.support.fixtures import on_each_server

pytestmark = pytest.mark.install


@pytest.fixture(scope="module")
def database(server: Server) -> Generator[Database]:
    with server.clone() as database:
        yield database


@pytest.fixture
def memos(tmp_path: Path) -> KindFolder:
    """A kind with a table, a function, and an operation that reads."""
    folder = tmp_path / "memos"
    files = {
        "migrations/0001_memos.sql": "create schema memos; create table memos.memo (id bigint);"
        " comment on table memos.memo is 'For a test.';"
        " alter table memos.memo enable row level security, force row level security;",
        "functions/memos/describe.sql": "create or replace function memos.describe(p_ref bigint)"
        " returns jsonb language sql stable parallel safe security invoker"
        " set search_path = pg_catalog, pg_temp"
        " as $$ select jsonb_build_object('number', p_ref) $$;"
        " comment on function memos.describe(bigint) is 'For a test.';",
        "functions/api/memos/count_memos.sql": "create or replace function api.count_memos()"
        " returns bigint language sql stable parallel safe security definer"
        " set search_path = pg_catalog, pg_temp as $$ select count(*) from memos.memo as m $$;"
        " comment on function api.count_memos() is 'For a test.';"
        " alter function api.count_memos() owner to qm_reader;"
        " grant execute on function api.count_memos to qm_user;",
        "sql/kinds/memo.sql": "select search.put_kind('memo', 'Memos',"
        " p_describe_function => 'memos.describe');",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return KindFolder(folder)


def test_a_folder_is_applied_and_its_migrations_once(database: Database, memos: KindFolder):
    assert not is_installed(database.dsn, [memos])
    apply.install(database.dsn, folders=[memos])
    assert is_installed(database.dsn, [memos])
    with database.connect() as connection:
        recorded = "select name, schemas, is_hidden from core.kind_folder where not is_shipped"
        assert connection.execute(recorded).fetchall() == [("memos", ["memos"], False)]
        [found] = connection.execute(
            "select describe_function from search.kind where name = 'memo'"
        ).fetchall()
        assert found == ("memos.describe",)

    (memos.path / "migrations/0002_more.sql").write_text(
        "alter table memos.memo add column text text"
    )
    assert not is_installed(database.dsn, [memos])
    apply.install(database.dsn, folders=[memos])
    apply.install(database.dsn, folders=[memos])
    with database.connect() as connection:
        applied = connection.execute(
            "select name from core.migration where folder = 'memos' order by name"
        ).fetchall()
    assert applied == [("memos/migrations/0001_memos.sql",), ("memos/migrations/0002_more.sql",)]

    (memos.path / "migrations/0001_memos.sql").write_text("select 1")
    with pytest.raises(QmError) as caught:
        apply.install(database.dsn, folders=[memos])
    assert caught.value.slug == "migration_edited"


def test_an_operation_of_a_folder_may_belong_to_the_role_that_reads(
    database: Database, memos: KindFolder
):
    forget(database)
    apply.install(database.dsn, folders=[memos])
    apply.refresh_functions(database.dsn, [memos])
    with database.connect() as connection:
        found = connection.execute(
            "select proowner::regrole::text, 'row_security=on' = any(proconfig) from pg_proc"
            " where oid = 'api.count_memos'::regproc"
        ).fetchall()
    assert found == [("qm_reader", True)]


def test_the_functions_alone_are_applied_and_the_doctor_sees_a_change(
    database: Database, memos: KindFolder
):
    forget(database)
    apply.install(database.dsn, folders=[memos])
    assert diagnose(database.dsn, [memos]).problems == []
    function = memos.path / "functions/memos/describe.sql"
    function.write_text(function.read_text().replace("'number'", "'changed'"))
    [problem] = diagnose(database.dsn, [memos]).problems
    assert "kind folder memos differs" in problem
    [problem] = diagnose(database.dsn).problems
    assert "names the kind folder memos, whose 0 cards the next qm install" in problem
    apply.refresh_functions(database.dsn, [memos])
    with database.connect() as connection:
        [[described]] = connection.execute("select memos.describe(7)").fetchall()
    assert described == {"changed": 7}


@on_each_server
def test_the_script_of_a_folder_makes_what_the_installer_makes(
    server: Server, psql: Path, memos: KindFolder
):
    with server.empty() as database, server.empty() as other:
        for _ in range(2):
            done = run_script(psql, database.dsn, bundle([memos]))
            assert (done.returncode, done.stderr) == (0, "")
        assert is_installed(database.dsn, [memos])
        apply.install(other.dsn, folders=[memos])
        assert snapshot(database.dsn) == snapshot(other.dsn)


def test_functions_of_a_folder_that_is_named_no_more_are_not_checked(
    database: Database, memos: KindFolder
):
    forget(database)
    (memos.path / FUNCTION).write_text(broken("memos.more", column="id"))
    apply.install(database.dsn, folders=[memos])
    with database.connect() as connection:
        connection.execute("alter table memos.memo rename id to other")
    with pytest.raises(QmError, match=f"memos/{FUNCTION}: .*id"):
        apply.refresh_functions(database.dsn, [memos])
    apply.install(database.dsn)


KIND = "sql/kinds/memo.sql"
MIGRATION = "migrations/0001_memos.sql"
FUNCTION = "functions/memos/more.sql"
UNCHECKED = "set local check_function_bodies = off; "


def forget(database: Database) -> None:
    """Removes what a folder of an earlier test has left."""
    with database.connect() as connection:
        connection.execute("delete from core.kind_folder where name = 'memos'")
        connection.execute("delete from core.migration where folder = 'memos'")
        connection.execute("drop schema if exists memos cascade")


def broken(name: str, *, column: str = "no_such") -> str:
    """Returns a function that reads a column, which may be missing."""
    return (
        f"create or replace function {name}() returns bigint language sql stable parallel safe"
        " security invoker set search_path = pg_catalog, pg_temp"
        f" as $$ select m.{column} from memos.memo as m $$;"
        f" comment on function {name}() is 'For a test.';"
    )


@pytest.mark.parametrize(
    ("file", "text", "report"),
    [
        (MIGRATION, "create schema memos; commit;", "transaction commands"),
        (MIGRATION, "create schema memos; rollback; begin;", "transaction commands"),
        (MIGRATION, "reset role; create schema memos;", "memos/migrations/0001_memos.sql changes"),
        (MIGRATION, "set session authorization default; reset role;", "changes the role"),
        (MIGRATION, "create schema memos; select 'no end", "unterminated"),
        (KIND, "select search.put_kind('tool', 'Mine')", "'tool' already exists"),
        (KIND, "select search.put_kind('x', 'X', p_is_default => true)", "already the default"),
        (
            KIND,
            "select search.put_kind('x; drop table core.setting', 'X')",
            "not a valid name for a kind",
        ),
        (KIND, "select search.put_kind(null, 'X')", "not a valid name for a kind"),
        (
            KIND,
            "select search.put_kind('x', 'X', p_card_function => 'lower(1); drop schema api')",
            "does not exist",
        ),
        (KIND, "select nothing_like_that()", "nothing_like_that"),
        (FUNCTION, broken("memos.another_name"), f"memos/{FUNCTION}: .*no_such"),
        (FUNCTION, UNCHECKED + broken("memos.more"), f"memos/{FUNCTION}: .*no_such"),
        (
            FUNCTION,
            "create or replace function core.now() returns timestamptz language sql stable"
            " parallel safe security invoker set search_path = pg_catalog, pg_temp"
            " as $$ select '2000-01-01'::timestamptz $$",
            r"replaces core\.now\(\)",
        ),
    ],
)
def test_a_file_that_oversteps_is_refused_and_changes_nothing(
    database: Database, memos: KindFolder, file: str, text: str, report: str
):
    forget(database)
    before = snapshot(database.dsn)
    (memos.path / file).write_text(text)
    with pytest.raises(QmError, match=report):
        apply.install(database.dsn, folders=[memos])
    assert snapshot(database.dsn) == before


def test_a_kind_of_another_folder_is_refused(database: Database, memos: KindFolder, tmp_path: Path):
    forget(database)
    other = tmp_path / "others"
    (other / "sql/kinds").mkdir(parents=True)
    (other / KIND).write_text("select search.put_kind('memo', 'Not those memos')")
    apply.install(database.dsn, folders=[memos])
    with pytest.raises(QmError, match="belongs to the folder memos"):
        apply.install(database.dsn, folders=[memos, KindFolder(other)])


@pytest.mark.parametrize("what", ["link", "folder", "bytes", "name", "directory", "nothing"])
def test_a_file_that_cannot_be_read_is_refused(memos: KindFolder, tmp_path: Path, what: str):
    path = memos.path / "functions/memos/more.sql"
    outside = tmp_path / "secret.sql"
    outside.write_text("select 'a secret'")
    match what:
        case "link":
            path.symlink_to(outside)
        case "folder":
            path.mkdir()
        case "bytes":
            path.write_bytes(b"\xff")
        case "name":
            path.with_name("a\ndrop schema api;\nmore.sql").write_text("select 1")
        case "directory":
            path = path.parent / "a\n\\! touch made_by_psql\n--" / path.name
            path.parent.mkdir()
            path.write_text("select 1")
        case _:
            path.symlink_to(memos.path / "is_not_there.sql")
    with pytest.raises(QmError, match=r"more\.sql") as caught:
        memos.functions()
    assert caught.value.slug == "kind_folder_invalid"
    assert "a secret" not in str(caught.value)


@pytest.mark.parametrize("path", ["kinds", "../kinds", ".", "~/kinds", "/srv/ki\nnds"])
def test_a_folder_that_is_not_named_by_a_plain_absolute_path_is_refused(path: str):
    with pytest.raises(QmError, match="absolute path") as caught:
        kind_folders([Path(path)])
    assert caught.value.slug == "kind_folder_invalid"


def test_a_folder_without_a_kind_is_refused(tmp_path: Path):
    with pytest.raises(QmError) as caught:
        kind_folders([tmp_path])
    assert caught.value.slug == "kind_folder_invalid"


def test_two_folders_of_one_name_are_refused(memos: KindFolder, tmp_path: Path):
    other = tmp_path / "elsewhere" / "memos"
    (other / "sql/kinds").mkdir(parents=True)
    (other / "sql/kinds/x.sql").write_text("select 1")
    assert len(kind_folders([memos.path, memos.path])) == 1
    with pytest.raises(QmError) as caught:
        kind_folders([memos.path, other])
    assert caught.value.slug == "kind_folder_invalid"
