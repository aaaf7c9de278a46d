"""Looks up hard strings and gold pairs in lookup tables, and judges the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any, Final, TypeVar

from quartermaster.core.api_call import ApiCaller
from quartermaster.eval.embedding import Progress
from quartermaster.eval.gold import Task
from quartermaster.eval.metrics import CORE
from quartermaster_lookup import api
from quartermaster_lookup.eval.hard_lookups import (
    AMBIGUOUS_CLASS,
    MATCHABLE_CLASSES,
    RETIRED_CLASS,
    HardSet,
)
from quartermaster_lookup.eval.lookups import batches, question
from quartermaster_lookup.table_file import Row

SURE_SCORE: Final = 0.9
_BATCH: Final = 100
_MAX_ROWS: Final = 100
AskResult = TypeVar("AskResult")


@dataclass(frozen=True)
class HardAnswer:
    """The answer of a lookup table to a string.

    Attributes:
        task: the string, and its right rows.
        first: id of the first row, whatever its score. None if there is no row.
        score: probability of this row.
        total: sum of the probabilities of all rows. Rows with the same name count only once.
        match: id of the match, at the threshold of the table. None if there is no match.
        retired: ids of the retired rows that the string names.
    """

    task: Task
    first: str | None
    score: float
    total: float
    match: str | None
    retired: frozenset[str]

    @property
    def is_match_right(self) -> bool:
        """Whether the match is a right row, and the string was clear enough for a match."""
        return (
            self.task.tier not in (AMBIGUOUS_CLASS, RETIRED_CLASS)
            and self.match in self.task.accepted
        )

    @property
    def is_match_wrong(self) -> bool:
        """Whether there is a match that is not right."""
        return self.match is not None and not self.is_match_right

    @property
    def is_decided_right(self) -> bool:
        """Whether the string matches its row if it should, and has no wrong match otherwise."""
        if self.task.tier == RETIRED_CLASS:
            return self.match is None and self.retired == self.task.accepted
        if self.task.tier in MATCHABLE_CLASSES:
            return self.is_match_right
        return not self.is_match_wrong


def ask_all(caller: ApiCaller, tasks: Sequence[Task], progress: Progress) -> list[HardAnswer]:
    """Looks up strings in batches, once at the threshold of their table and once without a
    threshold.

    Raises:
        QmError: errors from the database.
    """
    answers: list[HardAnswer] = []
    for table, some in batches(((task.scope, task) for task in tasks), _BATCH):
        queries = [question(task) for task in some]
        matched = caller.call(api.search_lookups(lookup=table, queries=queries, k_final=1))
        anyway = [query | {"threshold": 0} for query in queries]
        found = caller.call(api.search_lookups(lookup=table, queries=anyway, k_final=_MAX_ROWS))
        answers += map(partial(_judged, caller), some, matched, found)
        progress("asking", len(answers), len(tasks))
    return answers


def _judged(
    caller: ApiCaller, task: Task, matched: api.SearchLookupsRow, found: api.SearchLookupsRow
) -> HardAnswer:
    rows = found["rows"]
    return HardAnswer(
        task,
        rows[0]["id"] if rows else None,
        rows[0]["score"] if rows else 0.0,
        _total(caller, rows),
        next((row["id"] for row in matched["rows"] if row["match"]), None),
        frozenset(row["id"] for row in matched["retired"] or ()),
    )


def _total(caller: ApiCaller, rows: Sequence[Row]) -> float:
    """Returns the sum of the probabilities of rows. Rows with the same normalised name count only
    once.

    The sum is rounded to six digits, because the database computes each probability in single
    precision.
    """
    total = sum(row["score"] for row in rows)
    if total <= 1:
        return round(total, 6)
    # Only the database knows which names are the same: an approximation counts some of them twice.
    best: dict[str, float] = {}
    for row in rows:
        label = caller.call_value(api.normalize(text=row["name"])) or row["name"]
        best[label] = max(best.get(label, 0.0), row["score"])
    return round(sum(best.values()), 6)


def with_removed(
    caller: ApiCaller,
    tables: Mapping[str, Sequence[Row]],
    hard: HardSet,
    ask: Callable[[Sequence[Task]], AskResult],
) -> tuple[AskResult, AskResult]:
    """Calls a function with two groups of strings: first with the strings for the complete tables,
    then with the strings for tables without some rows.

    Args:
        caller: calls the database. At the end, its tables contain all rows again.
        tables: rows, by table.
        hard: the strings.
        ask: function that looks up strings.

    Raises:
        QmError: errors from the database.
    """
    first = ask(hard.tasks)
    for name, gone in hard.without.items():
        retained = [row for row in tables[name] if row["id"] not in gone]
        caller.call(api.load_lookup(lookup=name, rows=retained, may_remove=True))
    second = ask(hard.removed)
    for name in hard.without:
        caller.call(api.load_lookup(lookup=name, rows=tables[name]))
    return first, second


def by_class(answers: Iterable[HardAnswer]) -> dict[str, dict[str, Any]]:
    """Returns, for each class of strings, the coverage and the precision of the matches and of the
    answers with a score of at least 0.9.

    The members `matched` and `wrong` count strings. The members `held_*` describe the strings whose
    entities were never used for learning (a third of all strings).
    """
    classes: dict[str, list[HardAnswer]] = {}
    for answer in answers:
        classes.setdefault(answer.task.tier, []).append(answer)
    return {name: _class(own) for name, own in classes.items()}


def _class(answers: Sequence[HardAnswer]) -> dict[str, Any]:
    held = [answer for answer in answers if answer.task.split == "held"]
    matched = [answer for answer in answers if answer.match is not None]
    right = sum(answer.is_match_right for answer in matched)
    sure = [answer for answer in answers if answer.score >= SURE_SCORE]
    return {
        "n": len(answers),
        "coverage": len(matched) / len(answers),
        "precision": right / len(matched) if matched else None,
        "matched": len(matched),
        "wrong": len(matched) - right,
        "sure": len(sure),
        "sure_right": fmean(_is_sure_right(answer) for answer in sure) if sure else None,
        "largest_sum": max(answer.total for answer in answers),
        "decided_right": fmean(answer.is_decided_right for answer in answers),
        "held_n": len(held),
        "held_wrong": sum(one.is_match_wrong for one in held),
        "held_decided_right": fmean(one.is_decided_right for one in held) if held else None,
    }


def _is_sure_right(answer: HardAnswer) -> bool:
    return (
        answer.task.tier not in (AMBIGUOUS_CLASS, RETIRED_CLASS)
        and answer.first in answer.task.accepted
    )


def macro(classes: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """Returns the share of strings that were decided correctly, averaged over the classes: for all
    strings, and for the strings that were never used for learning.
    """
    held = [row["held_decided_right"] for row in classes.values() if row["held_n"]]
    return {
        "decided_right": fmean(row["decided_right"] for row in classes.values()),
        "held_decided_right": fmean(held) if held else 0.0,
    }


def of_gold(answers: Sequence[HardAnswer]) -> dict[str, Any]:
    """Returns how many gold pairs have a right or a wrong match, in the core and in other tiers."""
    core = [answer for answer in answers if answer.task.tier in CORE]
    sure = [answer for answer in answers if answer.score >= SURE_SCORE]

    def wrong(tier: str) -> int:
        return sum(one.is_match_wrong for one in answers if one.task.tier == tier)

    return {
        "core_matched_right": fmean(one.is_match_right for one in core) if core else None,
        "core_matched_wrong": sum(one.is_match_wrong for one in core),
        "knowledge_matched_wrong": wrong("knowledge"),
        "nil_matched": wrong("nil"),
        "sure": len(sure),
        "sure_right": fmean(_is_sure_right(answer) for answer in sure) if sure else None,
        "largest_sum": max((answer.total for answer in answers), default=0.0),
    }
