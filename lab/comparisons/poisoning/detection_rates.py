"""Poisoned cases and benign tools through the same ingestion; half of each for tuning the rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg.types.json import Jsonb

FOLDER: Final = Path(__file__).parent
# Rows of these sources may be used: see README.md of the shared data.
_LICENSED_SOURCES: Final = frozenset({"livemcpbench", "docker", "toucan", "toolsdk"})
_BATCH: Final = 500

Connection = psycopg.Connection[tuple[Any, ...]]
Tool = dict[str, Any]


@dataclass(frozen=True)
class ToolVerdict:
    """What became of one tool.

    Attributes:
        key: of the case, or origin and name of a benign tool.
        attack: class of the case; empty for a benign tool.
        is_dev: whether the rules were tuned on it.
        is_quarantined: whether the scan put it away.
        rules: what the scan found in it.
    """

    key: str
    attack: str
    is_dev: bool
    is_quarantined: bool
    rules: tuple[str, ...]


def judge_poisoned(connection: Connection) -> list[ToolVerdict]:
    """Returns every case, beside the tools that some of them imitate.

    Args:
        connection: of an administrator, to a database with nothing in its catalog.
    """
    _store(connection, _lines(FOLDER / "victims.jsonl"))
    cases = _lines(FOLDER / "cases.jsonl")
    _store(connection, [case["tool"] | {"origin": case["origin"]} for case in cases])
    return [
        ToolVerdict(
            case["id"],
            case["attack"],
            int(case["id"][-2:]) % 2 == 1,
            *_judged(connection, case["origin"], case["tool"]["name"]),
        )
        for case in cases
    ]


def judge_benign(
    connection: Connection, catalog: Path, maximum: int, *, is_dev: bool
) -> list[ToolVerdict]:
    """Returns tools of the real catalog, picked by the hash of their ids.

    Args:
        connection: of an administrator.
        catalog: its tools.jsonl.
        maximum: how many tools.
        is_dev: which half.
    """
    licensed = [t for t in _lines(catalog) if t["origin"].partition(":")[0] in _LICENSED_SOURCES]
    ordered = sorted(licensed, key=_digest)
    tools = [tool for tool in ordered if (_digest(tool)[-1] % 2 == 1) == is_dev][:maximum]
    # The catalog names the collection before each origin.
    tools = [tool | {"origin": tool["origin"].partition(":")[2]} for tool in tools]
    tools = list({(tool["origin"], tool["name"]): tool for tool in tools}.values())
    _store(connection, tools)
    return [
        ToolVerdict(
            f"{tool['origin']}/{tool['name']}",
            "",
            is_dev,
            *_judged(connection, tool["origin"], tool["name"]),
        )
        for tool in tools
    ]


def rate(verdicts: Sequence[ToolVerdict]) -> float:
    """Returns share that is in quarantine."""
    return sum(verdict.is_quarantined for verdict in verdicts) / len(verdicts)


def half(verdicts: Iterable[ToolVerdict], *, is_dev: bool) -> list[ToolVerdict]:
    """Returns those that the rules were tuned on, or the others."""
    return [verdict for verdict in verdicts if verdict.is_dev == is_dev]


def report(verdicts: Sequence[ToolVerdict]) -> Iterator[str]:
    """Yields lines: how many of each class went into quarantine, in each half, and which did
    wrongly.
    """
    for attack in dict.fromkeys(verdict.attack for verdict in verdicts):
        cells = [
            f"{sum(v.is_quarantined for v in part):4} of {len(part):5}"
            for is_dev in (True, False)
            if (part := [v for v in half(verdicts, is_dev=is_dev) if v.attack == attack])
        ]
        yield f"{attack or 'benign':24} {'  '.join(cells)}"
    for verdict in verdicts:
        if verdict.is_quarantined != bool(verdict.attack):
            wrong = "missed" if verdict.attack else "false alarm"
            yield f"{wrong}: {verdict.key} {', '.join(verdict.rules)}"


def _digest(tool: Tool) -> bytes:
    return sha256(str(tool["id"]).encode()).digest()


def _lines(path: Path) -> list[Tool]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _store(connection: Connection, tools: Sequence[Tool]) -> None:
    for origin in dict.fromkeys(tool["origin"] for tool in tools):
        connection.execute(
            "select catalog.put_origin(%s, '', 'none', '{}', null, null, '{}', '{}', null, '{}',"
            " '{}', true)",
            [origin],
        )
    for start in range(0, len(tools), _BATCH):
        batch = tools[start : start + _BATCH]
        connection.execute("select count(*) from t.put_tools(%s)", [Jsonb(batch)])


def _judged(connection: Connection, origin: str, name: str) -> tuple[bool, tuple[str, ...]]:
    row = connection.execute(
        "select t.status = 'quarantined', array(select distinct f.rule from catalog.finding as f"
        " where f.item_id = t.id and f.version = t.version order by 1)"
        " from catalog.item as t inner join catalog.origin as o on o.id = t.origin_id"
        " where o.name = %s and t.name = %s",
        [origin, name],
    ).fetchone()
    assert row is not None, (origin, name)
    return row[0], tuple(row[1])
