"""From a repository to a violated decision, with the commands that a person types."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer

from quartermaster.cli import principal, project
from quartermaster.core.errors import QmError
from quartermaster_decisions import cli, mining_cli
from tests.support.database import Database

VIEW = '''"""Page {number}."""

from __future__ import annotations

from shop.auth import login_required


@login_required
def page_{number}(request: object) -> str:
    """Show page {number}."""
    return "page {number}"
'''


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_mined_decision_is_approved_served_and_violated(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    dsn, root = database.dsn, tmp_path / "shop"
    views = root / "src" / "shop" / "views"
    views.mkdir(parents=True)
    for folder in (views.parent, views):
        (folder / "__init__.py").write_text("")
    (views.parent / "auth.py").write_text("def login_required(page):\n    return page\n")
    git(root, "init", "-q")
    for number in range(30):
        (views / f"page_{number}.py").write_text(VIEW.format(number=number))
        git(root, "add", ".")
        git(root, "commit", "-qm", f"Page {number}")
    project.add_command(root, dsn=dsn)
    principal.curator_command("local", of="decisions", dsn=dsn)
    capsys.readouterr()
    mining_cli.ingest_command(json=True, data_dir=tmp_path / "data", dsn=dsn)
    assert printed(capsys)["added"] >= 1
    cli.list_command(json=True, dsn=dsn)
    [found, *_] = [
        row for row in printed(capsys)["decisions"] if "login_required" in row["pattern"]
    ]
    cli.approve_command([found["id"]], dsn=dsn)
    capsys.readouterr()
    cli.for_command("src/shop/views/page_31.py", "add a public function", json=True, dsn=dsn)
    served = printed(capsys)["decisions"]
    assert [row["decision"] for row in served] == [found["id"]], found
    mining_cli.check_command(["src/shop/views"], json=True, dsn=dsn)
    assert printed(capsys)["violations"] == []
    (views / "page_31.py").write_text(VIEW.format(number=31).replace("@login_required\n", ""))
    with pytest.raises(typer.Exit):
        mining_cli.check_command(["src/shop/views/page_31.py"], json=True, dsn=dsn)
    assert len(printed(capsys)["violations"]) == 1
    # A path that is not there is no clean bill.
    for path in ("src/shop/view", "nothing.py"):
        with pytest.raises(QmError, match="has no file or folder"):
            mining_cli.check_command([path], dsn=dsn)
        with pytest.raises(QmError, match="has no file or folder"):
            mining_cli.check_command([path], diff="HEAD", dsn=dsn)
    for path in (str(views), "./src/shop", "src/shop/views/"):
        with pytest.raises(typer.Exit):
            mining_cli.check_command([path], diff="HEAD", json=True, dsn=dsn)
        assert len(printed(capsys)["violations"]) == 1
    mining_cli.check_command(["src/shop/auth.py"], diff="HEAD", json=True, dsn=dsn)
    assert printed(capsys)["violations"] == []


def test_a_project_without_decisions_is_refreshed(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "Nothing")
    project.add_command(tmp_path, name="empty", dsn=database.dsn)
    mining_cli.refresh_command(dsn=database.dsn)
    assert "No decisions. Find some with" in capsys.readouterr().err


ALL = "No decisions were found in 1 source file, 2 documents and 1 commit."


def test_nothing_found_is_told_with_the_reason(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    root = tmp_path / "small"
    root.mkdir()
    (root / "app.py").write_text("VALUE = 1\n")
    (root / "CONTRIBUTING.md").write_text("Be kind.\n")
    (root / "AGENTS.md").write_text("Be quick.\n")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "First")
    project.add_command(root, dsn=database.dsn)
    capsys.readouterr()
    mining_cli.ingest_command(data_dir=tmp_path / "data", dsn=database.dsn)
    said = " ".join(capsys.readouterr().out.split())
    assert (
        f"{ALL} A decision is recorded if the code follows it in at least 15 places, or 8 if other"
        " projects rarely follow it." in said
    )
    assert "To read the candidates" not in said


def test_a_decision_without_a_check_is_not_passed_over(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    dsn = database.dsn
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "Nothing")
    project.add_command(tmp_path, name="empty", dsn=dsn)
    principal.curator_command("local", of="decisions", dsn=dsn)
    with database.connect() as connection:
        connection.execute(
            """
            select * from api.put_candidates(
                jsonb_build_array(t.candidate('Raise our own errors.', '{"check": null}'))
            )
            """
        )
    cli.approve_command([1], dsn=dsn)
    capsys.readouterr()
    mining_cli.check_command(dsn=dsn)
    said = capsys.readouterr()
    assert "No violation of 0 decisions." in said.err
    assert "1 canonical decision has no check that can be run." in said.out
