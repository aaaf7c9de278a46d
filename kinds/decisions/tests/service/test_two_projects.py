"""With several projects, a path says which one is meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer

from quartermaster.cli import principal, project
from quartermaster.core.errors import QmError
from quartermaster_decisions import cli, mining_cli
from tests.support.database import Database
from tests.support.views_repository import commit, git, make_views

Folders = dict[str, Path]


@pytest.fixture
def folders(database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Folders:
    """Two projects, shop and mill, with candidates, and a repository that is no project."""
    found = {name: make_views(tmp_path / name) for name in ("shop", "mill", "other")}
    for name in ("shop", "mill"):
        project.add_command(found[name], dsn=database.dsn)
    principal.curator_command("local", of="decisions", dsn=database.dsn)
    capsys.readouterr()
    return found


def ingest(database: Database, folder: Path, tmp_path: Path) -> None:
    mining_cli.ingest_command(folder, json=True, data_dir=tmp_path / "data", dsn=database.dsn)


def owners(database: Database) -> set[str]:
    with database.connect() as connection:
        rows = connection.execute(
            "select distinct p.name from decisions.decision as d"
            " join projects.project as p on p.id = d.project_id"
        ).fetchall()
    return {str(name) for (name,) in rows}


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_an_ingested_path_is_the_project(
    database: Database, folders: Folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with pytest.raises(
        QmError,
        match="the call does not say which of these 2 projects it is about: local/mill, local/shop",
    ):
        cli.list_command(dsn=database.dsn)
    with pytest.raises(QmError, match="you are not a member of any project that contains"):
        ingest(database, folders["other"], tmp_path)
    assert owners(database) == set()
    ingest(database, folders["mill"], tmp_path)
    assert owners(database) == {"mill"}
    monkeypatch.chdir(folders["shop"])
    ingest(database, Path(), tmp_path)
    assert owners(database) == {"mill", "shop"}


def test_the_working_directory_or_a_path_says_which_project(
    database: Database,
    folders: Folders,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    dsn, shop, mill = database.dsn, folders["shop"], folders["mill"]
    ingest(database, shop, tmp_path)
    ingest(database, mill, tmp_path)
    capsys.readouterr()
    monkeypatch.chdir(shop / "src")
    cli.list_command(json=True, dsn=dsn)
    in_shop = {row["id"] for row in printed(capsys)["decisions"]}
    cli.list_command(path=str(mill / "src" / "shop" / "views"), json=True, dsn=dsn)
    in_mill = {row["id"] for row in printed(capsys)["decisions"]}
    assert in_shop
    assert in_mill
    assert not in_shop & in_mill
    cli.list_command(project="mill", json=True, dsn=dsn)
    assert in_mill <= {row["id"] for row in printed(capsys)["decisions"]}
    cli.export_command(mill / "decisions", json=True, dsn=dsn)
    assert {int(name[:4]) for name in printed(capsys)["files"]} >= in_mill
    cli.import_command(mill / "decisions", json=True, dsn=dsn)
    assert printed(capsys)["added"] == 0
    # A folder of no project: the working directory counts.
    cli.export_command(tmp_path / "out", json=True, dsn=dsn)
    assert {int(name[:4]) for name in printed(capsys)["files"]} == in_shop
    mining_cli.refresh_command(json=True, dsn=dsn)
    assert printed(capsys)["decisions"] == len(in_shop)

    cli.approve_command([min(in_shop)], dsn=dsn)
    cli.approve_command([min(in_mill)], project="mill", dsn=dsn)
    capsys.readouterr()
    for folder, wanted in ((shop, in_shop), (mill, in_mill)):
        page = folder / "src" / "shop" / "views" / "page_99.py"
        cli.for_command(str(page), "add a page", json=True, dsn=dsn)
        assert {row["decision"] for row in printed(capsys)["decisions"]} <= wanted
        commit(folder, b"src/shop/views/page_99.py", b"def page_99(request):\n    return 1\n")
        with pytest.raises(typer.Exit):
            mining_cli.check_command([str(page)], json=True, dsn=dsn)
        assert {row["decision"] for row in printed(capsys)["violations"]} <= wanted
        git(folder, "rm", "-q", "src/shop/views/page_99.py")
