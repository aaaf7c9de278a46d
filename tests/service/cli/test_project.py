"""``qm project``, and curators of decisions: added, shared, shown and removed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer

from quartermaster.cli import principal, project
from quartermaster.core.errors import QmError
from tests.support.database import Database


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_project_is_added_shared_and_removed(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    dsn = database.dsn
    with database.connect() as connection:
        connection.execute("select t.make_principal('alice')")
    folder = tmp_path / "shop"
    with pytest.raises(QmError, match="is not a folder"):
        project.add_command(folder, dsn=dsn)
    folder.mkdir()
    project.add_command(folder, dsn=dsn)
    assert "Added shop" in capsys.readouterr().out
    with pytest.raises(QmError, match="already have a project called shop"):
        project.add_command(folder, dsn=dsn)
    project.add_command(folder, name="other", json=True, dsn=dsn)
    assert printed(capsys)["root"] == str(folder)
    with pytest.raises(QmError, match="which of these 2 projects"):
        project.show_command(dsn=dsn)

    project.members_command("shop", add="alice", dsn=dsn)
    assert "alice is now a member" in capsys.readouterr().out
    project.show_command("shop", json=True, dsn=dsn)
    assert [each["role"] for each in printed(capsys)["members"]] == ["owner", "member"]
    project.members_command("shop", remove="alice", json=True, dsn=dsn)
    assert len(printed(capsys)["members"]) == 1
    with pytest.raises(typer.BadParameter):
        project.members_command("shop", owner=True, dsn=dsn)

    project.remove_command("shop", dry_run=True, dsn=dsn)
    project.list_command(json=True, dsn=dsn)
    assert len(json.loads(capsys.readouterr().out.partition("\n")[2])) == 2
    project.remove_command("shop", yes=True, json=True, dsn=dsn)
    assert printed(capsys)["removed"] is True
    project.show_command(dsn=dsn)
    assert "other" in capsys.readouterr().out


def test_a_member_leaves(database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    dsn = database.dsn
    with database.connect() as connection:
        connection.execute("select t.make_principal('dora')")
    project.add_command(tmp_path, name="yard", dsn=dsn)
    with pytest.raises(QmError, match="would be left without an owner"):
        project.leave_command("yard", yes=True, dsn=dsn)
    project.members_command("yard", add="dora", owner=True, dsn=dsn)
    project.leave_command("yard", dry_run=True, dsn=dsn)
    assert "You have left" not in capsys.readouterr().out
    project.leave_command("yard", yes=True, dsn=dsn)
    assert "You have left yard." in capsys.readouterr().out
    project.show_command("yard", json=True, dsn=dsn)
    assert [each["name"] for each in printed(capsys)["members"]] == ["dora"]


def test_a_person_is_appointed_to_curate_decisions(
    database: Database, capsys: pytest.CaptureFixture[str]
):
    dsn = database.dsn
    principal.create_command("cora", kind="person", dsn=dsn)
    principal.create_command("bot", dsn=dsn)
    with pytest.raises(QmError, match="not a person"):
        principal.curator_command("bot", of="decisions", dsn=dsn)
    principal.curator_command("cora", of="decisions", dsn=dsn)
    assert "cora may now curate decisions" in capsys.readouterr().out
    principal.list_command(dsn=dsn)
    assert "curator of decisions" in " ".join(capsys.readouterr().out.split())
