"""``qm eval lookup`` and ``fit-lookup``: measure lookup tables, and learn their score."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from quartermaster.cli.eval.ablation import ablate, print_ablation
from quartermaster.cli.eval.databases import Embedded
from quartermaster.cli.eval.lookup_place import Gold, Lookup, loaded, print_figures, print_tiers
from quartermaster.cli.options import DataDir, Dsn, Json, SettingsFile
from quartermaster.cli.output import note, print_json, print_table
from quartermaster.cli.session import open_session
from quartermaster.core import paths


def lookup_command(
    lookup: Lookup,
    gold: Gold,
    single: Annotated[
        bool, typer.Option("--ablate", help="Also measure single channels, vectors and a reranker.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Plot precision against recall to this PNG file.")
    ] = None,
    speed: Annotated[
        bool, typer.Option("--speed", help="Also measure queries per second over two connections.")
    ] = False,
    large: Annotated[
        Path | None,
        typer.Option(help="Also time a table of 225,000 rows, repeated from this file."),
    ] = None,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
    embedded: Embedded = False,
    settings: SettingsFile = None,
) -> None:
    """Measure the answers of lookup tables on gold pairs, in a temporary database."""
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
        note(f"Plot written to {plot}.")
    if as_json:
        print_json(found if ablated is None else found | {"ablation": ablated})
        return
    print_tiers(found["tiers"])
    print_figures(found)
    if ablated is not None:
        print_ablation(ablated)


def fit_lookup_command(
    lookup: Lookup,
    gold: Gold,
    output: Annotated[
        Path | None, typer.Option(help="Write the weights to this file (JSON).")
    ] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Use the weights in the running database or --dsn.")
    ] = False,
    table: Annotated[
        str, typer.Option(help="Table to apply them to; default: all tables without own weights.")
    ] = "default",
    by_table: Annotated[
        bool,
        typer.Option("--leave-table-out", help="Also measure each table without learning from it."),
    ] = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
    embedded: Embedded = False,
    settings: SettingsFile = None,
) -> None:
    """Learn the weights of the lookup score from gold pairs, by cross-validation over entities."""
    from quartermaster.eval.lookup_ablation import left_out
    from quartermaster.eval.lookup_examples import gather
    from quartermaster.eval.lookup_fitting import fit
    from quartermaster.eval.lookup_metrics import summary
    from quartermaster.eval.lookup_weights import weights

    with loaded(lookup, gold, data_dir, dsn, settings, embedded=embedded) as place:
        told = place.progress.update
        examples = gather(place.session, place.pairs, told)
        names = place.session.call_value("feature_names", kind="lookup")
        fitted = fit(examples, lambda done, total: told("learning", done, total))
        tables = (
            left_out(examples, lambda done, total: told("leaving a table out", done, total))
            if by_table
            else []
        )
    learned = weights(names, fitted.score, fitted.confidence)
    held_out = summary(fitted.answers, {})
    if output is not None:
        output.write_text(json.dumps(learned, indent=1) + "\n", encoding="utf-8")
        note(f"Weights written to {output}.")
    if apply:
        with open_session(data_dir, dsn) as session:
            session.call("configure_lookup_score", profile=table, weights=learned)
        note("The weights are in use.")
    if as_json:
        print_json({"weights": learned, "held_out": held_out, "tables": tables})
        return
    print_tiers(held_out["tiers"])
    print_figures({name: value for name, value in held_out.items() if name != "latency_ms"})
    if by_table:
        columns = ("table left out", "n", "R@1", "R@5", "trigram R@1", "trigram R@5")
        print_table(columns, tables)
