"""``qm eval fit``: learns the score weights from queries with known answers."""

from __future__ import annotations

from typing import Annotated

import anyio
from typer import Option

from quartermaster.cli.eval.databases import Kind, Learning, LearningSplit, Measurement, Sets
from quartermaster.cli.noun import Noun
from quartermaster.cli.session import Row
from quartermaster.core.kinds import TOOL

noun = Noun()


@noun.verb()
def fit_command(
    qm: Measurement,
    learning: Learning,
    sets: Sets,
    split: LearningSplit = "dev",
    mode: Annotated[str, Option(help="Mode whose candidates are used for learning.")] = "thorough",
    limit: Annotated[int, Option(min=1, help="Maximum number of queries from each set.")] = 250,
    penalty: Annotated[float, Option(min=0, help="Penalty on large weights.")] = 0.01,
    fusion: Annotated[
        float,
        Option(
            min=0, help="Weight of fusion, which needs no learning; it helps with unknown catalogs."
        ),
    ] = 8.0,
    kind: Kind = TOOL,
) -> Row:
    """Learn the score weights from sets of tools and queries."""
    settings = qm.settings()
    from quartermaster.eval.fitting import fit_cards
    from quartermaster.eval.gold import require_mode
    from quartermaster.eval.running import gather_sets, read_sets

    require_mode(mode, settings.modes.model_dump())
    read = read_sets(settings, sets, split, limit=limit, kind=kind)
    with qm.bench(settings, len(read)) as bench:
        model, examples = anyio.run(gather_sets, bench, read, mode)
    fitted = fit_cards(examples, penalty, fusion)
    weights = {name: round(weight, 4) for name, weight in fitted.items()}
    learned = {"model": model, "weights": weights}
    learning.keep(qm, learned, "configure_scoring", kind=kind, **learned)
    rows = [{"feature": name, "weight": f"{value:.3f}"} for name, value in weights.items()]
    qm.table(rows, ("feature", "weight"))
    return learned
