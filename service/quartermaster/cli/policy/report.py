"""Shows who gains and loses which tools when the rules change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from quartermaster.cli.command import Command
from quartermaster.cli.output import counted
from quartermaster.cli.session import Row

_NAMES_SHOWN: Final = 5


def show_changes(qm: Command, changes: Sequence[Row]) -> None:
    """Prints a row for each principal that gains or loses tools, with some of the tool names.

    Args:
        qm: command that prints the rows.
        changes: changes returned by api.apply_rules or api.activate_rules.
    """
    columns = (
        "principal",
        "role",
        "organisation",
        ("gains", "+{gained}"),
        ("loses", "-{lost}"),
        ("tools", _names),
    )
    qm.table(changes, columns)
    if not changes:
        qm.say("Nobody gains or loses a tool.")


def show_evaluation(qm: Command, evaluation: Sequence[Row]) -> None:
    """Prints the search quality for each principal, before and after the change.

    Args:
        qm: command that prints the figures.
        evaluation: evaluation returned by `quartermaster.cli.policy.trial.try_rules`.
    """
    if not evaluation:
        qm.say(
            "The effect on searches was not measured: no goals were learned from receipts yet."
            " Give a file with goals and their tools: --tasks FILE."
        )
        return
    figures = [(name, f"{{{name}:.3f}}") for name in evaluation[0]["before"]]
    rows = [
        {"principal": each["principal"] or "you", "when": when, **each[when]}
        for each in evaluation
        for when in ("before", "after")
    ]
    title = f"Search quality on {counted(evaluation[0]['tasks'], 'task')}"
    qm.table(rows, ("principal", "when", *figures), title=title)


def _names(change: Row) -> str:
    names = [f"+{name}" for name in change["gains"]] + [f"-{name}" for name in change["loses"]]
    more = change["gained"] + change["lost"] - len(names[:_NAMES_SHOWN])
    return " ".join(names[:_NAMES_SHOWN]) + (f" and {more} more" if more else "")
