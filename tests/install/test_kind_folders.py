"""Folders with kinds of one's own: applied after what is shipped, each with its own ledger."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from quartermaster.core.errors import QmError
from quartermaster.install import apply
from quartermaster.install.installed import is_installed
from quartermaster.install.kind_folders import KindFolder, kind_folders
from tests.support.database import Database, Server

pytestmark = pytest.mark.install


@pytest.fixture(scope="module")
def database(sql_server: Server) -> Generator[Database]:
    with sql_server.clone() as database:
        yield database


@pytest.fixture
def memos(tmp_path: Path) -> KindFolder:
    """A kind with a table and a function."""
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
        [[applied]] = connection.execute("select migrations from core.kind_folder").fetchall()
    assert sorted(applied) == ["memos/migrations/0001_memos.sql", "memos/migrations/0002_more.sql"]

    (memos.path / "migrations/0001_memos.sql").write_text("select 1")
    with pytest.raises(QmError) as caught:
        apply.install(database.dsn, folders=[memos])
    assert caught.value.slug == "migration_edited"


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
