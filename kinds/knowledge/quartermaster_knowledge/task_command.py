"""``qm task``: shows the information that you need at the start of a task."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

from typer import Option

from quartermaster import api as core_api
from quartermaster.cli.command import Qm
from quartermaster.cli.noun import WORDS, Noun
from quartermaster.cli.session import Row
from quartermaster.core.api_call import without_none

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
) -> Sequence[Row]:
    """Show what you need to start a task: the project, decisions, results of quality gates, tools,
    notes and library symbols.
    """
    asked = without_none(
        goal=goal,
        paths=path or [],
        budget_tokens=budget_tokens,
        project=project,
        recent_context=recent_context,
    )
    roots = _roots(qm, project)
    for sentence in _missing(roots, path or []):
        qm.note(sentence)
    if qm.dsn is not None:
        return _from_database(qm, asked)
    if project is None and len(roots) == 1 and Path.cwd().is_relative_to(root := next(iter(roots))):
        asked["project"] = roots[root]
    result = qm.service.result_of("start_task", asked, "/mcp/knowledge")
    qm.say(result["content"][0]["text"])
    return result["structuredContent"]["parts"]


def _from_database(qm: Qm, asked: Row) -> Sequence[Row]:
    from quartermaster.cli.goal_models import instruction_encoder
    from quartermaster_knowledge.task import checked_parts, parts_text

    rows = qm.call(core_api.start_task(**asked))
    of_projects = any(row["note_of"] for row in rows)
    rows = checked_parts(rows, instruction_encoder(qm) if of_projects else None)
    qm.say(parts_text(rows))
    return rows


def _roots(qm: Qm, project: str | None) -> dict[Path, str]:
    """Returns the folders of the projects that the command may be about, each with OWNER/NAME. Only
    folders on this machine count.
    """
    roots = {
        root: name
        for row in qm.read(core_api.list_projects())
        for name in [f"{row['owner']}/{row['project']}"]
        if not project or project in (row["project"], name)
        if (root := Path(row["root"])).is_dir()
    }
    if project:
        return roots
    return {root: name for root, name in roots.items() if Path.cwd().is_relative_to(root)} or roots


def _missing(roots: Collection[Path], paths: Sequence[str]) -> list[str]:
    """Returns a sentence for each path that does not exist yet. If the number of known project
    folders is not one, returns an empty list.
    """
    if len(roots) != 1:
        return []
    [root] = roots
    return [f"{path} does not exist yet." for path in paths if not (root / path).exists()]
