"""A question and texts are compared token by token."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from quartermaster.models.late_interaction import (
    compare_tokens,
    reordered,
    texts_to_compare,
)


class _Letters:
    """A model whose tokens are letters; different letters are at right angles."""

    name, dimension, query_prefix, passage_prefix = "letters", 26, "", ""

    def goal_text(self, goal: str) -> str:
        return goal

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError(texts)


class _WithTokens(_Letters):
    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]] | None:
        return [np.eye(26, dtype=np.float32)[[ord(each) - 97 for each in text]] for text in texts]


def test_the_share_of_tokens_that_the_other_side_has_is_computed_both_ways() -> None:
    compared = compare_tokens(_WithTokens(), "ab", ["ab", "abcd", "az", "z"])
    assert compared["asked"] == pytest.approx([1, 1, 0.5, 0])
    assert compared["told"] == pytest.approx([1, 0.5, 0.5, 0])


def test_the_question_is_compared_in_a_language_that_the_model_reads() -> None:
    class English(_WithTokens):
        def goal_text(self, goal: str) -> str:
            return {"xy": "ab"}.get(goal, goal)

    assert compare_tokens(English(), "xy", ["ab"]) == compare_tokens(_WithTokens(), "ab", ["ab"])


def test_a_model_without_vectors_of_tokens_compares_nothing() -> None:
    assert compare_tokens(_Letters(), "ab", ["ab"]) == {"asked": [], "told": []}


def test_only_objects_with_a_text_are_read() -> None:
    rows = [{"text": "0", "score": 0.5}, {"text": "1", "score": 0.4}, {"text": None, "score": 0.3}]
    assert texts_to_compare(rows) == ["0", "1"]
    again = reordered(rows[:2], [{"place": 2, "score": 0.7}, {"place": 1, "score": 0.1}])
    assert again == [{"text": "1", "score": 0.7}, {"text": "0", "score": 0.1}]
