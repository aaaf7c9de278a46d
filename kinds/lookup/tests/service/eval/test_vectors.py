"""What vectors are to weigh in the score of a lookup table, learned from made-up candidates."""

from __future__ import annotations

from quartermaster.eval.examples import CandidateName, RankingExamples
from quartermaster.eval.gold import Need, Task
from quartermaster_lookup.eval.lookups import SCORE
from quartermaster_lookup.eval.vectors import COSINE, weigh_vectors

PAIRS = 60


def _examples(right: tuple[float, float], wrong: tuple[float, float]) -> RankingExamples:
    """For each pair a right row and a wrong one, of which score and cosine are given."""
    found = [
        (
            Task("", f"q{n}", (Need(f"{n}", frozenset({f"{n}"})),), scope="t", tier="lexical"),
            [
                CandidateName(f"{n}", f"{n}", True, right),
                CandidateName("wrong", "wrong", False, wrong),
            ],
        )
        for n in range(PAIRS)
    ]
    return RankingExamples.of((SCORE, COSINE), found)


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
