"""``qm eval fit``: learns the weights of the score from queries with known answers."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import Annotated

import anyio
import typer

from quartermaster.cli.eval.databases import Learning, LearningSplit, Measurement, Sets
from quartermaster.cli.noun import Noun
from quartermaster.cli.progress import Progress
from quartermaster.cli.session import Row

noun = Noun()


@noun.verb()
def fit_command(
    qm: Measurement,
    learning: Learning,
    sets: Sets,
    split: LearningSplit = "dev",
    mode: Annotated[str, typer.Option(help="Mode whose candidates are learned from.")] = "thorough",
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of queries of each set.")] = 250,
    penalty: Annotated[float, typer.Option(min=0, help="Penalty on large weights.")] = 0.003,
    fusion: Annotated[
        float, typer.Option(min=0, help="Weight of plain fusion, which suits unknown catalogs.")
    ] = 8.0,
) -> Row:
    """Learn the weights of the score from sets of tools and queries."""
    settings = qm.settings()
    from quartermaster.eval.fitting import fit
    from quartermaster.eval.learning_sets import gather_sets
    from quartermaster.eval.tasks_file import require_mode
    from quartermaster.eval.tuning_sets import read_sets

    modes = list(settings.modes.model_dump())
    require_mode(mode, modes)
    max_tool_bytes = settings.upstream.max_tool_bytes
    read = read_sets(sets, split, limit=limit, modes=modes, max_tool_bytes=max_tool_bytes)
    with ExitStack() as stack:
        _, made = qm.databases(stack, settings, len(read))
        progress = stack.enter_context(Progress())
        run = partial(gather_sets, settings, qm.folder, made, read, mode, progress.update)
        model, examples = anyio.run(run)
    weights = {name: round(weight, 4) for name, weight in fit(examples, penalty, fusion).items()}
    learned = {"model": model, "weights": weights}
    learning.keep(qm, learned, "configure_scoring", kind="tool", **learned)
    rows = [{"feature": name, "weight": f"{value:.3f}"} for name, value in weights.items()]
    qm.table(rows, ("feature", "weight"))
    return learned
