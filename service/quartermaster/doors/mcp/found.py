"""The answer to a search: one line per tool for the model, and all scores for programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import mcp_types as types

from quartermaster.calls.replies import text_result
from quartermaster.doors.mcp.definitions import Row, found_tool
from quartermaster.doors.mcp.signature import signature

_NOTHING_FITS: Final = "Nothing here fits this goal. The nearest {what} are below, best first."


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
    if nothing_fits(rows):
        first = (
            f"{_NOTHING_FITS.format(what='tools')} If one of them serves after all, run it with"
            f" call_tool{by}.{also}"
        )
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
        | {key: row[key] for key in ("weak", "unavailable") if row.get(key)}
        for row in rows
    ]
    if not cards:
        return text_result(f"No card was found for: {_shortened(goal)}", {"cards": []})
    first = f"Cards found: {len(cards)}, best first."
    if nothing_fits(rows):
        first = _NOTHING_FITS.format(what="cards")
    lines = [f"{first} Read one with describe_tool (name and kind)."]
    lines += [
        f"{row['rank']}. [{row['kind']}] {row['name']} {row['brief']}{_unavailable(row)}".rstrip()
        for row in rows
    ]
    return text_result("\n".join([*lines, *_remedies(rows)]), {"cards": cards})


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
        "\n".join([*lines, *_remedies(rows)]),
        facts | {"tools": [found_tool(row, full=full) for row in rows]},
    )


def nothing_fits(rows: Sequence[Row]) -> bool:
    """Tells whether every result is a weak match.

    Args:
        rows: rows from api.search_tools or api.search_cards, one or more.
    """
    return all(row.get("weak") for row in rows)


def _unavailable(row: Row) -> str:
    unavailable: Row | None = row.get("unavailable")
    if unavailable is None:
        return ""
    until = unavailable.get("until")
    when = f" until {datetime.fromisoformat(until).astimezone(UTC):%H:%M:%S} UTC" if until else ""
    return f" [cannot be called{when}: {unavailable['reason']}]"


def _remedies(rows: Sequence[Row]) -> list[str]:
    """What to do about the results that cannot be called, each remedy once."""
    return list(dict.fromkeys(row["unavailable"]["remedy"] for row in rows if row["unavailable"]))


def _shortened(goal: str, longest: int = 100) -> str:
    return goal if len(goal) <= longest else goal[: longest - 1] + "…"
