"""``qm eval tune``: finds better settings for the modes, and writes them as a settings file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import anyio
import typer
import yaml
from typer import Option

from quartermaster.cli.eval.databases import Kind, LearningSplit, Measurement, Sets
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import note
from quartermaster.cli.session import Row
from quartermaster.core.kinds import TOOL

if TYPE_CHECKING:
    from quartermaster.eval.tuning import Tuned


TRIED: Final = (
    "The command tunes lambda (the weight of variety among the results) and the number of "
    "candidates from each way of searching (words, meaning and name). It also tunes the "
    "depth and weight of the reranker if one is configured, and the weights of the three "
    "ways if the score is not learned. It does not tune the weights of text fields, "
    "because all modes share them. It does not tune the weights of success, latency and "
    "risk, because query files do not say how calls ended."
)


noun = Noun()


@noun.verb(epilog=TRIED)
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
        note(f"Settings written to {output}. To use them: qm up --settings {output}.")
    for one in tuned:
        _show(qm, one)
    if output is None and not qm.json:
        typer.echo(text, nl=False)
    return {"modes": [asdict(one) for one in tuned]}


def _settings_text(
    tuned: Sequence[Tuned], names: Sequence[str], split: str, known: Collection[str]
) -> str:
    """The modes in the format of the settings file, with the keys that the file supports."""
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
