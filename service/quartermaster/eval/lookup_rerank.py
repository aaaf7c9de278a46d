"""What a reranker would do to the first answers of lookup tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from quartermaster.eval.lookup_metrics import CORE, Answer
from quartermaster.eval.lookup_running import Progress
from quartermaster.lookup.table_file import Row
from quartermaster.models.reranker import Reranker

_RERANKED: Final = 5
_SAMPLE: Final = 10


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


def _rank(keys: Sequence[str], expected: frozenset[str]) -> int:
    return next((place for place, key in enumerate(keys, start=1) if key in expected), 0)
