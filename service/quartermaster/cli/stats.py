"""``qm stats``: shows statistics on calls, selections and lookups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from quartermaster import api
from quartermaster.cli.command import Command, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Per, Since, Until
from quartermaster.cli.output import Columns
from quartermaster.cli.session import Row
from quartermaster.core.kinds import TOOL

EMPTY_NOTE: Final = "Nothing was recorded in this period. Statistics may be a few minutes old."
"""The text that is printed instead of an empty table."""
_CALLS: Final[Columns] = (
    "calls",
    ("success", "{success_rate:.1%}"),
    ("p50 ms", "{p50_ms:.1f}"),
    ("p95 ms", "{p95_ms:.1f}"),
    ("result kB", lambda row: round(row["result_bytes"] / 1000)),
    (
        "failed",
        lambda row: ", ".join(
            f"{name} {calls}" for name, calls in sorted(row["outcomes"].items()) if name != "ok"
        ),
    ),
)
_SELECTIONS: Final[Columns] = (
    "selections",
    "empty",
    ("tokens sent", "{tokens_sent:,}"),
    ("full lists", "{tokens_full:,}"),
    ("saved", lambda row: "" if row["spared"] is None else f"{row['spared']:.1%}"),
    ("p95 ms", "{p95_ms:.1f}"),
)

noun = Noun("Show statistics on calls, selections and lookups.")


@dataclass
class Period:
    """The period to report, and the intervals into which it is divided."""

    since: Since = None
    until: Until = None
    per: Per = None


@noun.verb()
def calls_command(
    qm: Qm,
    period: Period,
    by: Annotated[
        Literal["tool", "card", "origin", "principal"],
        "Group rows by tool, card of any kind, origin or principal.",
    ] = "tool",
) -> Sequence[Row]:
    """Show the number of calls, how long they took, and how they failed."""
    asked = {"subject": "card", "kinds": [TOOL]} if by == "tool" else {"subject": by}
    rows = qm.read(api.list_call_statistics(**asked, **vars(period)))
    return shown(qm, rows, by, period, _CALLS)


@noun.verb()
def selections_command(
    qm: Qm,
    period: Period,
    by: Annotated[Literal["mode", "principal"], "Group rows by mode or principal."] = "mode",
) -> Sequence[Row]:
    """Show how many tokens the results of searches needed, and how many tokens the full tool lists
    would have needed.
    """
    rows = qm.read(api.list_selection_statistics(subject=by, **vars(period)))
    return shown(qm, rows, by, period, _SELECTIONS)


def shown(
    qm: Command, rows: Sequence[Row], by: str, period: Period, columns: Columns
) -> Sequence[Row]:
    """Prints statistics, and returns them. If there are several periods, each row shows its
    period.
    """
    period_of: Columns = [(period.per, "period")] if period.per else []
    name: Columns = [(by, lambda row: row["name"] or "(all)")]
    return qm.table(rows, [*name, *period_of, *columns], empty=EMPTY_NOTE)
