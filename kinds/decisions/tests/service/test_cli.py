"""``qm decisions``: from a candidate to a decision that is served, exported and imported."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from quartermaster.cli import principal, project
from quartermaster.core.errors import QmError
from quartermaster_decisions import candidates_cli, cli
from tests.support.database import Database

CANDIDATES = """
select * from api.put_candidates(jsonb_build_array(
    t.candidate('Endpoints return serializers.'),
    t.candidate('Raise our own errors.'),
    t.candidate('Raise our own errors.', '{"polarity": "avoid"}')
))
"""


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def root(database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A project of the caller with three candidates, 1 to 3."""
    folder = tmp_path / "shop"
    folder.mkdir()
    project.add_command(folder, dsn=database.dsn)
    with database.connect() as connection:
        connection.execute(CANDIDATES)
    capsys.readouterr()
    return folder


def appoint(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    principal.curator_command("local", of="decisions", dsn=database.dsn)
    capsys.readouterr()


def test_candidates_are_curated_and_served(
    database: Database, root: Path, capsys: pytest.CaptureFixture[str]
):
    dsn = database.dsn
    cli.list_command(json=True, dsn=dsn)
    listed = printed(capsys)["decisions"]
    assert [list(row) for row in listed] == [list(cli.LISTED_COLUMNS)] * 3
    with pytest.raises(QmError, match="was not appointed to curate decisions") as refused:
        cli.approve_command([1], dsn=dsn)
    assert refused.value.hint == "Appoint yourself: qm principal curator local --of decisions."
    appoint(database, capsys)
    cli.approve_command([1], dry_run=True, dsn=dsn)
    cli.approve_command([1, 2], reason="agreed", dsn=dsn)
    assert "2 decisions became canonical" in capsys.readouterr().out
    with pytest.raises(QmError, match="contradicts the canonical decision 2"):
        cli.approve_command([3], dsn=dsn)
    cli.list_command(dsn=dsn)
    assert "against 2" in capsys.readouterr().out
    cli.supersede_command(2, 3, dsn=dsn)
    cli.edit_command(1, instead="Do not return dicts.", dsn=dsn)
    capsys.readouterr()
    cli.for_command("src/api/users.py", "add an endpoint", json=True, dsn=dsn)
    assert [row["decision"] for row in printed(capsys)["decisions"]] == [1, 3]
    cli.for_command("README.md", "fix a typo", dsn=dsn)
    assert "No decision applies." in capsys.readouterr().out
    cli.show_command(1, dsn=dsn)
    shown = " ".join(capsys.readouterr().out.split())
    assert "approve agreed" in shown
    assert shown.startswith("Decision 1 decision ")
    cli.reject_command([1], dsn=dsn)
    assert "To record why, use --reason." in capsys.readouterr().out
    cli.reject_command([1], dsn=dsn)
    assert "all of these decisions are rejected already" in capsys.readouterr().out
    cli.reopen_command([1], dsn=dsn)
    assert "1 decision turned back into candidates." in capsys.readouterr().out
    cli.reject_command([1], reason="Too old", dsn=dsn)
    said = " ".join(capsys.readouterr().out.split())
    assert said == "1 decision rejected. To undo: qm decisions reopen 1."
    cli.show_command(2, dsn=dsn)
    assert "replaced by 3" in capsys.readouterr().out
    candidates_cli.list_command(dsn=dsn)
    assert "No decisions" in capsys.readouterr().err


def test_an_edit_needs_a_change(database: Database, root: Path):
    with pytest.raises(QmError, match="Nothing was changed"):
        cli.edit_command(1, dsn=database.dsn)
    with pytest.raises(QmError, match="is not JSON"):
        cli.edit_command(1, check="{", dsn=database.dsn)


def test_files_go_out_and_come_back(
    database: Database, root: Path, capsys: pytest.CaptureFixture[str]
):
    dsn, folder = database.dsn, root / "docs" / "decisions"
    appoint(database, capsys)
    cli.approve_command([1], dsn=dsn)
    cli.export_command(folder, dsn=dsn)
    before = {path.name: path.read_text() for path in folder.iterdir()}
    assert len(before) == 3
    capsys.readouterr()
    cli.import_command(folder, json=True, dsn=dsn)
    assert printed(capsys)["known"] == 3
    cli.export_command(folder, dsn=dsn)
    assert {path.name: path.read_text() for path in folder.iterdir()} == before

    other = root.parent / "copy"
    other.mkdir()
    project.add_command(other, dsn=dsn)
    capsys.readouterr()
    cli.import_command(folder, project="copy", json=True, dsn=dsn)
    assert printed(capsys)["added"] == 3
    cli.list_command(project="copy", json=True, dsn=dsn)
    assert {row["status"] for row in printed(capsys)["decisions"]} == {"candidate"}


def test_a_reviewed_commit_gives_the_status_and_the_words(
    database: Database, root: Path, capsys: pytest.CaptureFixture[str]
):
    dsn, folder = database.dsn, root / "decisions"
    appoint(database, capsys)
    cli.export_command(folder, dsn=dsn)
    [path] = folder.glob("0001-*")
    path.write_text(path.read_text().replace("status: candidate", "status: canonical"))
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for arguments in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "Agreed"]):
        subprocess.run(["git", *arguments], cwd=root, check=True)
    path.write_text("not what was reviewed")
    capsys.readouterr()
    with pytest.raises(QmError, match="is not a decision"):
        cli.import_command(folder, dsn=dsn)
    with pytest.raises(QmError, match="has no commit nowhere"):
        cli.import_command(folder, as_reviewed="nowhere", dsn=dsn)
    with pytest.raises(QmError, match=r"There are no decision files in .* at the commit"):
        cli.import_command(root / "other", as_reviewed="HEAD", dsn=dsn)
    (root / "other").mkdir()
    with pytest.raises(QmError, match="There are no decision files in"):
        cli.import_command(root / "other", dsn=dsn)
    with pytest.raises(QmError, match="There is no folder"):
        cli.import_command(root.parent, as_reviewed="HEAD", dsn=dsn)
    cli.import_command(folder, as_reviewed="HEAD", dsn=dsn)
    capsys.readouterr()
    cli.show_command(1, json=True, dsn=dsn)
    shown = printed(capsys)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, check=True, capture_output=True)
    assert (shown["status"], shown["reviews"][0]["commit"]) == (
        "canonical",
        head.stdout.decode().strip(),
    )
