"""What receipts have taught, exported as tasks that an evaluation reads."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml

from quartermaster.cli.eval.export import export_golden_command, split_of
from quartermaster.core.errors import QmError
from quartermaster.core.kinds import TOOL
from quartermaster.eval.gold import read_tasks
from quartermaster.eval.items import read_items
from tests.support.database import Database

ARRANGED = """
select t.make_catalog();
insert into selection.judgement
    (kind, goal_hash, ref, goal, mode, successes, passed_over, first_at, last_at)
select 'tool', 'a', x.id, 'wie spät ist es in Tōkyō: jetzt?', 'fast', j.successes, j.passed_over,
    '2026-01-01', '2026-01-02'
from (values ('time__get_current_time', 3, 0), ('tracker__listTickets', 0, 1))
    as j (name, successes, passed_over)
inner join catalog.item as x on x.public_name = j.name
"""


@pytest.fixture
def learned(database: Database) -> Database:
    with database.connect() as connection:
        connection.execute(ARRANGED)
    return database


def test_tasks_are_written_as_an_evaluation_reads_them(learned: Database, tmp_path: Path):
    tools, tasks = tmp_path / "tools.jsonl", tmp_path / "tasks.yaml"
    tools.write_text('{"id": "1", "origin": "time", "name": "get_current_time"}\n')
    export_golden_command(to=tasks, minimum=1, dev=0, test=0, dsn=learned.dsn)
    [written] = yaml.safe_load(tasks.read_text(encoding="utf-8"))
    assert written == {
        "goal": "wie spät ist es in Tōkyō: jetzt?",
        "gold_tools": ["time/get_current_time"],
        "mode": "fast",
        "split": "train",
        "notes": "called successfully 3 times, first on 2026-01-01, last on 2026-01-02",
    }
    [task] = read_tasks(tasks, read_items(tools, 10_000, TOOL), split=None, modes=["fast"])
    assert (task.goal, task.split) == (written["goal"], "train")


def test_hard_negatives_come_along_where_asked_for(
    learned: Database, capsys: pytest.CaptureFixture[str]
):
    export_golden_command(minimum=1, with_negatives=True, dsn=learned.dsn)
    [written] = yaml.safe_load(capsys.readouterr().out)
    assert written["hard_negatives"] == ["tracker/listTickets"]


def test_a_goal_with_too_few_successes_is_left_out(
    learned: Database, capsys: pytest.CaptureFixture[str]
):
    export_golden_command(minimum=4, dsn=learned.dsn)
    printed = capsys.readouterr()
    assert yaml.safe_load(printed.out) == []
    assert "a lower --minimum." in " ".join(printed.err.split())


def test_where_nothing_was_learned_yet_the_next_step_is_said(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    export_golden_command(to=tmp_path / "tasks.yaml", minimum=1, dsn=database.dsn)
    said = " ".join(capsys.readouterr().err.split())
    assert "0 tasks written" in said
    assert "No tasks yet. A task is recorded when an agent searches" in said
    assert "feedback.window" in said
    assert "--minimum" not in said


def test_a_file_that_cannot_be_written_is_explained(learned: Database, tmp_path: Path):
    with pytest.raises(QmError) as raised:
        export_golden_command(to=tmp_path / "none" / "tasks.yaml", minimum=1, dsn=learned.dsn)
    assert raised.value.slug == "file_not_writable"


def test_the_split_of_a_goal_stays_and_shares_are_kept():
    goals = [f"goal {number}" for number in range(1000)]
    before = {goal: split_of(goal, 20, 20) for goal in goals}
    found = Counter(before.values())
    assert 550 < found["train"] < 650
    assert 150 < found["dev"] < 250
    assert split_of("GOAL 7", 20, 20) == before["goal 7"]
    assert {split_of(goal, 0, 0) for goal in goals} == {"train"}
    assert {split_of(goal, 50, 50) for goal in goals} == {"dev", "test"}
    moved = {before[goal] for goal in goals if split_of(goal, 30, 20) != before[goal]}
    assert moved == {"train"}, "a larger share of dev takes from train only"


def test_it_is_a_command_of_qm_eval():
    from quartermaster.cli import eval as eval_commands

    commands = {command.name for command in eval_commands.noun.registered_commands}
    assert commands > {"export-golden", "export-tools"}
