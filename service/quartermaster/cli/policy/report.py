"""Shows who gains and loses which tools by a change of rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from quartermaster.cli.output import counted, print_table, say

_NAMES_SHOWN: Final = 5


def print_changes(changes: Sequence[dict[str, Any]]) -> None:
    """A row for each principal that gains or loses tools, with some of their names.

    Args:
        changes: of api.apply_rules and api.activate_rules.
    """
    if not changes:
        say("Nobody gains or loses a tool.")
        return
    rows = [
        (
            change["principal"],
            change["role"],
            change["organisation"],
            f"+{change['gained']}",
            f"-{change['lost']}",
            _some(
                [*(f"+{n}" for n in change["gains"]), *(f"-{n}" for n in change["loses"])], change
            ),
        )
        for change in changes
    ]
    print_table(("principal", "role", "organisation", "gains", "loses", "tools"), rows)


def print_evaluation(evaluation: Sequence[dict[str, Any]]) -> None:
    """How well each principal's searches do, before and after.

    Args:
        evaluation: of `quartermaster.cli.policy.trial.try_rules`.
    """
    if not evaluation:
        say("No search was tried, since no tasks are known yet. Give some with --tasks.")
        return
    names = list(evaluation[0]["before"])
    rows = [
        (each["principal"] or "you", when, *(f"{each[when][name]:.3f}" for name in names))
        for each in evaluation
        for when in ("before", "after")
    ]
    title = f"Search quality on {counted(evaluation[0]['tasks'], 'task')}"
    print_table(("principal", "when", *names), rows, title=title)


def _some(names: list[str], change: dict[str, Any]) -> str:
    more = change["gained"] + change["lost"] - len(names[:_NAMES_SHOWN])
    return " ".join(names[:_NAMES_SHOWN]) + (f" and {more} more" if more else "")
