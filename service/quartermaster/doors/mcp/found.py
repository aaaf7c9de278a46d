"""The answer to a search: one line per tool for the model, and all scores for programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import mcp_types as types

from quartermaster.calls.replies import text_result
from quartermaster.doors.mcp.definitions import Row, found_tool
from quartermaster.doors.mcp.signature import signature


def search_reply(
    goal: str,
    rows: Sequence[Row],
    receipt: int | None,
    *,
    full: bool,
    listed: bool,
    arrivals: Row | None = None,
) -> types.CallToolResult:
    """Lists the tools found, best first: one line per tool for the model, and all scores for
    programs.

    Args:
        goal: goal of the search.
        rows: rows from api.search_tools.
        receipt: receipt of the search.
        full: whether the structured answer contains complete definitions.
        listed: whether the tools are now part of the client's own list.
        arrivals: counts from api.count_arrivals if nothing was found; None if they were not
            requested.
    """
    also = " They are in your tool list now, too." if listed else ""
    # Without the database, there is no receipt.
    by = f", receipt {receipt}" if receipt is not None else ""
    first = f"Tools found: {len(rows)}, best first. Run one with call_tool{by}.{also}"
    facts: dict[str, Any] = {"receipt": receipt}
    if arrivals and arrivals["hint"]:
        facts["onTheirWay"] = {"installing": arrivals["installing"], "listing": arrivals["listing"]}
    hint = arrivals["hint"] if arrivals else None
    return _found_reply(goal, first, rows, facts, full=full, hint=hint)


def cards_reply(goal: str, rows: Sequence[Row]) -> types.CallToolResult:
    """Lists cards of several kinds, best first.

    Args:
        goal: goal of the search.
        rows: rows from api.search_cards.
    """
    cards = [
        {key: row[key] for key in ("rank", "kind", "name", "origin", "brief", "score", "receipt")}
        for row in rows
    ]
    if not cards:
        return text_result(f"No card was found for: {_shortened(goal)}", {"cards": []})
    lines = [f"Cards found: {len(cards)}, best first. Read one with describe_tool (name and kind)."]
    lines += [f"{c['rank']}. [{c['kind']}] {c['name']} {c['brief']}".rstrip() for c in cards]
    return text_result("\n".join(lines), {"cards": cards})


def past_reply(
    goal: str, rows: Sequence[Row], as_of: datetime, *, full: bool
) -> types.CallToolResult:
    """Lists tools as they were offered at a given time, best first.

    Args:
        goal: goal of the search.
        rows: rows from api.search_tools.
        as_of: time in the past.
        full: whether the structured answer contains complete definitions.
    """
    first = (
        f"Tools found as of {as_of.isoformat()}: {len(rows)}, best first. "
        "call_tool runs today's version."
    )
    return _found_reply(goal, first, rows, {"asOf": as_of.isoformat()}, full=full)


def _found_reply(
    goal: str,
    first: str,
    rows: Sequence[Row],
    facts: dict[str, Any],
    *,
    full: bool,
    hint: str | None = None,
) -> types.CallToolResult:
    if not rows:
        lines = [
            f"No tool was found for: {_shortened(goal)}",
            "Use other words, name the thing to act on, or use mode thorough.",
        ]
        return text_result("\n".join([*lines, hint] if hint else lines), facts | {"tools": []})
    lines = [first]
    for row in rows:
        call = signature(row["name"], row["input_schema"])
        lines.append(f"{row['rank']}. {call} {row['brief']}{_unavailable(row)}".rstrip())
    return text_result(
        "\n".join(lines), facts | {"tools": [found_tool(row, full=full) for row in rows]}
    )


def _unavailable(row: Row) -> str:
    until = row.get("unavailable_until")
    if until is None:
        return ""
    return f" [its server is failing: no calls until {until:%H:%M:%S} UTC]"


def _shortened(goal: str, longest: int = 100) -> str:
    return goal if len(goal) <= longest else goal[: longest - 1] + "…"
