"""Files of tools and goals: what is read, and how a bad one is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quartermaster.core.errors import QmError
from quartermaster.core.kinds import TOOL
from quartermaster.eval.gold import Task, read_tasks, read_unserved
from quartermaster.eval.items import ItemSet, read_items
from tests.service.eval.conftest import Write

MODES = ("fast", "balanced")
TOOLS = (
    {"id": "t1", "origin": "time", "name": "now", "description": "Tells the time."},
    {"id": "t2", "origin": "mail", "name": "send", "description": "Sends mail.", "dup": "t3"},
    {"id": "t3", "origin": "post", "name": "send", "description": "Sends post.", "dup": "t3"},
)
QUERY = {"id": "q1", "query": "what time is it", "gold": ["t1"]}


def tools_of(write: Write) -> ItemSet:
    return read_items(write("tools.jsonl", TOOLS), 10_000, TOOL)


def tasks_of(write: Write, *lines: dict[str, Any] | str, split: str | None = None) -> list[Task]:
    path = write("queries.jsonl", lines)
    return read_tasks(path, tools_of(write), split=split, modes=MODES)


def refusal(error: pytest.ExceptionInfo[QmError]) -> str:
    assert error.value.slug == "evaluation_file_invalid"
    assert error.value.hint
    return error.value.message


def test_tools_keep_their_ids_and_groups(write: Write):
    tools = tools_of(write)
    assert tools.ids == ["t1", "t2", "t3"]
    assert tools.groups == {"t2": "t3", "t3": "t3"}
    assert tools.definitions[0]["origin"] == "time"


def test_a_second_tool_of_one_name_is_kept_under_an_origin_of_its_own(write: Write):
    origins = ("math", "math 2", "math", "math")
    lines = [{"id": str(n), "origin": o, "name": "add"} for n, o in enumerate(origins)]
    tools = read_items(write("tools.jsonl", lines), 10_000, TOOL)
    assert [tool["origin"] for tool in tools.definitions] == ["math", "math 2", "math 3", "math 4"]


def test_a_tool_that_cannot_be_stored_is_left_out_and_stays_known(write: Write):
    bad = {"id": "t4", "origin": "x", "name": "y\u0000"}
    tools = read_items(write("tools.jsonl", [*TOOLS, bad]), 10_000, TOOL)
    assert "t4" not in tools.ids
    assert "tools.jsonl:4: " in tools.rejected["t4"]
    assert tools.known["t4"] == "t4"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{nonsense", "tools.jsonl:2: expected property name"),
        ("[1]", "tools.jsonl:2: expected a JSON object"),
        ({"id": "t9", "origin": "x"}, "tools.jsonl:2: expected a text in 'name'"),
        (TOOLS[0], "tools.jsonl:2: the id 't1' was already used on line 1"),
    ],
)
def test_a_bad_line_of_tools_is_refused_with_its_place(
    write: Write, line: dict[str, Any] | str, complaint: str
):
    with pytest.raises(QmError) as error:
        read_items(write("tools.jsonl", [TOOLS[0], line]), 10_000, TOOL)
    assert complaint in refusal(error)


def test_empty_files_are_refused(write: Write):
    with pytest.raises(QmError) as error:
        read_items(write("tools.jsonl", []), 10_000, TOOL)
    assert "the file contains no tools" in refusal(error)
    with pytest.raises(QmError) as error:
        tasks_of(write)
    assert "the file has no goals" in refusal(error)


def test_a_file_that_is_not_there_is_not_found(tmp_path: Path):
    with pytest.raises(QmError) as error:
        read_items(tmp_path / "none.jsonl", 10_000, TOOL)
    assert error.value.slug == "file_not_found"


def test_a_split_takes_its_goals_and_those_of_no_split(write: Write):
    lines = (QUERY, QUERY | {"id": "q2", "split": "dev"}, QUERY | {"id": "q3", "split": "test"})
    assert [task.key for task in tasks_of(write, *lines)] == ["q1", "q2", "q3"]
    assert [task.key for task in tasks_of(write, *lines, split="dev")] == ["q1", "q2"]


def test_a_split_without_goals_is_refused_with_those_there_are(write: Write):
    with pytest.raises(QmError) as error:
        tasks_of(write, QUERY | {"split": "dev"}, split="test")
    assert "no goal belongs to the split 'test'" in refusal(error)
    assert "dev" in error.value.hint


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"gold": ["t1", "t99"]}, "queries.jsonl:1: the tool 't99' is not in"),
        ({"gold": None}, "queries.jsonl:1: expected 'gold' to be a list"),
        ({"gold": [], "partly": "t1"}, "queries.jsonl:1: expected 'partly' to be a list"),
        ({"grades": {"t1": 4}}, "queries.jsonl:1: expected 'grades' to be an object {id: 0 to 3}"),
        ({"grades": {"t1": "3"}}, "queries.jsonl:1: expected 'grades'"),
        ({"grades": ["t1"]}, "queries.jsonl:1: expected 'grades'"),
        ({"gold": "t1"}, "queries.jsonl:1: expected 'gold' to be a list"),
        ({"query": " "}, "queries.jsonl:1: expected a text in 'query'"),
        ({"mode": "slow"}, "queries.jsonl:1: unknown mode 'slow'"),
        ({"alt": ["t2"]}, "queries.jsonl:1: expected 'alt'"),
        ({"alt": {"t1": ["t98"]}}, "queries.jsonl:1: the tool 't98' is not in"),
    ],
)
def test_a_bad_goal_is_refused_with_its_place(write: Write, change: dict[str, Any], complaint: str):
    with pytest.raises(QmError) as error:
        tasks_of(write, QUERY | change)
    assert complaint in refusal(error)


def test_alternatives_and_near_duplicates_become_one_need(write: Write):
    [task] = tasks_of(write, QUERY | {"gold": ["t1", "t2"], "alt": {"t1": ["t3"]}})
    assert [(need.group, sorted(need.accepted)) for need in task.needs] == [
        ("t1", ["t1", "t3"]),
        ("t3", ["t3"]),
    ]


def test_a_goal_that_nothing_serves_has_no_needs(write: Write):
    [task] = tasks_of(write, QUERY | {"gold": []})
    assert task.needs == ()


def test_a_goal_of_which_something_serves_a_part_only_is_left_out(write: Write):
    lines = (QUERY | {"gold": [], "partly": ["t1"]}, QUERY | {"id": "q2", "partly": ["t2"]})
    assert [task.key for task in tasks_of(write, *lines)] == ["q2"]


def test_of_a_file_of_unserved_goals_those_count_that_nothing_serves(write: Write):
    lines = (
        QUERY,
        QUERY | {"id": "q2", "gold": [], "partly": ["t1"]},
        QUERY | {"id": "q3", "gold": [], "partly": [], "split": "dev"},
        QUERY | {"id": "q4", "gold": [], "split": "test"},
    )
    path = write("nofit.jsonl", lines)
    found = read_unserved(path, tools_of(write), split=None, modes=MODES)
    assert [task.key for task in found] == ["q3", "q4"]
    found = read_unserved(path, tools_of(write), split="dev", modes=MODES)
    assert [task.key for task in found] == ["q3"]


def test_grades_are_those_of_groups_and_what_is_needed_has_the_best(write: Write):
    grades = {"t2": 1, "t3": 2, "of another file": 3}
    [task] = tasks_of(write, QUERY | {"grades": grades})
    assert task.grades == {"t1": 3, "t3": 2}
    [task] = tasks_of(write, QUERY)
    assert task.grades == {}


def test_two_goals_of_one_id_are_two_goals(write: Write):
    assert [task.key for task in tasks_of(write, QUERY, QUERY)] == ["q1", "q1 (2)"]


def test_tasks_of_yaml_name_tools_by_name(write: Write, tmp_path: Path):
    path = tmp_path / "tasks.yaml"
    path.write_text(
        "- goal: what time is it\n  gold_tools: [now]\n  mode: fast\n  notes: easy\n"
        "- goal: write to Ann\n  gold_tools: [mail/send]\n"
    )
    found = read_tasks(path, tools_of(write), split=None, modes=MODES)
    assert [(task.goal, task.mode, task.needs[0].group) for task in found] == [
        ("what time is it", "fast", "t1"),
        ("write to Ann", None, "t3"),
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("goal: x", "tasks.yaml:1: expected a list of tasks"),
        ("- goal: x\n  gold_tools: [send]\n", "tasks.yaml:1: the tool 'send' is not in"),
        ("- goal: [\n", "tasks.yaml:2: not YAML"),
        ("- 5\n", "tasks.yaml:1: expected a task"),
        ("", "tasks.yaml: the file has no goals"),
    ],
)
def test_bad_yaml_is_refused_with_its_place(
    write: Write, tmp_path: Path, text: str, complaint: str
):
    path = tmp_path / "tasks.yaml"
    path.write_text(text)
    with pytest.raises(QmError) as error:
        read_tasks(path, tools_of(write), split=None, modes=MODES)
    assert complaint in refusal(error)
