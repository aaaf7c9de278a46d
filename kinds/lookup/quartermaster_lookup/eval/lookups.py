"""Loads lookup tables into a database, looks up their gold pairs, and gathers training data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from time import perf_counter
from typing import Any, Final, TypeVar

from quartermaster import api as core_api
from quartermaster.core.api_call import ApiCaller
from quartermaster.eval.embedding import Progress
from quartermaster.eval.examples import CandidateName, RankingExamples
from quartermaster.eval.gold import Task
from quartermaster.eval.metrics import RankedAnswer, percentiles
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.vector_text import vector_texts
from quartermaster_lookup import api
from quartermaster_lookup.table_file import Row

SCORE: Final = "score"
"""Name of an additional feature: the score of a name without vectors."""

_ROWS: Final = 20
_BATCH: Final = 200
One = TypeVar("One")


def by_table(rows: Iterable[Row], table: str | None = None) -> dict[str, list[Row]]:
    """Groups rows by table. If a row names no table, the given table is used."""
    tables: dict[str, list[Row]] = {}
    for row in rows:
        tables.setdefault(str(row.get("table") or table or "lookup"), []).append(row)
    return tables


def batches(asked: Iterable[tuple[str, One]], size: int) -> Iterator[tuple[str, list[One]]]:
    """Yields the items of each table in batches of at most the given size."""
    tables: dict[str, list[One]] = {}
    for table, one in asked:
        tables.setdefault(table, []).append(one)
    for table, own in tables.items():
        for start in range(0, len(own), size):
            yield table, own[start : start + size]


def load(caller: ApiCaller, tables: dict[str, list[Row]], progress: Progress) -> None:
    """Creates the tables, and loads their rows.

    Raises:
        QmError: errors from the database.
    """
    done, total = 0, sum(map(len, tables.values()))
    for name, rows in tables.items():
        progress(f"loading {name}", done, total)
        caller.call(api.create_lookup(name=name))
        caller.call(api.load_lookup(lookup=name, rows=rows))
        done += len(rows)
    progress("loaded", total, total)


def question(task: Task) -> dict[str, Any]:
    """Converts a goal to the form that api.search_lookups expects."""
    # PostgreSQL cannot store NUL, and text beyond the length limit does not matter.
    query = task.goal.replace("\0", "")[:1000]
    return {"query": query, "language": task.language, "properties": task.properties}


def ask(
    caller: ApiCaller, tasks: Sequence[Task], progress: Progress
) -> tuple[list[RankedAnswer], dict[str, float]]:
    """Looks up every goal, one at a time on one connection, and measures the time.

    Returns:
        The answers, and p50 and p95 of the query times in milliseconds.

    Raises:
        QmError: errors from the database.
    """
    for task in tasks[:: max(len(tasks) // 20, 1)]:
        _search(caller, task)  # plans are made, caches are warm
    answers: list[RankedAnswer] = []
    seconds: list[float] = []
    for number, task in enumerate(tasks, start=1):
        started = perf_counter()
        rows = _search(caller, task)
        seconds.append(perf_counter() - started)
        found = tuple((str(row["id"]), float(row["score"])) for row in rows)
        rank = rank_of([key for key, _ in found], task)
        answers.append(RankedAnswer(task, rank, found[0][1] if found else 0.0, found))
        progress("asking", number, len(tasks))
    return answers, percentiles(seconds, 2)


def rank_of(keys: Sequence[str], task: Task) -> int:
    """Returns the rank of the first right answer, from 1. Returns 0 if there is none."""
    return next((rank for rank, key in enumerate(keys, start=1) if key in task.accepted), 0)


def gather(
    caller: ApiCaller,
    tasks: Sequence[Task],
    progress: Progress,
    model: EmbeddingModel | None = None,
) -> RankingExamples:
    """Gathers the candidates for every goal, table by table. Each candidate has its features and
    the feature `SCORE`.

    Args:
        caller: calls the database.
        tasks: tasks with the queries.
        progress: function that reports progress.
        model: model that embeds the goals for tables whose names have vectors. If None, vectors are
            not used.

    Raises:
        QmError: errors from the database.
    """
    names = [*caller.call_value(core_api.feature_names(kind="lookup")), SCORE]
    found: list[tuple[Task, list[CandidateName]]] = []
    for scope, some in batches(((task.scope, task) for task in tasks), _BATCH):
        found += _found(caller, scope, some, model)
        progress("looking up", len(found), len(tasks))
    return RankingExamples.of(names, found)


def _found(
    caller: ApiCaller, table: str, tasks: Sequence[Task], model: EmbeddingModel | None
) -> list[tuple[Task, list[CandidateName]]]:
    queries = [question(task) for task in tasks]
    vectors = {}
    if model is not None:
        texts = [model.query_prefix + query["query"] for query in queries]
        vectors = {"query_vectors": vector_texts(model.embed(texts))}
    found = [(task, list[CandidateName]()) for task in tasks]
    for row in caller.call(api.lookup_examples(lookup=table, queries=queries, **vectors)):
        task, candidates = found[int(row["number"]) - 1]
        key, features = str(row["id"]), (*row["features"], row["score"])
        candidates.append(CandidateName(key, row["label"], key in task.accepted, features))
    for _, candidates in found:
        candidates.sort(key=lambda candidate: candidate.key)
    return found


def _search(caller: ApiCaller, task: Task) -> list[api.SearchLookupRow]:
    asked = question(task)
    if not asked["query"].strip():
        return []
    asked["in_language"] = asked.pop("language")
    given = {name: value for name, value in asked.items() if value is not None}
    return caller.call(api.search_lookup(lookup=task.scope, k_final=_ROWS, threshold=0.0, **given))
