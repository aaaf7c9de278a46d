"""``qm stats``: shows statistics on calls, selections and lookups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from quartermaster.cli.command import Command, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Per, Since, Until
from quartermaster.cli.output import Column, Columns, out
from quartermaster.cli.session import Row
from quartermaster.core.kinds import TOOL

_EMPTY: Final = "Nothing was recorded in this period. Statistics may be up to a minute old."
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
_QUERIES: Final[Columns] = (
    "queries",
    ("p50 ms", "{p50_ms:.1f}"),
    ("p95 ms", "{p95_ms:.1f}"),
    ("cached", "{cached:.1%}"),
    ("empty", "{empty:.1%}"),
    ("matched", "{matched:.1%}"),
    ("refused", "{failed:.1%}"),
)
_SHADOWS: Final[Columns] = (
    ("table", "name"),
    "queries",
    ("same", "{same:.1%}"),
    ("other", "{other:.1%}"),
    ("lost", "{lost:.1%}"),
    ("gained", "{gained:.1%}"),
    ("matched", "{matched:.1%} to {shadow_matched:.1%}"),
    ("p95 ms", "{p95_ms:.1f} to {shadow_p95_ms:.1f}"),
)


def _figure(name: str, form: str = ".3f") -> Column:
    return lambda row: "" if row[name] is None else format(row[name], form)


_EVALUATIONS: Final[Columns] = (
    ("table", "name"),
    ("measured", "at"),
    "pairs",
    ("R@1", _figure("recall_1")),
    ("R@5", _figure("recall_5")),
    ("MRR", _figure("mrr")),
    ("nDCG", _figure("ndcg")),
    ("silence", _figure("silence")),
    ("R@5 since", _figure("recall_5_change", "+.3f")),
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
) -> list[Row]:
    """Show the number of calls, how long they took, and how they failed."""
    asked = {"subject": "card", "kinds": [TOOL]} if by == "tool" else {"subject": by}
    rows = qm.read("list_call_statistics", **asked, **vars(period))
    return _shown(qm, rows, by, period, _CALLS)


@noun.verb()
def selections_command(
    qm: Qm,
    period: Period,
    by: Annotated[Literal["mode", "principal"], "Group rows by mode or principal."] = "mode",
) -> list[Row]:
    """Show how many tokens the results of searches needed, and how many tokens the full tool lists
    would have needed.
    """
    rows = qm.read("list_selection_statistics", subject=by, **vars(period))
    return _shown(qm, rows, by, period, _SELECTIONS)


@noun.verb()
def lookups_command(
    qm: Qm,
    period: Period,
    shadow: Annotated[
        bool,
        "Instead, compare the answers of shadows (trials of other settings) with the real answers.",
    ] = False,
) -> list[Row] | Row:
    """Show statistics on the queries to lookup tables, and the last evaluation of each table."""
    if shadow:
        shadows = qm.call("compare_lookup_shadow", since=period.since, until=period.until)
        return qm.table(shadows, _SHADOWS, empty=_EMPTY)
    queries = qm.read("list_lookup_statistics", **vars(period))
    evaluations = qm.read("list_lookup_evaluations", maximum=20)
    _shown(qm, queries, "table", period, _QUERIES)
    if evaluations and not qm.json:
        out.print()
    qm.table(evaluations, _EVALUATIONS)
    return {"queries": queries, "evaluations": evaluations}


def _shown(qm: Command, rows: list[Row], by: str, period: Period, columns: Columns) -> list[Row]:
    period_of: Columns = [(period.per, "period")] if period.per else []
    name: Columns = [(by, lambda row: row["name"] or "(all)")]
    return qm.table(rows, [*name, *period_of, *columns], empty=_EMPTY)
