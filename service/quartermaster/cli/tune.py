"""``qm eval tune``: better settings for the modes, as a file that the settings load."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import anyio
import typer
import yaml

from quartermaster.cli import evaluate_report as report
from quartermaster.cli.databases import Embedded, LearningSplit, Sets, databases, prepared
from quartermaster.cli.output import err, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json
from quartermaster.cli.up import SettingsFile
from quartermaster.core import paths

if TYPE_CHECKING:
    from quartermaster.eval.tuning import Tuned


TRIED: Final = (
    "Tried are the candidates of each channel and lambda; with a reranker its depth and weight;"
    " where the score is not learned, the weights of fusion. Not tried are the weights of fields,"
    " of the index that all modes share and of no mode; the coefficients of utility, since files"
    " of queries hold no outcomes; and how many cards diversity looks at: from 16 to 128 all"
    " figures stayed the same."
)


def tune_command(
    sets: Sets,
    split: LearningSplit = "dev",
    mode: Annotated[
        list[str] | None, typer.Option(help="Mode to tune, repeatable; all without it.")
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="Profiles to try for each mode.")] = 40,
    limit: Annotated[int, typer.Option(min=1, help="Queries of each set.")] = 50,
    seed: Annotated[int, typer.Option(help="Order of what is tried.")] = 1,
    output: Annotated[Path | None, typer.Option(help="Write the settings file there.")] = None,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
    embedded: Embedded = False,
    settings: SettingsFile = None,
) -> None:
    """Search for settings that are better on all sets, none below its best single channel."""
    folder = paths.data_dir(data_dir)
    configured = prepared(folder, settings)
    from quartermaster.eval.tasks_file import require_mode
    from quartermaster.eval.tuning_sets import read_sets, tune_modes

    modes = list(configured.modes.model_dump())
    for name in mode or []:
        require_mode(name, modes)
    max_tool_bytes = configured.upstream.max_tool_bytes
    read = read_sets(sets, split, limit=limit, modes=modes, max_tool_bytes=max_tool_bytes)
    with ExitStack() as stack:
        _, made = databases(stack, configured, folder, dsn, len(read), embedded=embedded)
        progress = stack.enter_context(report.Progress())
        run = partial(tune_modes, configured, folder, made, read, mode or modes, progress.update)
        tuned = anyio.run(partial(run, trials=trials, seed=seed))
    known = set(configured.modes.balanced.model_dump(by_alias=True))
    text = _settings_text(tuned, [one.name for one in read], split, known)
    if output is not None:
        output.write_text(text, encoding="utf-8")
        err.print(f"Written: {output}. Use it with: qm up --settings {output}", highlight=False)
    if as_json:
        print_json({"modes": [asdict(one) for one in tuned]})
        return
    _print(tuned)
    if output is None:
        typer.echo(text, nl=False)


def _settings_text(
    tuned: Sequence[Tuned], names: Sequence[str], split: str, known: Collection[str]
) -> str:
    """The modes as the settings file has them, with the keys that it knows."""
    lines = [f"# Tuned on the {split} queries of {', '.join(names)}: mean nDCG@10"]
    lines += [f"# {one.mode}: {_mean(one.first)} -> {_mean(one.best)}" for one in tuned]
    modes: dict[str, Any] = {
        one.mode: {key: value for key, value in one.best.settings.items() if key in known}
        for one in tuned
    }
    body = yaml.safe_dump({"modes": modes}, sort_keys=False)
    return "\n".join([*lines, body])


def _print(tuned: Sequence[Tuned]) -> None:
    for one in tuned:
        print_table(
            ("set", "best single channel", "before", "after"),
            [
                (name, f"{floor:.4f}", f"{one.first.quality[name]:.4f}", f"{after:.4f}")
                for (name, floor), after in zip(
                    one.floors.items(), one.best.quality.values(), strict=True
                )
            ],
            title=f"{one.mode}, nDCG@10 ({one.trials} settings tried)",
        )


def _mean(trial: Any) -> str:
    return f"{sum(trial.quality.values()) / len(trial.quality):.4f}"
