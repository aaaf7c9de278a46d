"""What vectors are to weigh in the score of a lookup table, learned from made-up candidates."""

from __future__ import annotations

from typing import Any

from quartermaster.eval.lookup_examples import Examples
from quartermaster.eval.lookup_gold import Pair
from quartermaster.eval.lookup_vectors import weigh_vectors

PAIRS = 60


def _pair(number: int) -> Pair:
    expected = frozenset({f"{number}"})
    return Pair("t", f"q{number}", expected, "lexical", "", "", None, None)


def _examples(right: tuple[float, float], wrong: tuple[float, float]) -> Examples:
    """For each pair a right row and a wrong one, of which score and cosine are given."""

    def name(key: str, given: tuple[float, float]) -> dict[str, Any]:
        return {"id": key, "label": key, "score": given[0], "features": [0.0, given[1]]}

    pairs = [_pair(number) for number in range(PAIRS)]
    found = [[name(f"{number}", right), name("wrong", wrong)] for number in range(PAIRS)]
    return Examples(pairs, found)


def test_vectors_that_tell_what_letters_do_not_pay():
    examples = _examples(right=(0.0, 0.9), wrong=(0.5, 0.2))
    trial = weigh_vectors(examples, examples)
    assert (trial.pairs, trial.without, trial.dense, trial.combined) == (
        PAIRS, (0, 1), (1, 1), (1, 1),
    )  # fmt: skip
    assert trial.pays
    assert trial.weights["score"]["sem"] > 0.5 / 0.7


def test_vectors_that_tell_nothing_more_do_not_pay():
    examples = _examples(right=(2.0, 0.4), wrong=(0.5, 0.5))
    trial = weigh_vectors(examples, examples)
    assert trial.without == (1, 1)
    assert trial.dense == (0, 1)
    assert not trial.pays
