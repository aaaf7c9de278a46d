"""``qm lookup tune``: learns the threshold and gap of a table from gold pairs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

from typer import Argument, Option

from quartermaster.cli.command import Trial
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import TableName
from quartermaster.cli.output import counted
from quartermaster.cli.progress import Progress
from quartermaster.cli.session import Row

_CUT: Final = (
    "when",
    ("threshold", "{threshold:.2f}"),
    ("gap", "{gap:.2f}"),
    ("matches", "{matches:,}"),
    ("precision", "{precision:.3f}"),
    ("95% interval", "{low:.3f} to {high:.3f}"),
    ("recall", "{recall:.3f}"),
)

noun = Noun()


@noun.verb()
def tune_command(
    qm: Trial,
    table: TableName,
    gold: Annotated[Path, Argument(help="CSV file: table, query, expected_ids (a|b), props.")],
    precision: Annotated[
        float, Option(min=0.5, max=0.999, help="Required share of correct matches.")
    ] = 0.98,
) -> Row:
    """Learn the threshold and gap of a table from gold pairs.

    Chooses the values that match the most strings with the required precision.
    """
    from quartermaster.eval.gold import read_pairs
    from quartermaster.eval.lookups import ask
    from quartermaster.eval.threshold import FEWEST, Firsts, choose, judge

    pairs = read_pairs(gold, table)
    # A call without new values changes nothing and returns the current values.
    [before] = qm.call("configure_lookup", lookup=table)
    with Progress() as progress:
        answers, _ = ask(qm.session, pairs, progress.update)
    firsts = Firsts.of(answers)
    was, becomes = judge(firsts, before["threshold"], before["gap"]), choose(firsts, precision)
    rows = [{"when": "before", **asdict(was)}]
    if becomes is not None:
        rows.append({"when": "would be" if qm.dry_run else "now", **asdict(becomes)})
        with qm.unless_dry():
            new = {"new_threshold": becomes.threshold, "new_gap": becomes.gap}
            qm.call("configure_lookup", lookup=table, **new, new_precision=precision)
    qm.table(rows, _CUT)
    if becomes is not None:
        qm.say(f"Learned from {counted(len(pairs), 'pair')}.")
    else:
        qm.note(
            f"Nothing was changed: no threshold matches at least {FEWEST} strings with a precision"
            f" of {precision:.0%}."
        )
    after = None if becomes is None else asdict(becomes)
    return {"pairs": len(pairs), "before": asdict(was), "after": after, "dry_run": qm.dry_run}
