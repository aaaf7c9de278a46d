"""``qm eval lookup`` and ``fit-lookup``: how good answers of lookup tables are, and learning."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quartermaster import paths
from quartermaster.cli.databases import Embedded, databases, prepared
from quartermaster.cli.evaluate_report import Progress
from quartermaster.cli.output import err, out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, Session, open_session
from quartermaster.cli.up import SettingsFile

if TYPE_CHECKING:
    from quartermaster.evaluation.lookup_gold import Pair

Lookup = Annotated[Path, typer.Argument(help="Rows as CSV or JSON Lines, with a column table.")]
Gold = Annotated[Path, typer.Argument(help="CSV: table, query, expected_ids (a|b), tier, props.")]


def lookup_command(
    lookup: Lookup,
    gold: Gold,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Also what single channels and a blend would do.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw precision against recall there, as PNG.")
    ] = None,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
    embedded: Embedded = False,
    settings: SettingsFile = None,
) -> None:
    """Load rows into a throw-away database, ask every query, print how good the answers are."""
    from quartermaster.evaluation.lookup_ablation import ablation
    from quartermaster.evaluation.lookup_examples import gather
    from quartermaster.evaluation.lookup_metrics import summary
    from quartermaster.evaluation.lookup_plot import draw
    from quartermaster.evaluation.lookup_running import ask

    place = (data_dir, dsn, embedded, settings)
    with _loaded(lookup, gold, *place) as (session, pairs, progress):
        answers, latency = ask(session, pairs, progress.update)
        examples = gather(session, pairs, progress.update) if ablate else None
    found = summary(answers, latency)
    if plot is not None:
        draw(answers, plot)
        err.print(f"Drawn: {plot}", highlight=False)
    if as_json:
        print_json(found)
        return
    _print_tiers(found["tiers"])
    for name, value in found.items():
        if name != "tiers":
            out.print(f"{name}: {value}", markup=False, highlight=False)
    if examples is not None:
        print_table(("ranked by", "core R@1", "core R@5", "real core R@1"), ablation(examples))


def fit_command(
    lookup: Lookup,
    gold: Gold,
    output: Annotated[Path | None, typer.Option(help="Write the weights there, as JSON.")] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Use the weights in the database of qm up or --dsn.")
    ] = False,
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
    from quartermaster.evaluation.lookup_ablation import left_out
    from quartermaster.evaluation.lookup_examples import gather
    from quartermaster.evaluation.lookup_fitting import fit
    from quartermaster.evaluation.lookup_metrics import summary
    from quartermaster.evaluation.lookup_weights import weights

    place = (data_dir, dsn, embedded, settings)
    with _loaded(lookup, gold, *place) as (session, pairs, progress):
        examples = gather(session, pairs, progress.update)
        names = session.call_value("lookup_feature_names")
        fitted = fit(examples, lambda done, total: progress.update("learning", done, total))
        tables = left_out(examples) if by_table else []
    learned = weights(names, fitted.score, fitted.confidence)
    held_out = summary(fitted.answers, {})
    if output is not None:
        output.write_text(json.dumps(learned, indent=1) + "\n", encoding="utf-8")
        err.print(f"Written: {output}", highlight=False)
    if apply:
        with open_session(data_dir, dsn) as session:
            session.call("configure_lookup_score", profile="default", weights=learned)
        err.print("The weights are in use.")
    if as_json:
        print_json({"weights": learned, "held_out": held_out, "tables": tables})
        return
    _print_tiers(held_out["tiers"])
    for name in ("auto_match_recall@p98", "nil_auroc", "calibration"):
        out.print(f"{name}: {held_out[name]}", highlight=False)
    if by_table:
        columns = ("table never learned from", "n", "R@1", "R@5", "trigram R@1", "trigram R@5")
        print_table(columns, tables)


@contextmanager
def _loaded(
    lookup: Path,
    gold: Path,
    data_dir: Path | None,
    dsn: str | None,
    embedded: bool,
    settings: Path | None,
) -> Generator[tuple[Session, list[Pair], Progress]]:
    """A throw-away database with the rows, the gold pairs, and a progress bar."""
    from quartermaster.evaluation.lookup_gold import read_gold
    from quartermaster.evaluation.lookup_running import by_table, load
    from quartermaster.install.throw_away import settle
    from quartermaster.lookup.table_file import read_rows

    folder = paths.data_dir(data_dir)
    configured = prepared(folder, settings)
    tables, pairs = by_table(read_rows(lookup), lookup.stem), read_gold(gold)
    with ExitStack() as stack:
        _, (database,) = databases(stack, configured, folder, dsn, 1, embedded=embedded)
        progress = stack.enter_context(Progress())
        session = stack.enter_context(open_session(None, database))
        load(session, tables, progress.update)
        settle(database)
        yield session, pairs, progress


def _print_tiers(tiers: dict[str, dict[str, Any]]) -> None:
    columns = ("tier", "n", "R@1", "R@5", "MRR")
    rows = [
        (name, tier["n"], *(f"{tier[key]:.3f}" for key in columns[2:]))
        for name, tier in tiers.items()
    ]
    print_table(columns, rows)
