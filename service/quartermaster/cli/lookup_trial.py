"""``qm lookup gold``, ``qm lookup shadow``: how good answers are, and whether others are better."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from quartermaster.cli.output import out, print_json
from quartermaster.cli.session import DataDir, Dsn, Json, open_session
from quartermaster.core.errors import QmError
from quartermaster.eval.lookup_gold import read_gold

Table = Annotated[str, typer.Argument(help="Name of the lookup table.")]


def add_to(lookup: typer.Typer) -> None:
    """Adds the commands to those of lookup tables."""
    gold = typer.Typer(no_args_is_help=True, help="Strings of which it is known what they mean.")
    gold.command("load")(load_command)
    lookup.add_typer(gold, name="gold")
    lookup.command("shadow")(shadow_command)


def load_command(
    table: Table,
    file: Annotated[
        Path, typer.Argument(help="CSV: table, query, expected_ids (divided by |), props.")
    ],
    keep: Annotated[
        bool, typer.Option("--keep", help="Pairs that are not in the file stay.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would happen.")] = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Load gold pairs; the job evaluate_lookups asks them every week."""
    pairs = [
        {"query": pair.query, "expected": sorted(pair.expected), "properties": pair.properties}
        for pair in read_gold(file)
        if pair.table == table
    ]
    if not pairs:
        raise QmError(
            404,
            "gold_not_found",
            f"{file} has no pair of the table {table!r}.",
            "See its column `table`, and name that one.",
        )
    with (
        open_session(data_dir, dsn) as session,
        session.rolled_back() if dry_run else nullcontext(),
    ):
        [found] = session.call("load_lookup_gold", lookup=table, pairs=pairs, replaces=not keep)
    if as_json:
        print_json({**found, "dry_run": dry_run})
        return
    would = ", if they were loaded" if dry_run else ""
    out.print(
        f"{table}: {found['pairs_kept']:,} pairs, {found['ids_unknown']:,} ids that no row has"
        f"{would}. Ask them: qm job run evaluate_lookups",
        highlight=False,
    )


def shadow_command(
    table: Table,
    share: Annotated[
        float, typer.Option(min=0, max=1, help="Of the queries, 0 to 1; 0 takes the shadow away.")
    ],
    weights: Annotated[
        Path | None, typer.Option(help="JSON as qm eval fit-lookup writes it; else the table's.")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="Instead of that of the table.")
    ] = None,
    candidates: Annotated[int, typer.Option(min=1, max=100, help="By trigrams.")] = 30,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Try another way to answer on a share of the queries, after each was answered."""
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
    if not share:
        out.print(f"{table} has no shadow.", highlight=False)
        return
    count = row["configure_lookup_shadow"]
    whose = f"{count} weights of its own" if count else "the weights of the table"
    out.print(
        f"{table}: a shadow with {whose} answers {share:.0%} of the queries. Compare them: "
        "qm stats lookups --shadow",
        highlight=False,
    )


def _weights(path: Path) -> dict[str, Any]:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise QmError(
            422,
            "weights_invalid",
            f"{path} cannot be read as JSON: {error}",
            "Write it with: qm eval fit-lookup LOOKUP.csv GOLD.csv --output FILE",
        ) from None
