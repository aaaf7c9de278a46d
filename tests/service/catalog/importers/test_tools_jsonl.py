"""Files of tools: every good line counts, whatever the others are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quartermaster.catalog.importers.tools_jsonl import BATCH_TOOLS, ImportProgress, import_tools
from quartermaster.core.errors import QmError

LIMIT = 100_000


class Store:
    """Takes batches as the database would, and remembers them."""

    def __init__(self) -> None:
        self.batches: list[list[dict[str, Any]]] = []

    def __call__(self, batch: list[dict[str, Any]]) -> list[dict[str, Any]]:
        self.batches.append(batch)
        return [{"name": tool["name"], "outcome": "added", "reason": None} for tool in batch]

    @property
    def tools(self) -> list[dict[str, Any]]:
        return [tool for batch in self.batches for tool in batch]


def run(path: Path, store: Store, **options: Any) -> ImportProgress:
    *_, progress = import_tools(path, store, max_tool_bytes=LIMIT, **options)
    return progress


def write(folder: Path, *lines: Any) -> Path:
    path = folder / "tools.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts))
    return path


def test_members_become_columns_and_the_rest_is_kept(tmp_path: Path) -> None:
    store = Store()
    line = {"id": "x/1", "origin": "o", "name": "n", "description": "d", "server_desc": "s"}

    run(write(tmp_path, line | {"also": ["y"], "input_schema": {"type": "object"}}), store)

    assert store.tools == [
        {
            "origin": "o",
            "origin_description": "s",
            "name": "n",
            "description": "d",
            "input_schema": {"type": "object"},
            "extra": {"id": "x/1", "also": ["y"]},
        }
    ]


def test_the_short_form_of_schemas_is_written_out(tmp_path: Path) -> None:
    store = Store()
    types = ["string", "null|string", "str | int", "list[str]", ["string", "null"], None]
    properties = {f"p{i}": {"type": t, "description": "d"} for i, t in enumerate(types[:-1])}
    schema = {"properties": {**properties, "p5": {}}, "required": ["p0"]}

    progress = run(write(tmp_path, {"origin": "o", "name": "n", "input_schema": schema}), store)

    assert progress.problems == []
    assert store.tools[0]["input_schema"] == {
        "type": "object",
        "properties": {
            "p0": {"type": "string", "description": "d"},
            "p1": {"type": ["null", "string"], "description": "d"},
            "p2": {"type": ["string", "integer"], "description": "d"},
            "p3": {"x-type": "list[str]", "description": "d"},
            "p4": {"type": ["string", "null"], "description": "d"},
            "p5": {},
        },
        "required": ["p0"],
    }


def test_bad_lines_are_told_with_their_place_and_stop_nothing(tmp_path: Path) -> None:
    store = Store()
    good = {"origin": "o", "name": "n"}
    path = write(
        tmp_path,
        good,
        "{broken",
        "",
        "[1]",
        {"name": "n"},
        {"origin": "o", "name": ""},
        {**good, "input_schema": {"properties": {"a\0": {}}}},
        {**good, "description": "x" * LIMIT},
        '{"origin": "o", "name": "half \\ud800"}',
        {"origin": "o", "name": "last"},
    )
    path.write_bytes(path.read_bytes() + b'\n{"origin": "\xff"}\n')

    progress = run(path, store)

    assert [tool["name"] for tool in store.tools] == ["n", "last"]
    assert progress.counts == {"added": 2, "rejected": 8}
    assert [problem.removeprefix(f"{path}:")[:36] for problem in progress.problems] == [
        "2: expected property name enclosed i",
        "4: expected an object {origin, name,",
        "5: expected a text in 'origin'",
        "6: expected a text in 'name'",
        "7: the member name 'input_schema/pro",
        "8: the definition has 100,083 bytes,",
        "9: name contains a character that ca",
        "11: byte 13 of the line is not UTF-8",
    ]


def test_only_the_first_problems_are_kept_and_all_are_counted(tmp_path: Path) -> None:
    progress = run(write(tmp_path, *["nonsense"] * 30), Store(), max_problems=3)

    assert (len(progress.problems), progress.counts["rejected"]) == (3, 30)


def test_what_the_database_rejects_is_told_with_its_line(tmp_path: Path) -> None:
    def refuse(batch: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{"name": t["name"], "outcome": "rejected", "reason": "no"} for t in batch]

    path = write(tmp_path, "", {"origin": "o", "name": "n"})
    *_, progress = import_tools(path, refuse, max_tool_bytes=LIMIT)

    assert progress.problems == [f"{path}:2: n: no"]


def test_batches_are_bounded_and_progress_reaches_the_end(tmp_path: Path) -> None:
    store = Store()
    path = write(tmp_path, *[{"origin": "o", "name": f"n{i}"} for i in range(BATCH_TOOLS + 1)])

    seen = [p.bytes_read for p in import_tools(path, store, max_tool_bytes=LIMIT)]

    assert [len(batch) for batch in store.batches] == [BATCH_TOOLS, 1]
    assert seen == sorted(seen)
    assert seen[-1] == path.stat().st_size


def test_an_array_is_read_too(tmp_path: Path) -> None:
    store = Store()
    path = tmp_path / "tools.json"
    path.write_text('\n [{"origin": "o", "name": "a"}, 7, {"origin": "o", "name": "b"}]')

    progress = run(path, store)

    assert [tool["name"] for tool in store.tools] == ["a", "b"]
    assert progress.problems[0].startswith(f"{path}:2: expected an object")


def test_a_broken_array_and_a_missing_file_are_errors(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text("[\n{]")
    with pytest.raises(QmError, match=r"tools.json:2:2: expected property name"):
        run(tmp_path / "tools.json", Store())
    with pytest.raises(QmError, match="file_not_found"):
        run(tmp_path / "none.jsonl", Store())
