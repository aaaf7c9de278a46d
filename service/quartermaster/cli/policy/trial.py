"""Tries rules in a transaction that is rolled back: who gains and loses, and what searches find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final, cast

import yaml

from quartermaster.cli.command import Command
from quartermaster.cli.goal_models import embed_goals
from quartermaster.cli.policy.rules_file import RulesFile
from quartermaster.cli.session import Session
from quartermaster.core.errors import QmError, unreadable

MOST_GOLDEN: Final = 200
"""How many of the newest golden tasks are tried."""
MEASURES: Final = ("nDCG@10", "Recall@5", "Recall@10", "completeness@10")
_TOP: Final = 10


@dataclass(frozen=True)
class _Task:
    goal: str
    gold: frozenset[str]
    vector: str | None


def try_rules(
    qm: Command, rules: RulesFile, tasks: Path | None, principals: Sequence[str | None], mode: str
) -> dict[str, Any]:
    """Applies the rules, measures, and rolls back.

    Args:
        qm: of an administrator; its settings name the embedding model.
        rules: to try.
        tasks: YAML list of {goal, gold_tools}; None for the golden tasks of the database.
        principals: who searches; None for the principal of the session.
        mode: of the searches.

    Returns:
        What api.apply_rules returns, and under ``evaluation`` for each principal the number of
        tasks, and the mean of each of `MEASURES` before and after; none without a task.

    Raises:
        QmError: QM422 rules_invalid or tasks_invalid, QM409 rules_pinned, QM403 principal_unknown.
    """
    session = qm.session
    known = session.call("list_golden_tasks")[:MOST_GOLDEN] if tasks is None else _read(tasks)
    vectors = embed_goals(qm, [each["goal"] for each in known]) if known else []
    asked = [
        _Task(each["goal"], frozenset(each["gold_tools"]), vector)
        for each, vector in zip(known, vectors, strict=True)
    ]
    people = principals if asked else ()
    with session.rolled_back():
        before = [_measured(session, asked, who, mode) for who in people]
        try:
            found: dict[str, Any] = session.call_value("apply_rules", definition=rules.definition)
        except QmError as error:
            raise rules.located(error) from error
        after = [_measured(session, asked, who, mode) for who in people]
    evaluation = [
        {"principal": who, "tasks": len(asked), "before": then, "after": now}
        for who, then, now in zip(people, before, after, strict=True)
    ]
    return found | {"evaluation": evaluation}


def _measured(
    session: Session, tasks: list[_Task], principal: str | None, mode: str
) -> dict[str, float]:
    from quartermaster.eval.gold import needs_of
    from quartermaster.eval.metrics import measures

    with session.acting_as(principal):
        each = [
            measures(_ranking(session, task, mode), needs_of(task.gold, {}, {}), {})
            for task in tasks
        ]
    return {name: fmean(one[name] for one in each) for name in MEASURES}


def _ranking(session: Session, task: _Task, mode: str) -> list[str]:
    """Names of the tools offered, best first, as the task names them."""
    rows = session.call(
        "select_tools", goal=task.goal, mode=mode, top=_TOP, query_vector=task.vector
    )
    names: list[str] = []
    for row in rows:
        [tool] = session.call("describe_tool", name=row["name"])
        full = f"{tool['origin']}/{tool['tool']}"
        names.append(full if full in task.gold else row["name"])
    return names


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        value: object = yaml.safe_load(path.read_text(encoding="utf-8"))
        entries = cast("list[dict[str, Any]]", value)
        return [{"goal": str(e["goal"]), "gold_tools": list(e["gold_tools"])} for e in entries]
    except OSError as error:
        raise unreadable(path, error) from error
    except (yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise QmError(
            422,
            "tasks_invalid",
            f"{path} is not a list of tasks {{goal, gold_tools}}: {error}.",
            "Create such a file with: qm eval export-golden.",
        ) from error
