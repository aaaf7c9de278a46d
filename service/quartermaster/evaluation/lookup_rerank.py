"""What vectors and a reranker would add to the learned score of lookup tables, table by table.

Names are embedded in memory: this says whether a table of vectors would pay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.evaluation.lookup_metrics import CORE, Answer
from quartermaster.evaluation.lookup_running import Progress
from quartermaster.lookup.table_file import Row
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.reranker import Reranker

_FEWEST: Final = 50
_NEAREST: Final = 30
_SHARES: Final = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
_CHUNK: Final = 512
_RERANKED: Final = 5
_SAMPLE: Final = 10


@dataclass(frozen=True)
class Pays:
    """Recall@1 and @5 of the core of a table.

    Attributes:
        table: its name.
        pairs: how many.
        dense, learned, both: by vectors alone, by the learned score, by their sum; how much
            vectors weigh in it is chosen on one half of the entities and judged on the other.
    """

    table: str
    pairs: int
    dense: tuple[float, float]
    learned: tuple[float, float]
    both: tuple[float, float]


def dense(
    answers: Sequence[Answer],
    tables: dict[str, list[Row]],
    model: EmbeddingModel,
    progress: Progress,
) -> list[Pays]:
    """Whether vectors pay, for each table with 50 pairs of the core or more."""
    asked: dict[str, list[Answer]] = {}
    for answer in answers:
        if answer.pair.tier in CORE and answer.pair.query.strip():
            asked.setdefault(answer.pair.table, []).append(answer)
    chosen = {table: own for table, own in sorted(asked.items()) if len(own) >= _FEWEST}
    found: list[Pays] = []
    for table, own in chosen.items():
        rows = [row for row in tables.get(table, []) if row["active"]]
        names = [(row["id"], name) for row in rows for name in (row["value"], *row["aliases"])]
        passages = _embedded(
            model,
            [model.passage_prefix + name for _, name in names],
            f"embedding {table}",
            progress,
        )
        queries = [model.query_prefix + answer.pair.query for answer in own]
        asking = _embedded(model, queries, f"embedding queries to {table}", progress)
        keys = np.array([key for key, _ in names])
        near = [_nearest(passages @ query, keys) for query in asking]
        found.append(_pays(table, own, near))
    return found


def rerank(
    answers: Sequence[Answer], tables: dict[str, list[Row]], model: Reranker, progress: Progress
) -> tuple[list[int], list[int]]:
    """Ranks of the right rows among the first five, of every tenth query of the core: as the
    learned score has them, and as a reranker has; 0 where there is none.
    """
    values = {(table, row["id"]): row["value"] for table, rows in tables.items() for row in rows}
    sample = [answer for answer in answers if answer.pair.tier in CORE and answer.found][::_SAMPLE]
    before, after = list[int](), list[int]()
    for number, answer in enumerate(sample, start=1):
        keys = [key for key, _ in answer.found[:_RERANKED]]
        texts = [values[answer.pair.table, key] for key in keys]
        scores = model.score(answer.pair.query, texts)
        order = sorted(range(len(keys)), key=lambda place: -float(scores[place]))
        before.append(_rank(keys, answer.pair.expected))
        after.append(_rank([keys[place] for place in order], answer.pair.expected))
        progress("reranking", number, len(sample))
    return before, after


def _pays(table: str, own: Sequence[Answer], near: Sequence[dict[str, float]]) -> Pays:
    halves = np.array([answer.pair.fold(2) for answer in own])
    by_share = {
        share: np.array(
            [_blended(answer, far, share) for answer, far in zip(own, near, strict=True)]
        )
        for share in _SHARES
    }
    ranks = np.zeros(len(own), dtype=np.int64)
    for half in (0, 1):
        known, held = halves != half, halves == half
        best = max(_SHARES, key=lambda share: (by_share[share][known] == 1).sum())
        ranks[held] = by_share[best][held]
    alone = [
        _rank(_ordered(far), answer.pair.expected) for answer, far in zip(own, near, strict=True)
    ]
    return Pays(table, len(own), _shares(np.array(alone)), _shares(by_share[0.0]), _shares(ranks))


def _blended(answer: Answer, near: dict[str, float], share: float) -> int:
    """Rank by log odds plus cosine; rows that only vectors find stand where the last found does."""
    odds = {key: log(max(p, 1e-6) / max(1 - p, 1e-6)) for key, p in answer.found}
    last = min(odds.values(), default=0.0)
    if share:
        odds = {
            key: odds.get(key, last) + share * near.get(key, 0.0)
            for key in [*odds, *(key for key in near if key not in odds)]
        }
    return _rank(_ordered(odds), answer.pair.expected)


def _nearest(cosines: NDArray[np.float32], keys: NDArray[np.str_]) -> dict[str, float]:
    """The nearest rows with the cosine of their nearest name."""
    found: dict[str, float] = {}
    for place in np.argsort(-cosines)[: 3 * _NEAREST]:
        found.setdefault(str(keys[place]), float(cosines[place]))
        if len(found) == _NEAREST:
            break
    return found


def _embedded(
    model: EmbeddingModel, texts: Sequence[str], what: str, progress: Progress
) -> NDArray[np.float32]:
    parts: list[NDArray[np.float32]] = []
    for start in range(0, len(texts), _CHUNK):
        parts.append(model.embed(texts[start : start + _CHUNK]))
        progress(what, min(start + _CHUNK, len(texts)), len(texts))
    return np.concatenate(parts)


def _ordered(scores: dict[str, float]) -> list[str]:
    return sorted(scores, key=lambda key: -scores[key])


def _rank(keys: Sequence[str], expected: frozenset[str]) -> int:
    return next((place for place, key in enumerate(keys, start=1) if key in expected), 0)


def _shares(ranks: NDArray[np.int64]) -> tuple[float, float]:
    return float((ranks == 1).mean()), float(((ranks > 0) & (ranks <= 5)).mean())
