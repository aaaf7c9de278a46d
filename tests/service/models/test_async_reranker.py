from __future__ import annotations

import threading
from collections.abc import Sequence

import anyio
import anyio.to_thread
import numpy as np
import pytest
from anyio.lowlevel import checkpoint

from quartermaster.models.asynchronous import AsyncReranker, EarlyExit

pytestmark = pytest.mark.anyio


class _Judge:
    """Scores a text by the number it is; a call waits until the gate is open."""

    name = "judge"

    def __init__(self) -> None:
        self.calls: list[list[tuple[str, str]]] = []
        self.entered, self.gate = threading.Event(), threading.Event()

    def score(self, query: str, texts: Sequence[str]) -> np.ndarray:
        return self.score_pairs([(query, text) for text in texts])

    def score_pairs(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        self.calls.append(list(pairs))
        self.entered.set()
        assert self.gate.wait(30)
        return np.array([float(text) for _, text in pairs], np.float32)


@pytest.fixture
def judge() -> _Judge:
    model = _Judge()
    model.gate.set()
    return model


async def test_scores_come_in_the_order_of_the_texts(judge: _Judge) -> None:
    texts = [str(number) for number in (3, 1, 2)]
    assert (await AsyncReranker(judge).score("goal", texts)).tolist() == [3, 1, 2]
    assert (await AsyncReranker(judge).score("goal", [])).tolist() == []


async def test_searches_that_wait_share_one_call() -> None:
    model = _Judge()
    reranker = AsyncReranker(model)
    found: dict[str, list[float]] = {}

    async def ask(goal: str, *texts: str) -> None:
        found[goal] = (await reranker.score(goal, texts)).tolist()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, "first", "1")
        assert await anyio.to_thread.run_sync(model.entered.wait, 30)
        tasks.start_soon(ask, "second", "2", "3")
        tasks.start_soon(ask, "third", "4")
        await checkpoint()
        model.gate.set()
    assert model.calls[1:] == [[("second", "2"), ("second", "3"), ("third", "4")]]
    assert found == {"first": [1], "second": [2, 3], "third": [4]}


@pytest.mark.parametrize(
    ("texts", "scored"),
    [
        # keep 2, step 2, margin 1: the best of a step against the second best of all.
        ([9, 8, 7, 6, 5, 4], 4),
        ([9, 8, 7.5, 6, 5, 4], 6),
        ([1, 2, 3, 4, 5, 6], 6),
        ([9, 8], 2),
    ],
)
async def test_what_is_settled_is_not_scored_further(
    judge: _Judge, texts: list[float], scored: int
) -> None:
    reranker = AsyncReranker(judge, EarlyExit(margin=1, keep=2, step=2))
    assert len(await reranker.score("goal", [str(text) for text in texts])) == scored


async def test_without_a_margin_every_text_is_scored(judge: _Judge) -> None:
    texts = [str(-number) for number in range(100)]
    assert len(await AsyncReranker(judge).score("goal", texts)) == 100
    assert [len(call) for call in judge.calls] == [32, 32, 32, 4]
