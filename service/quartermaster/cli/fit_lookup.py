"""``qm eval fit-lookup``: learns the score of lookup tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from quartermaster.cli.databases import Embedded
from quartermaster.cli.lookup_place import Gold, Lookup, loaded, print_figures, print_tiers
from quartermaster.cli.output import err, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, open_session
from quartermaster.cli.up import SettingsFile


def fit_command(
    lookup: Lookup,
    gold: Gold,
    output: Annotated[Path | None, typer.Option(help="Write the weights there, as JSON.")] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Use the weights in the database of qm up or --dsn.")
    ] = False,
    profile: Annotated[
        str, typer.Option(help="Whose they are then: a lookup table, or default for all others.")
    ] = "default",
    by_table: Annotated[
        bool, typer.Option("--leave-table-out", help="Also what tables never learned from get.")
    ] = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
    embedded: Embedded = False,
    settings: SettingsFile = None,
) -> None:
    """Learn the score of lookup tables from gold pairs; folds leave entities out."""
    from quartermaster.eval.lookup_ablation import left_out
    from quartermaster.eval.lookup_examples import gather
    from quartermaster.eval.lookup_fitting import fit
    from quartermaster.eval.lookup_metrics import summary
    from quartermaster.eval.lookup_weights import weights

    with loaded(lookup, gold, data_dir, dsn, settings, embedded=embedded) as place:
        told = place.progress.update
        examples = gather(place.session, place.pairs, told)
        names = place.session.call_value("lookup_feature_names")
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
        err.print(f"Written: {output}", highlight=False)
    if apply:
        with open_session(data_dir, dsn) as session:
            session.call("configure_lookup_score", profile=profile, weights=learned)
        err.print("The weights are in use.")
    if as_json:
        print_json({"weights": learned, "held_out": held_out, "tables": tables})
        return
    print_tiers(held_out["tiers"])
    print_figures({name: value for name, value in held_out.items() if name != "latency_ms"})
    if by_table:
        columns = ("table never learned from", "n", "R@1", "R@5", "trigram R@1", "trigram R@5")
        print_table(columns, tables)
