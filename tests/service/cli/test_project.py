"""``qm project``, and curators of decisions: added, shared, shown and removed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer

from quartermaster.cli import principal, project
from quartermaster.core.errors import QmError
from tests.support.database import Database, run_script


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
    project.members_command("yard", add="dora", owner=True, dsn=dsn)
    with pytest.raises(QmError, match="the project is called local/yard"):
        project.leave_command("yard", yes=True, dsn=dsn)
    with database.connect() as connection:
        run_script(
            connection,
            "select t.make_project('shop', 'alice', 'erik'), t.act_as('alice', 'qm_user');"
            "select api.put_project_member('local', project => 'shop');",
        )
    project.accept_command("alice/shop", dsn=dsn)
    project.leave_command("shop", dry_run=True, dsn=dsn)
    assert "You have left" not in capsys.readouterr().out
    project.leave_command("shop", yes=True, dsn=dsn)
    assert "You have left alice/shop." in capsys.readouterr().out
    project.show_command("shop", json=True, dsn=dsn)
    assert [each["name"] for each in printed(capsys)["members"]] == ["alice", "erik"]


@pytest.fixture
def invited(database: Database) -> str:
    """A database in which Alice invites the caller to her project."""
    with database.connect() as connection:
        run_script(
            connection,
            "select t.make_project('shop', 'alice'), t.act_as('alice', 'qm_user');"
            "select api.put_project_member('local', 'owner', 'shop');",
        )
    return database.dsn


def test_an_invitation_is_listed_and_accepted(invited: str, capsys: pytest.CaptureFixture[str]):
    project.list_command(json=True, dsn=invited)
    [listed] = [each for each in printed(capsys) if each["role"] == "invited"]
    assert (listed["owner"], listed["invited_by"], listed["invited_as"]) == (
        "alice",
        "alice",
        "owner",
    )
    project.list_command(dsn=invited)
    report = capsys.readouterr()
    assert "invited by alice as owner" in " ".join(report.out.split())
    assert "qm project accept OWNER/NAME" in " ".join(report.err.split())
    with pytest.raises(QmError) as caught:
        project.accept_command("alice/other", dsn=invited)
    assert caught.value.slug == "invitation_not_found"
    project.accept_command("alice/shop", dsn=invited)
    assert "You are now an owner of alice/shop." in capsys.readouterr().out
    project.list_command(json=True, dsn=invited)
    assert [each["role"] for each in printed(capsys)] == ["owner"]


def test_an_invitation_is_declined_and_shown_as_such(
    invited: str, capsys: pytest.CaptureFixture[str]
):
    project.decline_command("shop", dsn=invited)
    assert "declined the invitation to alice/shop" in capsys.readouterr().out
    project.show_command("alice/shop", dsn=invited)
    assert "local (declined)" in capsys.readouterr().out


def test_a_principal_of_somebody_else_is_invited(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with database.connect() as connection:
        connection.execute("select t.make_principal('eve')")
        connection.execute("update policy.principal set created_by = null where name = 'eve'")
    project.add_command(tmp_path, name="yard", dsn=database.dsn)
    project.members_command("yard", add="eve", dsn=database.dsn)
    report = " ".join(capsys.readouterr().out.split())
    assert "eve is invited, and becomes a member with: qm project accept local/yard." in report
    project.members_command("yard", remove="eve", dsn=database.dsn)
    assert capsys.readouterr().out == "The invitation of eve is withdrawn.\n"
    project.show_command("yard", json=True, dsn=database.dsn)
    assert printed(capsys)["invited"] == []


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
