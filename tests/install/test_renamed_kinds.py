"""Every shipped kind under another name: what is generic works all the same.

This runs on PostgreSQL 17. With the names that ship, the same files run on 18 (tests/sql).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from quartermaster.install import apply, discover
from tests.support.contract import TABLE, open_doors
from tests.support.database import SERVICE_PASSWORD, Database, Server
from tests.support.kinds import TESTS_OF_ENGINE, is_of_engine, new_name, renamed
from tests.support.sql_files import ROOT
from tests.support.tap import TapSession, tap_session

pytestmark = pytest.mark.install

SQL_TESTS = ROOT / "tests" / "sql"


def renamed_copy(source: Path, copy: Path) -> Path:
    """Returns a copy of the SQL folders of the core or of a kind, with other names of kinds."""
    for folder in ("extensions", "migrations", "functions", "sql"):
        for path in (source / folder).rglob("*"):
            if path.is_file() and path.suffix in {".sql", ".py", ".txt"}:
                text = path.read_text(encoding="utf-8")
                target = copy / path.relative_to(source)
                target.parent.mkdir(parents=True, exist_ok=True)
                is_engine = folder == "functions" and is_of_engine(path)
                keeps = is_engine or path.suffix == ".py"
                target.write_text(text if keeps else renamed(text), encoding="utf-8")
    # The kinds are renamed in the migrations, too, although these are frozen.
    (copy / "migrations/frozen.txt").write_text("")
    return copy


@pytest.fixture(scope="module")
def installed(
    debian_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Database]:
    copies = tmp_path_factory.mktemp("renamed")
    core, kinds = discover.database_folder(), discover.kinds()
    copy = renamed_copy(core, copies / "core")
    renamed_kinds = [
        replace(kind, path=renamed_copy(kind.path, copies / kind.name)) for kind in kinds
    ]
    with pytest.MonkeyPatch.context() as patch, debian_server.empty() as database:
        patch.setattr(discover, "database_folder", lambda: copy)
        patch.setattr(discover, "kinds", lambda: renamed_kinds)
        apply.install(database.dsn, service_password=SERVICE_PASSWORD, limit_logins=True)
        debian_server.add_test_parts(database, renamed)
        yield database


@pytest.fixture(scope="module")
def session(debian_server: Server, installed: Database) -> Generator[TapSession]:
    with tap_session(debian_server, installed) as session:
        yield session


@pytest.mark.parametrize(
    "path", TESTS_OF_ENGINE, ids=lambda path: path.relative_to(SQL_TESTS).as_posix()
)
def test_generic_behaviour_needs_no_name(session: TapSession, path: Path):
    if failure := session.run(renamed(path.read_text(encoding="utf-8"))):
        pytest.fail(failure, pytrace=False)


@pytest.mark.anyio
async def test_what_answers_in_an_outage_needs_no_name(
    debian_server: Server, installed: Database, tmp_path: Path
):
    with debian_server.clone(installed) as database:
        async with open_doors(database, tmp_path, new_name, renamed) as doors:
            drift = await doors.drift(TABLE, askers=2)
    assert not drift, "\n".join(drift)
