"""``qm eval export-golden``: goals and the tools that did them, as tasks for ``qm eval run``."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import Annotated, Final

import typer
import yaml

from quartermaster.cli.exporting import To, written
from quartermaster.cli.output import err
from quartermaster.cli.session import DataDir, Dsn, open_session

SPLITS: Final = (
    "A goal stays in its split, dev, test or train, whatever is learned later: learn from one,"
    " measure on another."
)
_NOTHING: Final = (
    "[bold]Next:[/] have an agent ask search_tools and call what it offers. The job learn (qm job"
    " list) counts a search once the setting feedback.window, 30 minutes unless changed, is over"
)
Percent = Annotated[int, typer.Option(min=0, max=50, help="Share of the goals, in percent.")]


def export_golden_command(
    to: To = None,
    minimum: Annotated[
        int, typer.Option(min=1, help="Successful calls that make a tool right for a goal.")
    ] = 1,
    with_negatives: Annotated[
        bool, typer.Option("--with-negatives", help="Also tools offered above and not called.")
    ] = False,
    dev: Percent = 20,
    test: Percent = 20,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Write what receipts have taught as YAML tasks: goal, gold_tools, mode, split, notes."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_golden_tasks", minimum=minimum)
    kept = ("goal", "gold_tools", "mode", "split", "notes")
    kept += ("hard_negatives",) * with_negatives
    tasks = [row | {"split": split_of(row["goal"], dev, test)} for row in rows]
    chosen = [{name: task[name] for name in kept} for task in tasks]
    with written(to) as write:
        write(yaml.safe_dump(chosen, allow_unicode=True, sort_keys=False, width=100))
    if to is not None:
        splits = Counter(task["split"] for task in tasks)
        shares = ", ".join(f"{name} {splits[name]}" for name in ("train", "dev", "test"))
        err.print(f"{len(tasks)} tasks written to {to}: {shares}", highlight=False)
    if not tasks:
        fewer = "; or try a lower --minimum." if minimum > 1 else "."
        err.print(_NOTHING + fewer, highlight=False)


def split_of(goal: str, dev: int, test: int) -> str:
    """The split of a goal, by its hash: upper and lower case are one goal.

    Args:
        goal: in plain words.
        dev, test: their shares in percent; the rest is train.
    """
    place = int.from_bytes(sha256(goal.lower().encode()).digest()[:8]) % 100
    if place < test:
        return "test"
    return "dev" if place < test + dev else "train"
