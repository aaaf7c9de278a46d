"""``qm eval export-golden`` and ``export-tools``: export your catalog as input for ``qm eval``."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from typing import Annotated, Final

import yaml
from typer import Option

from quartermaster import api
from quartermaster.cli.command import PlainCommand
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import To
from quartermaster.cli.output import counted, err, note, written

SPLITS: Final = (
    "Each goal always stays in the same split (train, dev or test), so that you can learn from one"
    " split and measure on another."
)
_NO_TASKS_NOTE: Final = (
    "No tasks yet. A task is recorded when an agent searches and then calls a tool that it found."
    " The job `learn` counts these calls when the time in the setting feedback.window has passed"
    " (default: 30 minutes)."
)
Percent = Annotated[int, "Percentage of the goals to put in this split.", Option(min=0, max=50)]
_PAGE: Final = 1000

noun = Noun()


@noun.verb(epilog=SPLITS)
def export_golden_command(
    qm: PlainCommand,
    to: To = None,
    minimum: Annotated[
        int, "Only tools with at least this many successful calls.", Option(min=1)
    ] = 1,
    with_negatives: Annotated[
        bool,
        "Also export, as wrong answers, tools that ranked higher than the called tools but were"
        " not called.",
    ] = False,
    dev: Percent = 20,
    test: Percent = 20,
) -> None:
    """Export tasks (goals, and the tools that agents used for them) from recorded searches to a
    YAML file.
    """
    rows = qm.call(api.list_golden_tasks(minimum=minimum))
    retained = ("goal", "gold_tools", "mode", "split", "notes")
    retained += ("hard_negatives",) * with_negatives
    tasks = [row | {"split": split_of(row["goal"], dev, test)} for row in rows]
    chosen = [{name: task[name] for name in retained} for task in tasks]
    with written(to) as write:
        write(yaml.safe_dump(chosen, allow_unicode=True, sort_keys=False, width=100))
    if to is not None:
        splits = Counter(task["split"] for task in tasks)
        shares = ", ".join(f"{name} {splits[name]}" for name in ("train", "dev", "test"))
        note(f"{counted(len(tasks), 'task')} written to {to}: {shares}.")
    if not tasks:
        note(_NO_TASKS_NOTE + (" You can also try a lower --minimum." if minimum > 1 else ""))


def split_of(goal: str, dev: int, test: int) -> str:
    """Returns the split to which a goal belongs, chosen by the hash of its lowercase text.

    Args:
        goal: goal in plain words.
        dev, test: percentages of goals in these splits; all other goals belong to train.
    """
    place = int.from_bytes(sha256(goal.lower().encode()).digest()[:8]) % 100
    if place < test:
        return "test"
    return "dev" if place < test + dev else "train"


@noun.verb()
def export_tools_command(qm: PlainCommand, to: To = None) -> None:
    """Export all tools that you may use, as JSON Lines for qm eval run and qm import."""
    count, after, session = 0, "", qm.session
    with err.status("exporting the tools"), written(to) as write:
        while rows := session.call(api.export_tools(after_name=after, limit_to=_PAGE)):
            for row in rows:
                write(json.dumps(row["tool"], ensure_ascii=False) + "\n")
            count, after = count + len(rows), rows[-1]["name"]
    if to is not None:
        note(f"{counted(count, 'tool')} written to {to}.")
