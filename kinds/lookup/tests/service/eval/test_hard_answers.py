"""Hard strings and gold pairs, asked and judged: matches, scores, and the sum of all scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from quartermaster.core.api_call import ApiCall, ApiValue
from quartermaster.eval.gold import Need, Task
from quartermaster_lookup.eval.hard_answers import (
    HardAnswer,
    ask_all,
    by_class,
    macro,
    of_gold,
    with_removed,
)
from quartermaster_lookup.eval.hard_lookups import (
    AMBIGUOUS_CLASS,
    REMOVED_CLASS,
    RETIRED_CLASS,
    HardSet,
)

Found = Sequence[tuple[str, str, float]]


def task(tier: str, goal: str, *expected: str, held: bool = False) -> Task:
    needs = (Need(min(expected), frozenset(expected)),) if expected else ()
    split = "held" if held else "learn"
    return Task(f"{tier}:{goal}", goal, needs, split=split, scope="plant", tier=tier)


class Tables:
    """Answers a string with given rows (id, name, score); the first one matches from 0.6 on."""

    def __init__(self, found: Mapping[str, Found], retired: Mapping[str, str] | None = None):
        self.found, self.retired = found, retired or {}
        self.loaded: list[tuple[str, ...]] = []

    def call(self, asked: ApiCall[Any], /) -> list[Any]:
        given = asked.arguments
        if asked.operation == "load_lookup":
            self.loaded.append(tuple(row["id"] for row in given["rows"]))
            return []
        assert asked.operation == "search_lookups"
        return [self._answer(query, given["k_final"]) for query in given["queries"]]

    def call_value(self, asked: ApiValue[Any], /) -> Any:
        assert asked.operation == "normalize"
        return asked.arguments["text"].lower().replace("ø", "o").strip(" ?")

    def _answer(self, query: Mapping[str, Any], most: int) -> dict[str, Any]:
        rows = [
            {"id": key, "name": name, "score": score, "match": rank == 0 and score >= 0.6}
            for rank, (key, name, score) in enumerate(self.found.get(query["query"], ()))
            if score >= query.get("threshold", 0.6)
        ]
        key = self.retired.get(query["query"])
        return {"rows": rows[:most], "retired": [{"id": key}] if key else None}


def no_progress(_what: str, _done: int, _total: int, /) -> None:
    """Ignores progress."""


def ask(tables: Tables, *tasks: Task) -> list[HardAnswer]:
    return ask_all(tables, tasks, no_progress)


def test_the_match_is_that_of_the_threshold_and_the_score_that_of_the_first_row():
    tables = Tables({"sure": [("1", "a", 0.9)], "near": [("2", "b", 0.4), ("1", "a", 0.3)]})
    sure, near, none = ask(tables, *(task("lexical", goal, "1") for goal in ("sure", "near", "?")))
    assert (sure.match, sure.score, sure.is_match_right) == ("1", 0.9, True)
    assert (near.match, near.first, near.score) == (None, "2", 0.4)
    assert near.total == pytest.approx(0.7)
    assert (none.match, none.first, none.score, none.total) == (None, None, 0.0, 0.0)


@pytest.mark.parametrize(
    ("found", "total"),
    [
        ([("1", "Møller", 0.9), ("2", "Moller", 0.9)], 0.9),
        ([("1", "Møller", 0.9), ("2", "Moller", 0.8)], 0.9),
        ([("1", "Møller", 0.9), ("2", "Miller", 0.3)], 1.2),
        ([("1", "?", 0.9), ("2", "?", 0.9)], 0.9),
    ],
    ids=["one name", "its best score counts", "two names are too much", "nothing to normalise"],
)
def test_rows_that_the_database_gives_one_name_count_once(found: Found, total: float):
    [answer] = ask(Tables({"q": found}), task("lexical", "q", "1"))
    assert answer.total == pytest.approx(total)


@pytest.mark.parametrize(
    ("tier", "found", "expected", "decided_right"),
    [
        ("truncations", [("1", "a", 0.9)], ["1"], True),
        ("truncations", [("1", "a", 0.5)], ["1"], False),
        ("truncations", [("2", "b", 0.9)], ["1"], False),
        (AMBIGUOUS_CLASS, [("1", "a", 0.9)], ["1", "2"], False),
        (AMBIGUOUS_CLASS, [("1", "a", 0.5), ("2", "b", 0.5)], ["1", "2"], True),
        (REMOVED_CLASS, [("2", "b", 0.7)], [], False),
        (REMOVED_CLASS, [("2", "b", 0.5)], [], True),
        ("names in other languages", [("1", "a", 0.7)], ["1"], True),
        ("names in other languages", [("2", "b", 0.7)], ["1"], False),
        ("names in other languages", [], ["1"], True),
    ],
)
def test_what_is_right_depends_on_the_class(
    tier: str, found: Found, expected: list[str], decided_right: bool
):
    [answer] = ask(Tables({"q": found}), task(tier, "q", *expected))
    assert answer.is_decided_right is decided_right


def test_a_retired_row_is_told_and_matches_nothing():
    tables = Tables({"other": [("2", "b", 0.9)]}, retired={"old": "1", "other": "1"})
    report, matched, no_progress = ask(
        tables, *(task(RETIRED_CLASS, goal, "1") for goal in ("old", "other", "-"))
    )
    assert report.is_decided_right
    assert not matched.is_decided_right
    assert not no_progress.is_decided_right


def test_classes_count_matches_wrong_ones_and_those_never_learned_from():
    tables = Tables({
        "a": [("1", "a", 0.95)],
        "b": [("9", "z", 0.95)],
        "c": [("9", "z", 0.7)],
        "d": [("1", "a", 0.4)],
    })  # fmt: skip
    tasks = [
        task("truncations", "a", "1"),
        task("truncations", "b", "1", held=True),
        task("truncations", "c", "1"),
        task("truncations", "d", "1", held=True),
        task(REMOVED_CLASS, "e"),
    ]
    classes = by_class(ask(tables, *tasks))
    cut, gone = classes["truncations"], classes[REMOVED_CLASS]
    assert (cut["n"], cut["matched"], cut["wrong"], cut["coverage"]) == (4, 3, 2, 0.75)
    assert cut["precision"] == pytest.approx(1 / 3)
    assert (cut["sure"], cut["sure_right"]) == (2, 0.5)
    assert (cut["held_n"], cut["held_wrong"], cut["held_decided_right"]) == (2, 1, 0)
    assert (gone["matched"], gone["precision"], gone["sure_right"]) == (0, None, None)
    assert macro(classes) == {"decided_right": pytest.approx(0.625), "held_decided_right": 0.0}


def test_gold_pairs_are_judged_in_the_core_and_beyond():
    tables = Tables({"a": [("1", "a", 0.95)], "b": [("9", "z", 0.95)]})
    tasks = [task("lexical", "a", "1"), task("alias", "b", "1"), task("knowledge", "b", "1")]
    found = of_gold(ask(tables, *tasks, task("nil", "b"), task("nil", "c")))
    assert found["core_matched_right"] == 0.5
    assert [found[name] for name in ("core_matched_wrong", "knowledge_matched_wrong")] == [1, 1]
    assert (found["nil_matched"], found["sure"], found["sure_right"]) == (1, 4, 0.25)
    assert found["largest_sum"] == 0.95


def test_removed_rows_are_gone_for_their_strings_only_and_come_back():
    tables = Tables({})
    rows = [{"id": "1"}, {"id": "2"}]
    hard = HardSet([task(AMBIGUOUS_CLASS, "a")], [task(REMOVED_CLASS, "b")], {"plant": {"2"}})
    asked: list[tuple[str, int]] = []

    def note(tasks: Sequence[Task]) -> int:
        asked.append((tasks[0].goal, len(tables.loaded)))
        return len(asked)

    assert with_removed(tables, {"plant": rows, "other": []}, hard, note) == (1, 2)
    assert asked == [("a", 0), ("b", 1)]
    assert tables.loaded == [("1",), ("1", "2")]
