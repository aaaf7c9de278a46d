"""What single channels would do over the same candidates, and what a table unseen gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any, Final

import numpy as np

from quartermaster.eval.lookup_examples import Examples
from quartermaster.eval.lookup_fitting import Told, held_out
from quartermaster.eval.lookup_gold import Pair
from quartermaster.eval.lookup_metrics import CORE, Answer

_COSINE, _TRIGRAM, _ALIAS = 0, 3, 17
_LEAST: Final = 100
Rank = Callable[[dict[str, Any]], float]


def _trigram(name: dict[str, Any]) -> float:
    return name["features"][_TRIGRAM]


def _cosine(name: dict[str, Any]) -> float:
    return name["features"][_COSINE]


def _blend(name: dict[str, Any]) -> float:
    return (_trigram(name) + _cosine(name)) / 2


def _meaning(name: dict[str, Any]) -> float:
    return name["features"][-1]


def _seed(name: dict[str, Any]) -> float:
    return (_trigram(name) + _meaning(name)) / 2


def _values_only(name: dict[str, Any]) -> float:
    return -1.0 if name["features"][_ALIAS] else _blend(name)


_ARMS: Final[dict[str, Rank]] = {
    "trigram": _trigram,
    "character n-grams with idf": _cosine,
    "blend of both, half and half": _blend,
    "blend without aliases": _values_only,
}
_WITH_VECTORS: Final[dict[str, Rank]] = {
    "vectors": _meaning,
    "trigram and vectors, half and half": _seed,
}


def ablation(examples: Examples) -> list[tuple[str, ...]]:
    """The core ranked by each channel that needs no vectors, over the same candidates: Recall@1
    and @5, and Recall@1 of its real strings."""
    return [_arm(name, _ranked(examples, rank)) for name, rank in _ARMS.items()]


def with_vectors(examples: Examples) -> list[tuple[str, ...]]:
    """As `ablation`, of what vectors and trigrams do; of candidates found with vectors."""
    return [_arm(name, _ranked(examples, rank)) for name, rank in _WITH_VECTORS.items()]


def of_answers(answers: Sequence[Answer]) -> tuple[str, ...]:
    """As `ablation`, of the learned score."""
    found = [(answer.pair, answer.rank or 0) for answer in answers if answer.pair.tier in CORE]
    return _arm("learned score", found)


def of_ranks(ranks: Sequence[int]) -> tuple[str, str]:
    """Recall@1 and @5 as people read them; rank 0 is of what was not found."""
    return f"{_share(ranks, 1):.3f}", f"{_share(ranks, 5):.3f}"


def left_out(examples: Examples, told: Told) -> list[tuple[str, int, str, str, str, str]]:
    """Recall of the core of each larger table by a score that has learned from the others only,
    beside that of trigrams."""
    tables = np.array([pair.table for pair in examples.pairs])
    core = np.array([pair.tier in CORE for pair in examples.pairs])
    names, counts = np.unique(tables[core], return_counts=True)
    larger = [str(name) for name, count in zip(names, counts, strict=True) if count >= _LEAST]
    firsts = held_out(examples, tables, told, larger)
    rows: list[tuple[str, int, str, str, str, str]] = []
    for table in larger:
        chosen = np.flatnonzero((tables == table) & core)
        learned = [int(firsts.ranks[number]) for number in chosen]
        plain = [_place(examples, int(number), _trigram) for number in chosen]
        figures = (_share(ranks, cut) for ranks in (learned, plain) for cut in (1, 5))
        first, second, third, fourth = (f"{figure:.3f}" for figure in figures)
        rows.append((table, len(chosen), first, second, third, fourth))
    return rows


def _ranked(examples: Examples, rank: Rank) -> list[tuple[Pair, int]]:
    return [
        (pair, _place(examples, number, rank))
        for number, pair in enumerate(examples.pairs)
        if pair.tier in CORE
    ]


def _arm(name: str, found: Sequence[tuple[Pair, int]]) -> tuple[str, ...]:
    real = [rank for pair, rank in found if pair.origin == "real"]
    return name, *of_ranks([rank for _, rank in found]), of_ranks(real)[0]


def _place(examples: Examples, number: int, rank: Rank) -> int:
    """Rank of the first right row, from 1; 0 where there is none."""
    best: dict[str, float] = {}
    for name in examples.found[number]:
        best[name["id"]] = max(best.get(name["id"], -2.0), rank(name))
    ordered = sorted(best, key=lambda key: -best[key])
    expected = examples.pairs[number].expected
    return next((place for place, key in enumerate(ordered, start=1) if key in expected), 0)


def _share(ranks: Sequence[int], cut: int) -> float:
    return fmean(0 < rank <= cut for rank in ranks) if ranks else 0.0
