"""Measures how much each part of the lookup score contributes to the quality of answers. For this,
ranks the candidates of lookup tables again: by a few features, by a score that was learned from
other tables, or by a reranker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from quartermaster.eval.examples import Numbers, RankingExamples, Weights
from quartermaster.eval.gold import Task
from quartermaster.eval.metrics import CORE, RankedAnswer, recalls
from quartermaster.models.reranker import Reranker
from quartermaster_lookup.eval.fitting import FoldProgress, held_out
from quartermaster_lookup.eval.lookups import rank_of
from quartermaster_lookup.eval.vectors import COSINE, core_of
from quartermaster_lookup.table_file import Row

_TRIGRAM: Final = {"trigram": 1.0}
_BLEND: Final = {"trigram": 0.5, "cosine": 0.5}
FEATURE_ARMS: Final[dict[str, Weights]] = {
    "trigram": _TRIGRAM,
    "character n-grams with idf": {"cosine": 1},
    "blend of both, half and half": _BLEND,
    # This weight is so large that every alias ranks below every name, regardless of its blended
    # score.
    "blend without aliases": _BLEND | {"alias": -1e17},
}
VECTOR_ARMS: Final[dict[str, Weights]] = {
    "vectors": {COSINE: 1},
    "trigram and vectors, half and half": {"trigram": 0.5, COSINE: 0.5},
}
_LARGE_TABLE_PAIRS: Final = 100
_RERANKED_ROWS: Final = 5
_SAMPLE: Final = 10


def rank_by(examples: RankingExamples, features: Mapping[str, Weights]) -> list[tuple[str, ...]]:
    """Ranks the candidates with each set of weights. Returns, for each set, its name, Recall@1 and
    @5 for the core goals, and Recall@1 for the core goals that real users typed.
    """
    core = core_of(examples)
    return [_arm(name, core.tasks, core.ranks(weights)) for name, weights in features.items()]


def of_answers(answers: Sequence[RankedAnswer]) -> tuple[str, ...]:
    """Returns the same figures as `rank_by`, for the learned score."""
    core = [answer for answer in answers if answer.task.tier in CORE]
    ranks = np.array([answer.rank for answer in core], dtype=np.int64)
    return _arm("learned score", [answer.task for answer in core], ranks)


def _arm(name: str, tasks: Sequence[Task], ranks: Numbers) -> tuple[str, ...]:
    is_real = np.array([task.source == "real" for task in tasks], dtype=np.bool_)
    return name, *shown(ranks), shown(ranks[is_real])[0]


def shown(ranks: Numbers | Sequence[int]) -> tuple[str, ...]:
    """Returns Recall@1 and Recall@5 as text for people."""
    return tuple(f"{share:.3f}" for share in recalls(ranks))


def leave_tables_out(
    examples: RankingExamples, fold_progress: FoldProgress
) -> list[tuple[str | int, ...]]:
    """Compares trigrams with a score that was learned only from other tables. Returns the recall of
    both on the core goals of each larger table.
    """
    scopes = np.array([task.scope for task in examples.tasks])
    is_core = np.array([task.tier in CORE for task in examples.tasks])
    names, counts = np.unique(scopes[is_core], return_counts=True)
    larger = [str(name) for name in names[counts >= _LARGE_TABLE_PAIRS]]
    learned, plain = (
        held_out(examples, scopes, fold_progress, larger).ranks,
        examples.ranks(_TRIGRAM),
    )
    chosen = {table: (scopes == table) & is_core for table in larger}
    return [
        (table, int(own.sum()), *shown(learned[own]), *shown(plain[own]))
        for table, own in chosen.items()
    ]


def rerank(
    answers: Sequence[RankedAnswer],
    tables: dict[str, list[Row]],
    model: Reranker,
    progress: Callable[[str, int, int], None],
) -> tuple[list[int], list[int]]:
    """Compares the learned score with a reranker, on every tenth core goal.

    Returns two lists with the rank of the right row for each goal. The first list contains its rank
    among the first five rows by the learned score. The second list contains its rank after the
    reranker has sorted these five rows. The rank is 0 if the right row is not among these rows.
    """
    values = {(table, row["id"]): row["value"] for table, rows in tables.items() for row in rows}
    sample = [answer for answer in answers if answer.task.tier in CORE and answer.found][::_SAMPLE]
    before, after = list[int](), list[int]()
    for number, answer in enumerate(sample, start=1):
        task = answer.task
        keys = [key for key, _ in answer.found[:_RERANKED_ROWS]]
        scores = model.score(task.goal, [values[task.scope, key] for key in keys])
        order = sorted(range(len(keys)), key=lambda place: -float(scores[place]))
        before.append(rank_of(keys, task))
        after.append(rank_of([keys[place] for place in order], task))
        progress("reranking", number, len(sample))
    return before, after
