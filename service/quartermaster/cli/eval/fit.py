"""``qm eval fit``: learns the score weights from queries with known answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import anyio
from typer import Option

from quartermaster.cli.eval.databases import Kind, Learning, LearningSplit, Measurement, Sets
from quartermaster.cli.noun import Noun
from quartermaster.cli.session import Row
from quartermaster.core.kinds import TOOL

if TYPE_CHECKING:
    from quartermaster.eval.examples import Weights

noun = Noun()


@noun.verb()
def fit_command(
    qm: Measurement,
    learning: Learning,
    sets: Sets,
    split: LearningSplit = "dev",
    mode: Annotated[str, "Learn from the candidates that this search mode finds."] = "thorough",
    limit: Annotated[int, "Maximum number of queries from each set.", Option(min=1)] = 250,
    penalty: Annotated[float, "Penalty for large weights; 0: no penalty.", Option(min=0)] = 0.01,
    fusion: Annotated[
        float,
        "The weights of plain fusion (the fixed weights of the scores by words, meaning and name)"
        " are multiplied by this factor and added to the learned weights. This improves the"
        " results for other catalogs.",
        Option(min=0),
    ] = 8.0,
    large: Annotated[
        list[Path] | None,
        "Folder with a large catalog; repeatable. The command learns separate weights for large"
        " catalogs from these folders.",
    ] = None,
    kind: Kind = TOOL,
) -> Row:
    """From sets of tools and queries, learn the weights of the score."""
    settings = qm.settings()
    from quartermaster.eval.fitting import fit_cards
    from quartermaster.eval.gold import require_mode
    from quartermaster.eval.running import gather_sets, read_sets

    require_mode(mode, settings.modes.model_dump())

    def learn(places: Sequence[Path]) -> tuple[str, Weights]:
        read = read_sets(settings, places, split, limit=limit, kind=kind)
        with qm.bench(settings, len(read)) as bench:
            model, examples = anyio.run(gather_sets, bench, read, mode)
        fitted = fit_cards(examples, penalty, fusion)
        return model, {name: round(weight, 4) for name, weight in fitted.items()}

    model, weights = learn(sets)
    learned: Row = {"model": model, "weights": weights}
    if large:
        _, learned["large"] = learn(large)
    learning.keep(qm, learned, "configure_scoring", kind=kind, **learned)
    parts = {"weight": weights, "large": learned.get("large", {})}
    rows = [
        {"feature": name} | {part: f"{some.get(name, 0):.3f}" for part, some in parts.items()}
        for name in weights
    ]
    qm.table(rows, ("feature", *(part for part, some in parts.items() if some)))
    return learned
