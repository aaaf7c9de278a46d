"""``qm lookup tune``: the threshold and gap of a table, learned from gold pairs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quartermaster.cli.evaluate_report import Progress
from quartermaster.cli.output import err, out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, open_session

if TYPE_CHECKING:
    from quartermaster.eval.lookup_threshold import Cut


def add_to(group: typer.Typer) -> None:
    """Adds the command to ``qm lookup``."""
    group.command("tune")(tune_command)


def tune_command(
    table: Annotated[str, typer.Argument(help="Name of the lookup table.")],
    gold: Annotated[Path, typer.Argument(help="CSV: table, query, expected_ids (a|b), props.")],
    precision: Annotated[
        float, typer.Option(min=0.5, max=0.999, help="Share of matches that is to be right.")
    ] = 0.98,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Set threshold and gap of a table so that as many strings match as may, and are right."""
    from quartermaster.eval.lookup_gold import pairs_of
    from quartermaster.eval.lookup_threshold import FEWEST, ask_firsts, choose, judge

    pairs = pairs_of(gold, table)
    with open_session(data_dir, dsn) as session:
        # What is not there changes nothing and says what there is.
        [before] = session.call("configure_lookup", lookup=table)
        with Progress() as progress:
            firsts = ask_firsts(session, table, pairs, progress.update)
        was = judge(firsts, before["threshold"], before["gap"])
        becomes = choose(firsts, precision)
        if becomes is not None and not dry_run:
            session.call(
                "configure_lookup",
                lookup=table,
                new_threshold=becomes.threshold,
                new_gap=becomes.gap,
                new_precision=precision,
            )
    if as_json:
        after = None if becomes is None else asdict(becomes)
        print_json({"pairs": len(pairs), "before": asdict(was), "after": after, "dry_run": dry_run})
        return
    rows = [("before", *_shown(was))]
    if becomes is not None:
        rows.append(("would be" if dry_run else "now", *_shown(becomes)))
    print_table(("", "threshold", "gap", "matches", "right", "95 % sure", "recall"), rows)
    if becomes is None:
        err.print(
            f"No threshold lets {FEWEST} strings match of which {precision:.0%} are right:"
            " nothing was changed.",
            highlight=False,
        )
    else:
        out.print(f"learned from {len(pairs):,} pairs", highlight=False)


def _shown(cut: Cut) -> tuple[str, ...]:
    return (
        f"{cut.threshold:.2f}",
        f"{cut.gap:.2f}",
        f"{cut.matches:,}",
        f"{cut.precision:.3f}",
        f"{cut.low:.3f} to {cut.high:.3f}",
        f"{cut.recall:.3f}",
    )
