"""Vectors are computed once, whatever number of runs ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.remembered import RememberedModel, memory_file


class Counting:
    """A model that counts the texts it embeds."""

    name, dimension, query_prefix, passage_prefix = "counting", 2, "", ""

    def goal_text(self, goal: str) -> str:
        return goal

    def goal_texts(self, goal: str) -> list[str]:
        return [goal]

    def __init__(self, factor: float = 1) -> None:
        self.texts = 0
        self._factor = factor

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += len(texts)
        return np.array([[len(text) * self._factor, 1] for text in texts], np.float32)


def test_a_second_run_embeds_nothing(tmp_path: Path):
    model = Counting()
    file = memory_file(tmp_path / "cache", model)
    first = RememberedModel(model, file)
    vectors = first.embed(["a", "bbb", "a"])
    assert first.computed == 2
    first.save()

    before = model.texts
    second = RememberedModel(model, file)
    assert (second.embed(["a", "bbb", "a"]) == vectors).all()
    assert (second.computed, model.texts) == (0, before)
    assert second.embed([]).shape == (0, 2)


def test_another_model_of_the_same_name_has_another_file(tmp_path: Path):
    assert memory_file(tmp_path, Counting()) != memory_file(tmp_path, Counting(factor=2))
    assert memory_file(tmp_path, Counting()) == memory_file(tmp_path, Counting())
