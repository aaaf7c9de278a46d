"""``qm eval fit``: learns the weights of the score from queries with known answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import anyio
import typer

from quartermaster.cli.eval.databases import (
    Embedded,
    Kind,
    LearningSplit,
    Sets,
    prepared,
    workbench,
)
from quartermaster.cli.options import DataDir, Dsn, Json, SettingsFile
from quartermaster.cli.output import note, print_json, print_table
from quartermaster.cli.session import open_session
from quartermaster.core import paths


def fit_command(
    sets: Sets,
    split: LearningSplit = "dev",
    mode: Annotated[str, typer.Option(help="Mode whose candidates are learned from.")] = "thorough",
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of queries of each set.")] = 250,
    penalty: Annotated[float, typer.Option(min=0, help="Penalty on large weights.")] = 0.003,
    fusion: Annotated[
        float, typer.Option(min=0, help="Weight of plain fusion, which suits unknown catalogs.")
    ] = 8.0,
    kind: Kind = "tool",
    output: Annotated[
        Path | None, typer.Option(help="Write the weights to this file (JSON).")
    ] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Use the weights in the running database or --dsn.")
    ] = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
    embedded: Embedded = False,
    settings: SettingsFile = None,
) -> None:
    """Learn the weights of the score from sets of tools and queries."""
    folder = paths.data_dir(data_dir)
    configured = prepared(folder, settings)
    from quartermaster.eval.fitting import fit_cards
    from quartermaster.eval.gold import require_mode
    from quartermaster.eval.running import gather_sets, read_sets

    modes = list(configured.modes.model_dump())
    require_mode(mode, modes)
    max_tool_bytes = configured.upstream.max_tool_bytes
    read = read_sets(
        sets, split, limit=limit, modes=modes, max_tool_bytes=max_tool_bytes, kind=kind
    )
    with workbench(configured, folder, dsn, len(read), embedded=embedded) as bench:
        model, examples = anyio.run(gather_sets, bench, read, mode)
    fitted = fit_cards(examples, penalty, fusion)
    weights = {name: round(weight, 4) for name, weight in fitted.items()}
    learned = {"model": model, "weights": weights}
    if output is not None:
        output.write_text(json.dumps(learned, indent=2) + "\n", encoding="utf-8")
        note(f"Weights written to {output}.")
    if apply:
        with open_session(data_dir, dsn) as session:
            session.call("configure_scoring", kind=kind, model=model, weights=weights)
        note("The weights are in use.")
    if as_json:
        print_json(learned)
        return
    print_table(("feature", "weight"), [(name, f"{value:.3f}") for name, value in weights.items()])
