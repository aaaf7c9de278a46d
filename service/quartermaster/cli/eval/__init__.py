"""``qm eval``: measures search quality, and stores and compares the results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import anyio
from typer import Option

from quartermaster import api
from quartermaster.cli.command import Qm
from quartermaster.cli.eval import evaluation_tables, export, guardrails, learning
from quartermaster.cli.eval.databases import Kind, Measurement, Sets
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Limit
from quartermaster.cli.session import Row, open_session
from quartermaster.core.errors import QmError
from quartermaster.core.kinds import TOOL

if TYPE_CHECKING:
    from quartermaster.eval.running import EvaluationResult

noun = Noun("Measure and improve search quality, using queries with known answers.")


@noun.verb()
def run_command(
    qm: Measurement,
    sets: Sets,
    split: Annotated[
        str | None, "Only queries that belong to this split (train, dev or test) or to no split."
    ] = None,
    mode: Annotated[str, "Mode: fast, balanced or thorough."] = "balanced",
    ablate: Annotated[
        bool,
        "Also measure how much each part of the search matters, by switching off one part at a"
        " time.",
    ] = False,
    weights: Annotated[
        Path | None,
        "File with weights from qm eval fit or qm eval calibrate; default: the built-in weights.",
    ] = None,
    limit: Annotated[
        int | None,
        "Use only this many queries of each set; the same queries are used every time.",
        Option(min=1),
    ] = None,
    kind: Kind = TOOL,
    name: Annotated[str | None, "Label for the stored result."] = None,
    save_to: Annotated[
        str | None, "Database in which to store the result.", Option(metavar="DSN")
    ] = None,
    goals: Annotated[
        Path | None, "Write the results of each query to this file (JSON Lines)."
    ] = None,
) -> Row:
    """Measure search quality for sets of tools and queries, each in a temporary database."""
    settings = qm.settings()
    from quartermaster.eval.gold import require_mode
    from quartermaster.eval.running import EvaluationPlan, evaluate, read_gold
    from quartermaster.eval.weights_file import read_weights

    require_mode(mode, settings.modes.model_dump())
    read = read_gold(settings, sets, split, limit=limit, kind=kind)
    learned = (weights, read_weights(weights)) if weights is not None else None
    plan = EvaluationPlan(read, mode, split, ablate, learned)
    with qm.bench(settings, len(read)) as bench:
        outcome = anyio.run(evaluate, bench, plan)
    if goals is not None:
        lines = (json.dumps(goal, ensure_ascii=False) for goal in outcome.goals())
        goals.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    evaluation_tables.print_rejected(outcome.rejected)
    keep = save_to or bench.keeps
    retained, reason = _stored(outcome, name or ", ".join(gold.name for gold in read), keep)
    if not qm.json:
        evaluation_tables.print_outcome(outcome)
        evaluation_tables.print_stored(retained, reason, is_lost=keep is None)
    if reason is not None and save_to is not None:
        qm.answer({**outcome.as_dict(), "kept": retained})
        raise reason
    return {**outcome.as_dict(), "kept": retained}


noun.include(learning.noun, guardrails.noun)


@noun.verb()
def list_command(qm: Qm, limit: Limit = 20) -> Sequence[Row]:
    """List the stored results, newest first."""
    return qm.table(qm.read(api.list_evaluations(maximum=limit)), evaluation_tables.LISTED_COLUMNS)


@noun.verb()
def compare_command(
    qm: Qm,
    first: Annotated[int, "Id of a stored result."],
    second: Annotated[int, "Id of another result for the same queries."],
) -> Sequence[Row]:
    """Compare two stored results, with 95% confidence intervals for the differences."""
    rows = qm.call(api.compare_evaluations(evaluation_a=first, evaluation_b=second))
    return qm.table(rows, evaluation_tables.compared(first, second))


noun.include(export.noun)


def _stored(
    outcome: EvaluationResult, label: str, dsn: str | None
) -> tuple[int | None, QmError | None]:
    """Returns the id of the stored result, or the reason why it was not stored."""
    if dsn is None:
        return None, None
    try:
        with open_session(None, dsn) as session:
            return int(session.call_value(api.store_evaluation(**outcome.as_stored(label)))), None
    except QmError as error:
        return None, error
