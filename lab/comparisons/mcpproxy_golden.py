"""Turns mcpproxy-go's golden set (MIT) into a set of ours.

`python -m lab.comparisons.mcpproxy_golden` does it. Its folder named `mcpproxy-golden`, `python -m
lab.comparisons --folder PARENT --sets mcpproxy-golden` prints its Recall@5 beside the published
one.

Its files are `specs/065-evaluation-foundation/datasets/retrieval_golden_v1.json` and
`specs/083-discovery-profiler/datasets/corpus_v2.tools.json` of that repository. Every tool with a
relevance of 1 or 2 counts as needed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def convert(corpus: Path, golden: Path, folder: Path) -> None:
    """Writes tools.jsonl and queries.jsonl.

    Args:
        corpus: tools with schemas.
        golden: queries with graded answers.
        folder: for both files.
    """
    tools: list[dict[str, Any]] = json.loads(corpus.read_text(encoding="utf-8"))["tools"]
    queries: list[dict[str, Any]] = json.loads(golden.read_text(encoding="utf-8"))["queries"]
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "tools.jsonl", map(_tool, tools))
    _write(
        folder / "queries.jsonl",
        (
            {
                "id": query["id"],
                "query": query["query"],
                "gold": [one["tool_id"] for one in query["labels"] if one["relevance"] > 0],
                "split": "test",
            }
            for query in queries
        ),
    )


def _tool(tool: dict[str, Any]) -> dict[str, Any]:
    key = str(tool["tool_id"])
    origin, _, name = key.partition(":")
    schema: Any = tool.get("schema")
    parsed = json.loads(schema) if isinstance(schema, str) else schema
    shown = {"id": key, "origin": origin, "name": name, "description": tool.get("description", "")}
    return shown | ({"input_schema": parsed} if parsed else {})


def _write(path: Path, entries: Iterable[dict[str, Any]]) -> None:
    text = "".join(json.dumps(entry) + "\n" for entry in entries)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for argument in ("corpus", "golden", "folder"):
        parser.add_argument(argument, type=Path)
    options = parser.parse_args()
    convert(options.corpus, options.golden, options.folder)
