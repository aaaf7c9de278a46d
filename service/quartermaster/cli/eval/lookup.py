"""``qm eval lookup`` and ``fit-lookup``: measure lookup tables, and learn their score."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from quartermaster.cli.eval.ablation import ablate, show_ablation
from quartermaster.cli.eval.databases import Learning, Measurement
from quartermaster.cli.eval.lookup_place import Gold, Lookup, loaded, show_tiers
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import note
from quartermaster.cli.session import Row, open_session

_LEFT_OUT = ("table left out", "n", "R@1", "R@5", "trigram R@1", "trigram R@5")

noun = Noun()


@noun.verb()
def lookup_command(
    qm: Measurement,
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
) -> Row:
    """Measure the answers of lookup tables on gold pairs, in a temporary database."""
    from quartermaster.eval.lookup_metrics import summary
    from quartermaster.eval.lookup_plot import draw
    from quartermaster.eval.lookup_running import ask
    from quartermaster.eval.lookup_speed import batch_ms, large_table_ms, per_second
    from quartermaster.lookup.table_file import read_rows

    repeated = read_rows(large) if large is not None else []
    with loaded(qm, lookup, gold) as place:
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
        ablated = ablate(qm, place, answers) if single else None
    if plot is not None:
        draw(answers, plot)
        note(f"Plot written to {plot}.")
    show_tiers(qm, found)
    if ablated is None:
        return found
    show_ablation(qm, ablated)
    return found | {"ablation": ablated}


@noun.verb()
def fit_lookup_command(
    qm: Measurement,
    learning: Learning,
    lookup: Lookup,
    gold: Gold,
    table: Annotated[
        str, typer.Option(help="Table to apply them to; default: all tables without own weights.")
    ] = "default",
    by_table: Annotated[
        bool,
        typer.Option("--leave-table-out", help="Also measure each table without learning from it."),
    ] = False,
) -> Row:
    """Learn the weights of the lookup score from gold pairs, by cross-validation over entities."""
    from quartermaster.eval.lookup_ablation import left_out
    from quartermaster.eval.lookup_examples import gather
    from quartermaster.eval.lookup_fitting import fit
    from quartermaster.eval.lookup_metrics import summary
    from quartermaster.eval.lookup_weights import weights

    with loaded(qm, lookup, gold) as place:
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
    learning.keep(qm, learned, "configure_lookup_score", profile=table, weights=learned)
    held_out = summary(fitted.answers, {})
    show_tiers(qm, {name: value for name, value in held_out.items() if name != "latency_ms"})
    qm.table([dict(zip(_LEFT_OUT, row, strict=True)) for row in tables], _LEFT_OUT)
    return {"weights": learned, "held_out": held_out, "tables": tables}
