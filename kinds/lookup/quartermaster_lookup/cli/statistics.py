"""``qm stats lookups``: shows statistics on the queries to lookup tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import Column, Columns, out
from quartermaster.cli.session import Row
from quartermaster.cli.stats import EMPTY_NOTE, Period, shown
from quartermaster_lookup import api

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

noun = Noun()


@noun.verb()
def lookups_command(
    qm: Qm,
    period: Period,
    shadow: Annotated[
        bool,
        "Instead, compare the answers of shadows (trials of other settings) with the real answers.",
    ] = False,
) -> Sequence[Row] | Row:
    """Show statistics on the queries to lookup tables, and the last evaluation of each table."""
    if shadow:
        shadows = qm.call(api.compare_lookup_shadow(since=period.since, until=period.until))
        return qm.table(shadows, _SHADOWS, empty=EMPTY_NOTE)
    queries = qm.read(api.list_lookup_statistics(**vars(period)))
    evaluations = qm.read(api.list_lookup_evaluations(maximum=20))
    shown(qm, queries, "table", period, _QUERIES)
    if evaluations and not qm.json:
        out.print()
    qm.table(evaluations, _EVALUATIONS)
    return {"queries": queries, "evaluations": evaluations}
