"""``qm policy`` and ``qm toolset``: rules of a file tried, applied, compared and taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from quartermaster.cli import audit, organisation, policy, tool, toolset
from quartermaster.core.errors import QmError
from tests.support.database import Database

ARRANGED = "select t.make_catalog(), t.make_principal('alice')"
RULES = """\
default: allow
rules:
  - effect: deny
    subject: role:user
    tools: ["tracker__*"]
    reason: no tickets
"""


@pytest.fixture
def arranged(database: Database) -> Database:
    with database.connect() as connection:
        connection.execute(ARRANGED)
    return database


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.yaml"
    path.write_text(RULES)
    return path


def seen_by_alice(database: Database) -> int:
    with database.connect() as connection:
        row = connection.execute(
            "select count(*) from catalog.item as x, policy.principal as p where p.name = 'alice'"
            " and policy.is_visible(x.rights_class, policy.rights_of(p.id))"
        ).fetchone()
    assert row
    return int(str(row[0]))


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (
            "rules:\n  - effect: deny\n    subject: everyone\n    tool: x\n",
            4,
            "'tool' is not a key",
        ),
        ("rules:\n  - effect: deny\n    subject: principal:nobody\n", 3, "no principal called"),
        ("default: maybe\n", 1, '"allow" or "deny"'),
        ("rules:\n  - subject: everyone\n", 2, '"allow" or "deny"'),
        ("rules:\n  - effect: deny\n    effect: allow\n", 3, "occurs twice"),
        ("rules: [\n", 2, "not YAML"),
        ("- effect: deny\n", 1, "an object"),
        ("# nothing\n", 1, "an object"),
        ("rules: &all [*all]\n", 1, "refers to itself"),
        (
            "rules: []\nrepairs:\n  - origin: time\n    phrases: [x]\n  - origin: nowhere\n",
            5,
            "there is no server 'nowhere'",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line(
    arranged: Database, rules: Path, text: str, line: int, what: str
):
    rules.write_text(text)
    with pytest.raises(QmError) as raised:
        policy.apply_command(rules, yes=True, dsn=arranged.dsn)
    assert raised.value.slug == "rules_invalid"
    assert raised.value.message.startswith(f"{rules}:{line}: ")
    assert what in raised.value.message
    assert seen_by_alice(arranged) == 4


def test_a_preview_changes_nothing(
    arranged: Database, rules: Path, capsys: pytest.CaptureFixture[str]
):
    policy.apply_command(rules, dry_run=True, json=True, dsn=arranged.dsn)
    [change] = printed(capsys)["changes"]
    assert (change["principal"], change["gained"], change["lost"]) == ("alice", 0, 2)
    assert change["loses"] == ["tracker__create_ticket", "tracker__listTickets"]
    assert seen_by_alice(arranged) == 4


def test_a_file_says_how_tools_are_repaired(
    arranged: Database, rules: Path, capsys: pytest.CaptureFixture[str]
):
    tool.repair_command(name="time__convert_time", title="By hand", dsn=arranged.dsn)
    tool.repairs_command(as_rules=True, dsn=arranged.dsn)
    by_hand = capsys.readouterr().out.partition("repairs:")[2]
    assert yaml.safe_load(f"repairs:{by_hand}") == {
        "repairs": [{"origin": "time", "tool": "convert_time", "title": "By hand"}]
    }
    rules.write_text(RULES + "repairs:\n  - {origin: tracker, tool: listTickets, title: List}\n")
    policy.apply_command(rules, dry_run=True, dsn=arranged.dsn)
    policy.apply_command(rules, yes=True, dsn=arranged.dsn)
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("Repairs", "By hand", "tracker__listTickets", "List"))
    policy.show_command(dsn=arranged.dsn)
    assert yaml.safe_load(capsys.readouterr().out)["repairs"] == [
        {"origin": "tracker", "tool": "listTickets", "title": "List"}
    ]
    policy.rollback_command(yes=True, dsn=arranged.dsn)
    capsys.readouterr()
    tool.repairs_command(json=True, dsn=arranged.dsn)
    assert [row["changes"] for row in printed(capsys)] == [{"title": "By hand"}]


def test_without_an_answer_nothing_is_applied(
    arranged: Database, rules: Path, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: object, **__: object) -> None:
        raise typer.Abort

    monkeypatch.setattr(typer, "confirm", refuse)
    with pytest.raises(typer.Abort):
        policy.apply_command(rules, dsn=arranged.dsn)
    assert seen_by_alice(arranged) == 4


def test_there_is_no_way_back_from_the_first_rules(arranged: Database):
    with pytest.raises(QmError) as raised:
        policy.rollback_command(yes=True, dsn=arranged.dsn)
    assert raised.value.slug == "rules_not_found"
    assert "null" not in raised.value.message


def test_a_number_beyond_all_lists_is_said_to_be_too_large(arranged: Database):
    with pytest.raises(QmError, match="99999999999 is too large") as raised:
        policy.show_command(99999999999, dsn=arranged.dsn)
    assert raised.value.slug == "argument_invalid"


def test_who_is_not_there_is_looked_for_in_the_list(arranged: Database):
    with pytest.raises(QmError) as raised:
        policy.why_command("nobody", "time__get_current_time", dsn=arranged.dsn)
    assert "qm principal list" in raised.value.hint


def test_from_a_file_to_the_rollback(
    arranged: Database, rules: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    policy.apply_command(rules, note="tickets", yes=True, dsn=arranged.dsn)
    assert seen_by_alice(arranged) == 2
    capsys.readouterr()

    policy.list_command(json=True, dsn=arranged.dsn)
    newest, oldest = printed(capsys)
    assert (newest["note"], newest["is_active"], oldest["is_active"]) == ("tickets", True, False)

    policy.show_command(dsn=arranged.dsn)
    shown = capsys.readouterr().out
    assert yaml.safe_load(shown)["rules"] == yaml.safe_load(RULES)["rules"]
    again = tmp_path / "again.yaml"
    again.write_text(shown)
    policy.apply_command(again, yes=True, json=True, dsn=arranged.dsn)
    assert printed(capsys)["changes"] == []

    policy.diff_command(oldest["version"], json=True, dsn=arranged.dsn)
    [difference] = printed(capsys)
    assert (difference["change"], difference["rule"]["reason"]) == ("+", "no tickets")

    policy.rollback_command(oldest["version"], pin=True, yes=True, dsn=arranged.dsn)
    assert seen_by_alice(arranged) == 4
    with pytest.raises(QmError) as raised:
        policy.apply_command(rules, yes=True, dsn=arranged.dsn)
    assert raised.value.slug == "rules_pinned"
    policy.unpin_command(dsn=arranged.dsn)
    policy.rollback_command(yes=True, dsn=arranged.dsn)
    assert seen_by_alice(arranged) == 2


def test_tried_rules_say_what_is_found_then_and_are_gone(
    arranged: Database, rules: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    tasks = tmp_path / "tasks.yaml"
    tasks.write_text(
        "- {goal: open a ticket, gold_tools: [tracker/create_ticket]}\n"
        "- {goal: convert time, gold_tools: [time__convert_time]}\n"
    )
    policy.try_command(rules, tasks=tasks, principals=["alice"], json=True, dsn=arranged.dsn)
    found = printed(capsys)
    [seen] = found["evaluation"]
    assert (seen["principal"], seen["tasks"]) == ("alice", 2)
    assert set(seen["before"].values()) == {1}
    assert set(seen["after"].values()) == {0.5}
    assert [change["principal"] for change in found["changes"]] == ["alice"]
    assert seen_by_alice(arranged) == 4
    policy.apply_command(rules, yes=True, json=True, dsn=arranged.dsn)
    # What was only tried has taken no number.
    assert printed(capsys)["version"] == found["version"] == found["previous"] + 1


def test_without_tasks_those_that_receipts_taught_are_tried(
    arranged: Database, rules: Path, capsys: pytest.CaptureFixture[str]
):
    policy.try_command(rules, dsn=arranged.dsn)
    assert "the recorded searches do not show yet which tools are right" in " ".join(
        capsys.readouterr().out.split()
    )
    with arranged.connect() as connection:
        connection.execute(
            "insert into selection.judgement"
            " (kind, goal_hash, ref, goal, mode, successes, first_at, last_at)"
            " select 'tool', sha256('g'), t.id, 'open a ticket', 'fast', 1, now(), now()"
            " from catalog.item as t where t.public_name = 'tracker__create_ticket'"
        )
    policy.try_command(rules, principals=["alice"], dsn=arranged.dsn)
    said = " ".join(capsys.readouterr().out.split())
    assert "Search quality on 1 task" in said
    assert "alice before 1.000 1.000 1.000 1.000 alice after 0.000 0.000 0.000 0.000" in said


def test_the_rule_that_decides_is_told_to_operators(
    arranged: Database, rules: Path, capsys: pytest.CaptureFixture[str]
):
    policy.apply_command(rules, yes=True, dsn=arranged.dsn)
    capsys.readouterr()
    policy.why_command("alice", "tracker__create_ticket", dsn=arranged.dsn)
    said = " ".join(capsys.readouterr().out.split())
    assert "alice may not use tracker__create_ticket: rule 1: deny role:user: no tickets" in said
    with arranged.connect() as connection:
        connection.execute("begin; select t.act_as('alice')")
        connection.execute(
            "select service.call_begin('tracker__create_ticket', 1, 'r', gen_random_uuid())"
        )
        connection.execute("commit")
    policy.decisions_command(limit=10, json=True, dsn=arranged.dsn)
    [decision] = printed(capsys)
    assert (decision["principal"], decision["rule"], decision["is_allowed"]) == ("alice", 1, False)


def test_a_toolset_comes_and_goes(arranged: Database, capsys: pytest.CaptureFixture[str]):
    toolset.put_command("clock", tool=["time__*"], description="times", dsn=arranged.dsn)
    assert "clock offers 2 tools" in capsys.readouterr().out
    toolset.list_command(json=True, dsn=arranged.dsn)
    [listed] = printed(capsys)
    assert (listed["name"], listed["pinned"]) == ("clock", {"tools": ["time__*"]})
    toolset.put_command("clock", tool=["zzz__*"], description="times", dsn=arranged.dsn)
    capsys.readouterr()
    audit.list_command(name="clock", limit=1, dsn=arranged.dsn)
    assert 'pinned: {"tools": ["zzz__*"]}' in capsys.readouterr().out
    toolset.remove_command("clock", yes=True, dsn=arranged.dsn)
    with pytest.raises(QmError) as raised:
        toolset.remove_command("clock", yes=True, dsn=arranged.dsn)
    assert raised.value.slug == "toolset_not_found"


def test_a_toolset_without_pins_names_the_options(arranged: Database):
    with pytest.raises(QmError) as raised:
        toolset.put_command("clock", description="times", dsn=arranged.dsn)
    assert (raised.value.slug, raised.value.detail) == ("toolset_invalid", None)
    assert "--tool" in raised.value.hint


def test_an_organisation_is_made(arranged: Database, capsys: pytest.CaptureFixture[str]):
    organisation.put_command("acme", dsn=arranged.dsn)
    capsys.readouterr()
    organisation.list_command(json=True, dsn=arranged.dsn)
    assert [row["name"] for row in printed(capsys)] == ["acme"]
