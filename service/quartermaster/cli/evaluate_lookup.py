"""``qm eval lookup``: how good and how fast answers of lookup tables are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from quartermaster.cli.databases import Embedded
from quartermaster.cli.lookup_ablation import ablate, print_ablation
from quartermaster.cli.lookup_place import Gold, Lookup, loaded, print_figures, print_tiers
from quartermaster.cli.output import err, print_json
from quartermaster.cli.session import DataDir, Dsn, Json, open_session
from quartermaster.cli.up import SettingsFile
from quartermaster.core import paths


def lookup_command(
    lookup: Lookup,
    gold: Gold,
    single: Annotated[
        bool, typer.Option("--ablate", help="Also what channels, vectors, a reranker would do.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw precision against recall there, as PNG.")
    ] = None,
    speed: Annotated[
        bool, typer.Option("--speed", help="Also queries a second over two connections.")
    ] = False,
    large: Annotated[
        Path | None, typer.Option(help="Rows repeated to a table of 225,000, which is timed, too.")
    ] = None,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
    embedded: Embedded = False,
    settings: SettingsFile = None,
) -> None:
    """Load rows into a throw-away database, ask every query, print how good the answers are."""
    from quartermaster.eval.lookup_metrics import summary
    from quartermaster.eval.lookup_plot import draw
    from quartermaster.eval.lookup_running import ask
    from quartermaster.eval.lookup_speed import batch_ms, large_table_ms, per_second
    from quartermaster.lookup.table_file import read_rows

    repeated = read_rows(large) if large is not None else []
    with loaded(lookup, gold, data_dir, dsn, settings, embedded=embedded) as place:
        session, pairs, told = place.session, place.pairs, place.progress.update
        answers, latency = ask(session, pairs, told)
        if (batch := batch_ms(session, pairs)) is not None:
            latency["batch_of_50"] = batch
        found = summary(answers, latency)
        if speed:
            found["queries_per_second"] = per_second(
                lambda: open_session(None, place.dsn), pairs, place.tables, told
            )
        if repeated:
            found["large_table_ms"] = large_table_ms(session, repeated, told)
        ablated = ablate(place, answers, paths.data_dir(data_dir), settings) if single else None
    if plot is not None:
        draw(answers, plot)
        err.print(f"Drawn: {plot}", highlight=False)
    if as_json:
        print_json(found if ablated is None else found | {"ablation": ablated})
        return
    print_tiers(found["tiers"])
    print_figures(found)
    if ablated is not None:
        print_ablation(ablated)
