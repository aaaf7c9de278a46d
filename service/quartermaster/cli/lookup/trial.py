"""``qm lookup gold`` and ``qm lookup shadow``: measure answers, and try other settings."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, TableName
from quartermaster.cli.output import counted, print_json, say
from quartermaster.cli.session import open_session
from quartermaster.core.errors import QmError


def register(lookup: typer.Typer) -> None:
    """Adds the commands to those of lookup tables."""
    gold = typer.Typer(
        no_args_is_help=True, help="Manage gold pairs: strings whose right rows are known."
    )
    gold.command("load")(load_command)
    lookup.add_typer(gold, name="gold")
    lookup.command("shadow")(shadow_command)


def load_command(
    table: TableName,
    file: Annotated[
        Path, typer.Argument(help="CSV: table, query, expected_ids (divided by |), props.")
    ],
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep pairs that are not in the file.")
    ] = False,
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Load gold pairs; the weekly job evaluate_lookups measures with them."""
    from quartermaster.eval.gold import read_pairs

    pairs = [
        {"query": pair.goal, "expected": sorted(pair.accepted), "properties": pair.properties}
        for pair in read_pairs(file, table)
    ]
    with (
        open_session(data_dir, dsn) as session,
        session.rolled_back() if dry_run else nullcontext(),
    ):
        [found] = session.call("load_lookup_gold", lookup=table, pairs=pairs, replaces=not keep)
    if as_json:
        print_json({**found, "dry_run": dry_run})
        return
    would = " (preview; nothing was changed)" if dry_run else ""
    say(
        f"{table}: {counted(found['pairs_kept'], 'pair')}, {counted(found['ids_unknown'], 'id')}"
        f" without a row{would}. To measure now: qm job run evaluate_lookups."
    )


def shadow_command(
    table: TableName,
    share: Annotated[
        float,
        typer.Option(min=0, max=1, help="Share of the queries, 0 to 1; 0 removes the shadow."),
    ],
    weights: Annotated[
        Path | None,
        typer.Option(help="Weights written by qm eval fit-lookup; default: the table's."),
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="Threshold; default: the table's.")
    ] = None,
    candidates: Annotated[
        int, typer.Option(min=1, max=100, help="Number of candidates by trigrams.")
    ] = 30,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Try other settings on a share of the queries, in the background."""
    given = _weights(weights) if weights is not None else None
    with open_session(data_dir, dsn) as session:
        [row] = session.call(
            "configure_lookup_shadow",
            lookup=table,
            share=share,
            weights=given,
            threshold=threshold,
            candidates=candidates,
        )
    count = row["configure_lookup_shadow"]
    if as_json:
        print_json({"table": table, "share": share, "weights": count})
        return
    if not share:
        say(f"{table} has no shadow.")
        return
    whose = counted(count, "own weight") if count else "the weights of the table"
    say(
        f"A shadow of {table} with {whose} answers {share:.0%} of the queries. To compare:"
        f" qm stats lookups --shadow. To remove it: qm lookup shadow {table} --share 0."
    )


def _weights(path: Path) -> dict[str, Any]:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise QmError(
            422,
            "weights_invalid",
            f"{path} cannot be read as JSON: {error}.",
            "Create it with: qm eval fit-lookup LOOKUP.csv GOLD.csv --output FILE.",
        ) from None
