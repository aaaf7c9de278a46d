"""Rules tried in a transaction that is taken back: who gains and loses, and what is found then."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from quartermaster.cli.models import embed_goal
from quartermaster.cli.rules_file import RulesFile
from quartermaster.cli.session import Session
from quartermaster.errors import QmError


@dataclass(frozen=True)
class _Task:
    goal: str
    gold: frozenset[str]
    vector: str | None


def try_rules(
    session: Session,
    rules: RulesFile,
    tasks: Path | None,
    principal: str | None,
    mode: str,
    data_dir: Path | None,
) -> dict[str, Any]:
    """Applies the rules, looks, and takes them back.

    Args:
        session: of an administrator.
        rules: to try.
        tasks: YAML list of {goal, gold_tools}; None for no search.
        principal: on whose behalf is searched; None for the session's own.
        mode: of the searches.
        data_dir: whose settings name the embedding model.

    Returns:
        What api.apply_rules returns, and under ``tasks`` the counts before and after: tasks,
        tasks whose tools were all offered, tools offered of those needed.

    Raises:
        QmError: QM422 rules_invalid or tasks_invalid, QM409 rules_pinned, QM403 principal_unknown.
    """
    asked = _read_tasks(tasks, data_dir) if tasks else []
    with session.rolled_back():
        before = _count_found(session, asked, principal, mode)
        try:
            found: dict[str, Any] = session.call_value("apply_rules", definition=rules.definition)
        except QmError as error:
            raise rules.located(error) from error
        after = _count_found(session, asked, principal, mode)
    return found | ({"tasks": {"before": before, "after": after}} if tasks else {})


def _count_found(
    session: Session, tasks: list[_Task], principal: str | None, mode: str
) -> dict[str, int]:
    complete = offered = 0
    with session.acting_as(principal):
        for task in tasks:
            rows = session.call("select_tools", goal=task.goal, mode=mode, query_vector=task.vector)
            names = {row["name"] for row in rows}
            names |= {
                f"{d['origin']}/{d['tool']}"
                for name in names
                for d in session.call("describe_tool", name=name)
            }
            complete += task.gold <= names
            offered += len(task.gold & names)
    return {"tasks": len(tasks), "complete": complete, "tools": offered}


def _read_tasks(path: Path, data_dir: Path | None) -> list[_Task]:
    try:
        value: object = yaml.safe_load(path.read_text(encoding="utf-8"))
        entries = cast("list[dict[str, Any]]", value)
        return [
            _Task(str(e["goal"]), frozenset(e["gold_tools"]), embed_goal(str(e["goal"]), data_dir))
            for e in entries
        ]
    except OSError as error:
        raise QmError(
            404, "file_not_found", f"{path} cannot be read: {error.strerror}", "Check the path."
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise QmError(
            422,
            "tasks_invalid",
            f"{path} is no list of tasks {{goal, gold_tools}}: {error}",
            "qm eval export-golden writes such a file.",
        ) from error
