"""``qm eval calibrate``: learns the probability that a result is right."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import anyio
from typer import Option

from quartermaster.cli.eval.databases import Kind, Learning, LearningSplit, Measurement, Sets
from quartermaster.cli.noun import Noun
from quartermaster.cli.session import Row
from quartermaster.core.kinds import TOOL

noun = Noun()


@noun.verb()
def calibrate_command(
    qm: Measurement,
    learning: Learning,
    sets: Sets,
    split: LearningSplit = "dev",
    mode: Annotated[str, "Learn from the candidates that this search mode finds."] = "balanced",
    limit: Annotated[int, "Maximum number of queries from each set.", Option(min=1)] = 250,
    weights: Annotated[
        Path | None, "File with weights from qm eval fit; default: the built-in weights."
    ] = None,
    unserved: Annotated[
        float, "Weight of a query that no card fits; other queries have weight 1.", Option(min=0.01)
    ] = 0.2,
    kind: Kind = TOOL,
) -> Row:
    """From sets of tools and queries, learn how to estimate the probability that a result is
    right.
    """
    settings = qm.settings()
    from quartermaster.eval.calibration import calibrate
    from quartermaster.eval.gold import require_mode
    from quartermaster.eval.holding_out import gather_lists
    from quartermaster.eval.running import read_sets
    from quartermaster.eval.weights_file import read_weights

    require_mode(mode, settings.modes.model_dump())
    read = read_sets(settings, sets, split, limit=limit, kind=kind)
    used = None
    if weights is not None:
        # The probability is learned again.
        used = weights, read_weights(weights).model_copy(update={"confidence": None})
    with qm.bench(settings, len(read)) as bench:
        model, lists = anyio.run(gather_lists, bench, read, mode, used)
    found = calibrate(lists, unserved)
    learned: Row = {"model": model} if used is None else used[1].model_dump(exclude_none=True)
    learned["confidence"] = {name: round(one, 4) for name, one in found.confidence.items()}
    learning.keep(qm, learned, "configure_scoring", kind=kind, **learned)
    figures = {"floor": found.floor, "said": found.said, "ece": found.error, "brier": found.skill}
    shown = found.confidence | {f"({name})": one for name, one in figures.items()}
    qm.table(
        [{"name": name, "value": f"{one:.3f}"} for name, one in shown.items()], ("name", "value")
    )
    return learned | {"held_out": {name: round(one, 4) for name, one in figures.items()}}
