"""``qm lookup tune``: learns the threshold and gap of a table from gold pairs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, TableName
from quartermaster.cli.output import counted, note, print_json, print_table, say
from quartermaster.cli.progress import Progress
from quartermaster.cli.session import open_session

if TYPE_CHECKING:
    from quartermaster.eval.threshold import Cut


def register(group: typer.Typer) -> None:
    """Adds the command to ``qm lookup``."""
    group.command("tune")(tune_command)


def tune_command(
    table: TableName,
    gold: Annotated[Path, typer.Argument(help="CSV: table, query, expected_ids (a|b), props.")],
    precision: Annotated[
        float, typer.Option(min=0.5, max=0.999, help="Required share of right matches.")
    ] = 0.98,
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Learn the threshold and gap of a table from gold pairs.

    It chooses those that match the most strings at the required precision.
    """
    from quartermaster.eval.gold import read_pairs
    from quartermaster.eval.lookups import ask
    from quartermaster.eval.threshold import FEWEST, Firsts, choose, judge

    pairs = read_pairs(gold, table)
    with open_session(data_dir, dsn) as session:
        # Without new values, this returns the present ones.
        [before] = session.call("configure_lookup", lookup=table)
        with Progress() as progress:
            answers, _ = ask(session, pairs, progress.update)
        firsts = Firsts.of(answers)
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
    print_table(
        ("when", "threshold", "gap", "matches", "precision", "95 % interval", "recall"), rows
    )
    if becomes is None:
        note(
            f"Nothing was changed: no threshold matches at least {FEWEST} strings with a precision"
            f" of {precision:.0%}."
        )
    else:
        say(f"Learned from {counted(len(pairs), 'pair')}.")


def _shown(cut: Cut) -> tuple[str, ...]:
    return (
        f"{cut.threshold:.2f}",
        f"{cut.gap:.2f}",
        f"{cut.matches:,}",
        f"{cut.precision:.3f}",
        f"{cut.low:.3f} to {cut.high:.3f}",
        f"{cut.recall:.3f}",
    )
