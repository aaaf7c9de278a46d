"""The converter of mcpproxy-go's golden set, with made-up files of its form."""

from __future__ import annotations

import json
from pathlib import Path

from lab.comparisons.mcpproxy_golden import convert
from quartermaster.core.kinds import TOOL
from quartermaster.eval.gold import read_tasks
from quartermaster.eval.items import read_items

TOOLS = [
    {
        "tool_id": "clock:now",
        "server": "clock",
        "tool": "now",
        "description": "Tells the time.",
        "schema": {"type": "object", "properties": {"zone": {"type": "string"}}},
    },
    {"tool_id": "disk:read", "description": "Reads a file.", "schema": '{"type": "object"}'},
    {"tool_id": "disk:list", "description": "Lists files."},
]
QUERIES = [
    {
        "id": "q-read",
        "query": "show me what a file holds",
        "labels": [
            {"tool_id": "disk:read", "relevance": 2},
            {"tool_id": "disk:list", "relevance": 1},
            {"tool_id": "clock:now", "relevance": 0},
        ],
    }
]


def test_tools_and_graded_answers_become_a_set_that_can_be_read(tmp_path: Path):
    corpus, golden, folder = tmp_path / "corpus.json", tmp_path / "golden.json", tmp_path / "set"
    corpus.write_text(json.dumps({"tools": TOOLS}), encoding="utf-8")
    golden.write_text(json.dumps({"queries": QUERIES}), encoding="utf-8")
    convert(corpus, golden, folder)

    tools = read_items(folder / "tools.jsonl", 100_000, TOOL)
    assert tools.ids == ["clock:now", "disk:read", "disk:list"]
    assert [(tool["origin"], tool["name"]) for tool in tools.definitions] == [
        ("clock", "now"),
        ("disk", "read"),
        ("disk", "list"),
    ]
    assert tools.definitions[0]["input_schema"] == TOOLS[0]["schema"]
    assert tools.definitions[1]["input_schema"] == {"type": "object"}

    [task] = read_tasks(folder / "queries.jsonl", tools, split="test", modes=["balanced"])
    assert task.goal == "show me what a file holds"
    assert {need.group for need in task.needs} == {"disk:read", "disk:list"}
