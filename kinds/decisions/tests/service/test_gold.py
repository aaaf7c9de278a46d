"""Decisions that a person wrote down are served where they apply, the right ones first."""

from __future__ import annotations

import json
import math
from typing import Any

from psycopg import Connection

from kinds.decisions.tests.service.toy_gold import DECISIONS, PLACES
from tests.support.database import Database

_BEST = 8


def served(connection: Connection[Any], names: dict[int, str], path: str, task: str) -> list[str]:
    """Returns the names of the decisions that are served, in their order."""
    rows = connection.execute(
        "select decision from api.decisions_for(%s, %s) order by index", [path, task]
    ).fetchall()
    return [names[number] for (number,) in rows]


def store(connection: Connection[Any], decisions: dict[str, Any]) -> dict[int, str]:
    """Imports decisions and approves them; their names by id."""
    rows = connection.execute(
        "select c.decision from api.import_decisions(%s) as c order by c.place",
        [json.dumps(list(decisions.values()))],
    ).fetchall()
    ids = [number for (number,) in rows]
    connection.execute("select api.approve_decisions(%s)", [ids])
    return dict(zip(ids, decisions, strict=True))


def ndcg(found: list[str], wanted: dict[str, int]) -> float:
    """Returns how near the order is to the best one, among the first eight."""
    best = sorted(wanted.values(), reverse=True)[:_BEST]
    gained = sum(wanted.get(name, 0) / math.log2(place + 2) for place, name in enumerate(found))
    return gained / sum(gain / math.log2(place + 2) for place, gain in enumerate(best))


def measured(
    connection: Connection[Any],
    decisions: dict[str, Any],
    places: list[tuple[str, str, dict[str, int]]],
) -> tuple[float, int, list[str]]:
    """Returns the mean nDCG@8, at how many places nothing was served rightly, and what was
    served.
    """
    names = store(connection, decisions)
    connection.execute("analyze")
    gains: list[float] = []
    silent = 0
    report: list[str] = []
    for path, task, wanted in places:
        found = served(connection, names, path, task)
        if wanted:
            gains.append(ndcg(found, wanted))
        else:
            silent += not found
        report.append(f"{gains[-1] if wanted else '':<5.4} {path}, {task}: {found} of {wanted}")
    return sum(gains) / len(gains), silent, report


def test_the_right_decisions_are_served_first_and_none_where_none_applies(database: Database):
    with database.connect() as connection, connection.transaction():
        connection.execute("select t.make_project('shop', 'alice')")
        connection.execute(
            "update policy.principal set curates_decisions = true where name = 'alice'"
        )
        connection.execute("select t.log_in('alice')")
        mean, silent, report = measured(connection, DECISIONS, PLACES)
    assert mean >= 0.6, "\n".join(report)
    assert silent >= 4, "\n".join(report)
