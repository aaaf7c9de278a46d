"""``qm eval``: measures search quality, keeps and compares the results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import anyio
import typer

from quartermaster.cli.eval import report
from quartermaster.cli.eval.databases import Embedded, Kind, prepared, workbench
from quartermaster.cli.eval.export import SPLITS, export_golden_command, export_tools_command
from quartermaster.cli.eval.fit import fit_command
from quartermaster.cli.eval.lookup import fit_lookup_command, lookup_command
from quartermaster.cli.eval.tune import TRIED, tune_command
from quartermaster.cli.options import DataDir, Dsn, Json, Limit, SettingsFile
from quartermaster.cli.output import print_json
from quartermaster.cli.session import open_session
from quartermaster.core import paths
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    from quartermaster.eval.running import Outcome


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(
        no_args_is_help=True,
        help="Measure and improve search quality on queries with known answers.",
    )
    group.command("run")(run_command)
    group.command("tune", epilog=TRIED)(tune_command)
    group.command("fit")(fit_command)
    group.command("lookup")(lookup_command)
    group.command("fit-lookup")(fit_lookup_command)
    group.command("list")(list_command)
    group.command("compare")(compare_command)
    group.command("export-golden", epilog=SPLITS)(export_golden_command)
    group.command("export-tools")(export_tools_command)
    app.add_typer(group, name="eval")


def run_command(
    tools: Annotated[Path, typer.Argument(help="Tools as JSON Lines.")],
    queries: Annotated[Path, typer.Argument(help="Queries as JSON Lines, or tasks as YAML.")],
    split: Annotated[str | None, typer.Option(help="Only queries of this split.")] = None,
    mode: Annotated[str, typer.Option(help="Mode: fast, balanced or thorough.")] = "balanced",
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Also measure with each part left out.")
    ] = False,
    weights: Annotated[
        Path | None,
        typer.Option(help="Weights written by qm eval fit; default: the shipped ones."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Use only this many queries, always the same ones.")
    ] = None,
    kind: Kind = "tool",
    name: Annotated[str | None, typer.Option(help="Label of the kept result.")] = None,
    save_to: Annotated[
        str | None, typer.Option(metavar="DSN", help="Database that keeps the result.")
    ] = None,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
    embedded: Embedded = False,
    settings: SettingsFile = None,
) -> None:
    """Measure search quality on a file of tools and queries, in a temporary database."""
    folder = paths.data_dir(data_dir)
    configured = prepared(folder, settings)
    from quartermaster.eval.gold import GoldSet, read_tasks, require_mode, sample
    from quartermaster.eval.items import read_items
    from quartermaster.eval.running import Plan, evaluate, read_weights

    modes = list(configured.modes.model_dump())
    require_mode(mode, modes)
    items = read_items(tools, configured.upstream.max_tool_bytes, kind)
    tasks = sample(read_tasks(queries, items, split=split, modes=modes), limit)
    learned = (weights, read_weights(weights)) if weights is not None else None
    plan = Plan(GoldSet(tools.stem, items, tasks), queries, mode, split, ablate, learned)
    with workbench(configured, folder, dsn, embedded=embedded) as bench:
        outcome = anyio.run(evaluate, bench, plan)
    report.print_rejected(outcome.rejected)
    keep = save_to or bench.keeps
    kept, reason = _kept(outcome, name or queries.stem, keep)
    if as_json:
        print_json({**outcome.as_dict(), "kept": kept})
    else:
        report.print_outcome(outcome)
        report.print_kept(kept, reason, is_lost=keep is None)
    if reason is not None and save_to is not None:
        raise reason


def list_command(
    limit: Limit = 20,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List the kept results, the newest first."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_evaluations", maximum=limit)
    if as_json:
        print_json(rows)
    else:
        report.print_list(rows)


def compare_command(
    first: Annotated[int, typer.Argument(help="Number of a kept result.")],
    second: Annotated[int, typer.Argument(help="Number of another result on the same queries.")],
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Compare two kept results, with 95% intervals of the difference."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("compare_evaluations", evaluation_a=first, evaluation_b=second)
    if as_json:
        print_json(rows)
    else:
        report.print_comparison(first, second, rows)


def _kept(outcome: Outcome, label: str, dsn: str | None) -> tuple[int | None, QmError | None]:
    """Number of the kept result, or why it was not kept."""
    if dsn is None:
        return None, None
    arguments: dict[str, Any] = outcome.as_stored(label)
    try:
        with open_session(None, dsn) as session:
            return int(session.call_value("store_evaluation", **arguments)), None
    except QmError as error:
        return None, error
