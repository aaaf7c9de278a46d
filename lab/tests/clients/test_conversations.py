"""What real clients answered is read as it was meant; the clients themselves are not run here."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from lab.clients import others
from lab.clients.conversations import UNKNOWN_TOOL, Found, Way, known, read_ours, worded
from lab.clients.desks import Desk, read_desk, serving
from lab.clients.measuring import Key, Measured
from lab.clients.table import table
from tests.clients.programs import Address

SUBJECTS = ("weather", "invoice", "ticket", "picture")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Holds a desk of two servers; nothing serves its last goal."""
    place = tmp_path / "dev9"
    place.mkdir()
    tools = [
        {
            "id": f"{verb} {subject}",
            "origin": f"toucan:cf_1.@Some_{verb}-mcp",
            "name": f"{verb}_{subject}",
            "description": f"Use it to {verb} one {subject}.",
            "input_schema": {"type": "object"},
        }
        for subject in SUBJECTS
        for verb in ("create", "remove")
    ]
    goals = [
        {"id": one["name"], "query": one["id"], "gold": [one["id"]], "split": "dev"}
        for one in tools
    ]
    nofit: list[dict[str, Any]] = [
        {"id": "none", "query": "fly", "gold": [], "partly": [], "split": "dev"},
        {"id": "part", "query": "ring", "gold": [], "partly": ["create ticket"], "split": "dev"},
    ]
    for name, rows in {"tools": tools, "queries": goals, "nofit": nofit}.items():
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (place / f"{name}.jsonl").write_text(text)
    return tmp_path


@pytest.fixture
def desk(folder: Path) -> Desk:
    return read_desk("dev9", folder)


def _same(desk: Desk, _name: str) -> Desk:
    return desk


def test_a_goal_counts_unless_a_tool_does_a_part_of_it(desk: Desk) -> None:
    assert [task.key for task in desk.tasks if not task.needs] == ["none"]
    assert len(desk.tasks) == 2 * len(SUBJECTS) + 1
    assert list(desk.servers) == ["some-create-mcp", "some-remove-mcp"]


def test_a_tool_is_known_by_each_spelling_of_its_name(desk: Desk) -> None:
    spellings = [
        "mcp__some-create-mcp__create_ticket",
        "mcp__some_create_mcp.create_ticket",
        "mcp__qm__some-create-mcp__create_ticket",
        "mcp_other_thing",
        "Monitor",
    ]
    [shortened] = [key for key, one in desk.ids.items() if one == "create ticket" and len(key) == 8]

    found = known([*spellings, f"mcp__qm__some-crea_{shortened}"], desk.ids, ("mcp", "mcpqm"))

    assert found == [*["create ticket"] * 3, f"{UNKNOWN_TOOL}mcpotherthing", "create ticket"]


def test_both_forms_of_our_answer_say_the_same(desk: Desk) -> None:
    tools = [{"name": "some-create-mcp__create_ticket", "weak": True}, {"name": "a__b"}]
    structured = f"Output:\n{json.dumps({'receipt': 1, 'tools': tools}, separators=(',', ':'))}"
    text = "Tools found: 2, best first.\n1. some-create-mcp__create_ticket(a?) It\n2. a__b() Thus"

    assert read_ours(structured, desk.ids) == Found(("create ticket", f"{UNKNOWN_TOOL}ab"), False)
    assert read_ours(text, desk.ids) == read_ours(structured, desk.ids)


@pytest.mark.parametrize(
    "answer",
    [
        '{"receipt":1,"tools":[]}',
        "No tool was found for: fly",
        "No tools fit this goal. The nearest tools are below, best first.",
    ],
)
def test_an_answer_that_nothing_fits_is_recognised(answer: str) -> None:
    assert read_ours(answer, {}).says_nothing


def test_what_is_no_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="no answer of search_tools"):
        read_ours("the connection was closed", {})


def test_a_query_of_keywords_has_no_stop_words() -> None:
    assert worded("open the ticket, and close it", "keywords") == "open ticket close"
    assert worded("is it", "keywords") == "is it"


def test_served_tools_are_listed_and_searched_by_fastmcp(desk: Desk) -> None:
    async def ask() -> others.Answers:
        with serving(desk.servers) as urls:
            servers = {name: Address(url) for name, url in urls.items()}
            listed = await others.list_all(servers)
        _, found = await others.search_fastmcp(desk, listed.tools)
        return found

    found = anyio.run(ask)

    assert found["create_ticket", "goal"].ids[0] == "create ticket"
    assert found["none", "goal"].says_nothing


def test_the_table_compares_with_the_servers_themselves(
    folder: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lab.clients.table.read_desk", partial(_same, desk))
    wrong = Found((UNKNOWN_TOOL,), False)
    ways: dict[Way, bool] = {"direct": False, "search": True}
    for way, is_right in ways.items():
        found = {
            (task.key, "goal"): Found((task.goal,), not task.needs) if is_right else wrong
            for task in desk.tasks
        }
        Measured(100, "loaded", found).write(Key("codex", way, "dev9").file(folder))

    *_, direct, search = table(folder, ("dev9",), ("codex",)).splitlines()

    assert "| (a) direct | goal | 0.000 | 0.000 | 0 of 1 |" in direct
    assert "| (c) search | goal | 1.000 | 1.000 | 1 of 1 |" in search
    assert search.endswith("| +1.000 (+1.000 to +1.000) | +1.000 (+1.000 to +1.000) |")
