"""``qm task``: what you need first when you begin a task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from typer import Option

from quartermaster.cli.command import Qm
from quartermaster.cli.goal_models import embed_goal_in, instruction_encoder
from quartermaster.cli.noun import WORDS, Noun
from quartermaster.cli.session import Row

noun = Noun()


@noun.verb()
def task_command(
    qm: Qm,
    goal: Annotated[str, "What you want to do.", WORDS],
    path: Annotated[list[str] | None, "File below the root of the project; repeatable."] = None,
    budget_tokens: Annotated[
        int, "Maximum length of the whole answer in tokens.", Option(min=1)
    ] = 2000,
    project: Annotated[
        str | None, "Name of the project, or OWNER/NAME.", Option(envvar="QM_PROJECT")
    ] = None,
    recent_context: Annotated[
        str | None, "What was said before in the conversation, if the goal refers to it."
    ] = None,
) -> list[Row]:
    """Show what you need to start a task: the project, decisions, results of quality gates, tools,
    notes and library symbols.
    """
    from quartermaster.knowledge.task import checked_parts, told_parts

    rows = qm.call(
        "start_task",
        goal=goal,
        paths=path or [],
        budget_tokens=budget_tokens,
        project=project,
        recent_context=recent_context,
        query_vector=embed_goal_in(qm, goal, recent_context),
    )
    of_projects = any(row["note_of"] for row in rows)
    rows = checked_parts(rows, instruction_encoder(qm) if of_projects else None)
    for sentence in _missing(qm, project, path or []):
        qm.note(sentence)
    qm.say(told_parts(rows))
    return rows


def _missing(qm: Qm, project: str | None, paths: Sequence[str]) -> list[str]:
    """Says which paths do not exist yet, if the folder of the project is on this machine."""
    if not paths:
        return []
    roots = [
        root
        for row in qm.call("list_projects")
        if not project or project in (row["project"], f"{row['owner']}/{row['project']}")
        if (root := Path(row["root"])).is_dir()
    ]
    if not project:
        roots = [root for root in roots if Path.cwd().is_relative_to(root)] or roots
    if len(roots) != 1:
        return []
    return [f"{path} does not exist yet." for path in paths if not (roots[0] / path).exists()]
