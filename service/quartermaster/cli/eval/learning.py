"""``qm eval tune``, ``fit`` and ``calibrate``: learn from sets of tools and queries."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import anyio
import typer
import yaml
from typer import Option

from quartermaster import api
from quartermaster.cli.eval.databases import Kind, Learning, LearningSplit, Measurement, Sets
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import note
from quartermaster.cli.session import Row
from quartermaster.core.kinds import TOOL

if TYPE_CHECKING:
    from quartermaster.eval.examples import Weights
    from quartermaster.eval.tuning import Tuned

TUNING_EPILOG: Final = (
    "The command tunes lambda (the weight of variety among the results) and the number of "
    "candidates from each way of searching (words, meaning and name). It also tunes the "
    "depth and weight of the reranker if one is configured, and the weights of the three "
    "ways if the score is not learned. It does not tune the weights of text fields, "
    "because all modes share them. It does not tune the weights of success, latency and "
    "risk, because query files do not say how calls ended."
)

noun = Noun()


@noun.verb(epilog=TUNING_EPILOG)
def tune_command(
    qm: Measurement,
    sets: Sets,
    split: LearningSplit = "dev",
    mode: Annotated[list[str] | None, "Mode to tune, repeatable; default: all modes."] = None,
    trials: Annotated[int, "Number of combinations to try for each mode.", Option(min=1)] = 40,
    limit: Annotated[int, "Maximum number of queries from each set.", Option(min=1)] = 50,
    seed: Annotated[int, "Random seed for the order of the trials."] = 1,
    output: Annotated[Path | None, "Write the settings to this file."] = None,
    kind: Kind = TOOL,
) -> Row:
    """Find search mode settings that give better results on all sets of tools and queries."""
    settings = qm.settings()
    from quartermaster.eval.gold import require_mode
    from quartermaster.eval.running import read_sets, tune_modes

    modes = list(settings.modes.model_dump())
    for name in mode or []:
        require_mode(name, modes)
    read = read_sets(settings, sets, split, limit=limit, kind=kind)
    with qm.bench(settings, len(read)) as bench:
        run = partial(tune_modes, bench, read, mode or modes, trials=trials, seed=seed)
        tuned = anyio.run(run)
    known = set(settings.modes.balanced.model_dump(by_alias=True))
    text = _settings_text(tuned, [one.name for one in read], split, known)
    if output is not None:
        output.write_text(text, encoding="utf-8")
        note(
            f"Settings written to {output}. To use them: qm up --settings"
            f" {shlex.quote(str(output))}."
        )
    for one in tuned:
        _show(qm, one)
    if output is None and not qm.json:
        typer.echo(text, nl=False)
    return {"modes": [asdict(one) for one in tuned]}


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
    """Learn the weights of the score from sets of tools and queries."""
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
    learned: dict[str, Any] = {"model": model, "weights": weights}
    if large:
        _, learned["large"] = learn(large)
    learning.keep(qm, learned, api.configure_scoring(kind=kind, **learned))
    parts = {"weight": weights, "large": learned.get("large", {})}
    rows = [
        {"feature": name} | {part: f"{some.get(name, 0):.3f}" for part, some in parts.items()}
        for name in weights
    ]
    qm.table(rows, ("feature", *(part for part, some in parts.items() if some)))
    return learned


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
    """Learn to estimate the probability that a result is right, from sets of tools and queries."""
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
    learned: dict[str, Any] = (
        {"model": model} if used is None else used[1].model_dump(exclude_none=True)
    )
    learned["confidence"] = {name: round(one, 4) for name, one in found.confidence.items()}
    learning.keep(qm, learned, api.configure_scoring(kind=kind, **learned))
    figures = {"floor": found.floor, "said": found.said, "ece": found.error, "brier": found.skill}
    shown = found.confidence | {f"({name})": one for name, one in figures.items()}
    qm.table(
        [{"name": name, "value": f"{one:.3f}"} for name, one in shown.items()], ("name", "value")
    )
    return learned | {"held_out": {name: round(one, 4) for name, one in figures.items()}}


def _settings_text(
    tuned: Sequence[Tuned], names: Sequence[str], split: str, known: Collection[str]
) -> str:
    """Returns the tuned modes in the format of the settings file, with only the keys that the file
    supports.
    """
    lines = [f"# Tuned on the {split} queries of {', '.join(names)}: mean nDCG@10"]
    lines += [f"# {one.mode}: {_mean(one.first)} -> {_mean(one.best)}" for one in tuned]
    modes: dict[str, Any] = {
        one.mode: {key: value for key, value in one.best.settings.items() if key in known}
        for one in tuned
    }
    body = yaml.safe_dump({"modes": modes}, sort_keys=False)
    return "\n".join([*lines, body])


def _show(qm: Measurement, tuned: Tuned) -> None:
    rows = [
        {"set": name, "floor": floor, "before": tuned.first.quality[name], "after": after}
        for (name, floor), after in zip(
            tuned.floors.items(), tuned.best.quality.values(), strict=True
        )
    ]
    columns = (
        "set",
        ("best single channel", "{floor:.4f}"),
        ("before", "{before:.4f}"),
        ("after", "{after:.4f}"),
    )
    qm.table(rows, columns, title=f"{tuned.mode}, nDCG@10 ({tuned.trials} combinations tried)")


def _mean(trial: Any) -> str:
    return f"{sum(trial.quality.values()) / len(trial.quality):.4f}"
