"""More tools than there are: real ones told in other words, with vectors beside the real ones.

A copy has an origin and a name of its own, and every third word of its description is exchanged
for another one that is about as common. Its vector is the real tool's with noise of a tenth of
its length, brought to length 1 again: nearer to its original than to anything else, as the
near-duplicates of a real catalog are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from lab.comparisons.retrieval_sets import Tool

PADDING_METHOD = (
    "every third word of the description exchanged, its vector the original's with noise of a tenth"
)
_WORD = re.compile(r"[A-Za-z]{3,}")
_COPY = re.compile(r"(.+) copy \d+", re.DOTALL)
_EXCHANGED_WORDS = 3
_NEIGHBOURS = 20
_NOISE = 0.1


def pad_tools(tools: Sequence[Tool], count: int, seed: int = 3) -> list[Tool]:
    """As many further tools as are missing to `count`, the same ones every time.

    Args:
        tools: the real ones, at least one where `count` is more than 0.
        count: tools in all.
        seed: of the random numbers.
    """
    vocabulary = Counter(
        word for tool in tools for word in _WORD.findall(str(tool.get("description") or "").lower())
    )
    common = [word for word, _ in vocabulary.most_common()]
    rank_of = {word: rank for rank, word in enumerate(common)}
    random = np.random.default_rng(seed)

    def exchange(match: re.Match[str]) -> str:
        word = match[0]
        if random.integers(_EXCHANGED_WORDS):
            return word
        rank = rank_of.get(word.lower(), 0) + int(random.integers(1, _NEIGHBOURS))
        return common[rank % len(common)]

    copies = range(count - len(tools))
    return [_copy(tools[row % len(tools)], row // len(tools) + 1, exchange) for row in copies]


def original_of(origin: str, name: str) -> tuple[str, str] | None:
    """Origin and name of the tool that this one is a copy of; None for a real one."""
    match = _COPY.fullmatch(origin)
    return (match[1], name.rpartition("_")[0]) if match else None


def pad_vectors(vectors: NDArray[np.float32], seed: int = 4) -> NDArray[np.float32]:
    """Returns vectors of copies: float32 [copies, dimension], each of L2 norm 1.

    Args:
        vectors: of their originals, float32 [copies, dimension].
        seed: of the random numbers.
    """
    random = np.random.default_rng(seed)
    noise = random.standard_normal(vectors.shape, dtype=np.float32)
    moved = vectors + _NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
    return moved / np.linalg.norm(moved, axis=1, keepdims=True)


def _copy(tool: Tool, number: int, exchange: Callable[[re.Match[str]], str]) -> Tool:
    return {
        **tool,
        "origin": f"{tool['origin']} copy {number}",
        "name": f"{tool['name']}_{number + 1}",
        "description": _WORD.sub(exchange, str(tool.get("description") or "")),
    }
