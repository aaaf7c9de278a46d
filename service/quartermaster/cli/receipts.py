"""``qm receipts``: shows what was searched for, what was offered, and what came of it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Annotated, Any, Final, Literal

from typer import Option

from quartermaster import api
from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import Columns
from quartermaster.cli.session import Row
from quartermaster.core.api_call import without_none
from quartermaster.core.kinds import TOOL
from quartermaster.core.moments import parse_moment

_SEARCH: Final = ("kind", "origin", "mode", "door", "request_id")

noun = Noun("Show the receipts (records) of searches: what was asked, offered and called.")


@dataclass
class ReceiptFilters:
    """The searches to list."""

    by: Annotated[str | None, "Only searches by this principal."] = None
    tool: Annotated[str | None, "Only searches that returned this tool (or other card)."] = None
    origin: Annotated[str | None, "Only searches that returned something of this origin."] = None
    kind: Annotated[str | None, "Only searches for this kind of card, such as tool."] = None
    outcome: Annotated[
        Literal["ok", "failed", "pending", "not_called"] | None,
        "Only searches after which a result was called with this outcome, or not called.",
    ] = None
    nothing_fitted: Annotated[bool, "Only searches that found nothing that fits the goal."] = False
    since: Annotated[
        datetime | None,
        "Only searches since this time, such as 2026-08-01T12:00Z, or 12h for twelve hours ago.",
        Option(parser=parse_moment, metavar="TIME"),
    ] = None

    def typed(self) -> list[str]:
        """Returns the options as a person types them."""
        words: list[str] = []
        for each in fields(self):
            value = getattr(self, each.name)
            if value not in (None, False):
                words.append(f"--{each.name.replace('_', '-')}")
                words += [] if value is True else [_word(value)]
        return words


@noun.verb()
def list_command(
    qm: Qm,
    filters: ReceiptFilters,
    limit: Annotated[int, "Maximum number of rows.", Option(min=1, max=1000)] = 50,
    before: Annotated[
        int | None, "Only receipts that are listed after the receipt with this number."
    ] = None,
) -> Sequence[Row]:
    """List the receipts, newest first.

    You see your own receipts; administrators see all receipts. Principals and kinds are shown if
    they differ.
    """
    asked = without_none(
        by_principal=filters.by,
        of_card=filters.tool,
        of_origin=filters.origin,
        of_kind=filters.kind,
        of_outcome=filters.outcome,
        nothing_fitted=filters.nothing_fitted or None,
        since=filters.since,
        before_id=before,
    )
    rows = qm.read(api.list_receipts(limit_to=limit, **asked))
    by: Columns = [("by", "principal")] if len({row["principal"] for row in rows}) > 1 else []
    kind: Columns = ["kind"] if len({row["kind"] for row in rows}) > 1 else []
    columns: Columns = (
        "receipt",
        "at",
        *by,
        *kind,
        ("outcome", _outcome),
        ("card", "first"),
        ("goal", lambda row: "(not stored)" if row["goal"] is None else row["goal"]),
    )
    empty = "No such searches are recorded." if asked else "No searches are recorded yet."
    qm.table(rows, columns, empty=empty)
    if len(rows) == limit:
        words = [*filters.typed(), "--limit", str(limit), "--before", str(rows[-1]["receipt"])]
        qm.note(f"Older receipts: qm receipts list {shlex.join(words)}")
    return rows


@noun.verb()
def show_command(
    qm: Qm, number: Annotated[int, "Number of the receipt; see qm receipts list."]
) -> Row:
    """Show one search: what was asked, offered, withheld and called, and how it went."""
    parts: dict[str, list[Row]] = {"asked": [], "offered": [], "withheld": [], "called": []}
    for row in qm.read(api.show_receipt(receipt=number)):
        parts[row["part"]].append(row)
    [asked] = parts.pop("asked")
    detail: dict[str, Any] = asked["detail"]
    facts = {
        "goal": asked["text"] or "(not stored)",
        "by": asked["name"],
        "at": asked["at"],
        **{name: detail.get(name) for name in _SEARCH},
        "duration": f"{asked['duration_ms']:.1f} ms",
    }
    qm.facts("receipt", str(number), facts)
    offered: Columns = ("rank", ("name", _name), ("score", _score), ("note", "text"))
    qm.table(parts["offered"], offered, title="Offered", empty="Nothing was offered.")
    if parts["withheld"]:
        qm.table(parts["withheld"], [("why", _why)], title="Withheld")
        if detail["kind"] == TOOL:
            qm.say('Why one of them was not offered: qm tool why "GOAL" TOOL')
    called: Columns = (
        "at",
        ("name", _name),
        "outcome",
        ("ms", lambda row: "" if row["duration_ms"] is None else f"{row['duration_ms']:.0f}"),
        ("note", "text"),
    )
    qm.table(parts["called"], called, title="Called", empty="Nothing was called afterwards.")
    return {
        "receipt": number,
        "goal": asked["text"],
        "principal": asked["name"],
        "at": asked["at"],
        "duration_ms": asked["duration_ms"],
        **detail,
        **{part: [_filled(row) for row in rows] for part, rows in parts.items()},
    }


def _word(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _outcome(row: Row) -> str:
    if row["fitted"]:
        return row["outcome"].replace("_", " ")
    return "nothing fitted" if row["calls"] == 0 else f"{row['outcome']}, nothing fitted"


def _name(row: Row) -> str:
    return row["name"] or "-"


def _score(row: Row) -> str:
    return "" if row["score"] is None else f"{row['score']:.3f}"


def _why(row: Row) -> str:
    return row["text"] if row["name"] is None else f"{row['name']}: {row['text']}"


def _filled(row: Row) -> Row:
    """Returns the columns that say something about this part."""
    return {name: value for name, value in row.items() if name != "part" and value is not None}
