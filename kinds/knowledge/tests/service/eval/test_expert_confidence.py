"""How sure experts may be is learned from questions of which some have no answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quartermaster_knowledge.eval.expert_confidence import (
    PARTS,
    JudgedQuestion,
    Learned,
    auc,
    learn,
    said,
)

NONE = np.zeros((0, 200), np.float32)


def _asked(number: int, *, answerable: bool, is_domain_given: bool = False) -> JudgedQuestion:
    """Returns all parts say the same of every question, so only the vector tells."""
    parts = (0.5,) * (len(PARTS) - 1)
    return JudgedQuestion(f"domain {number % 8}", answerable, answerable, is_domain_given, parts)


def test_questions_that_only_their_vectors_tell_apart_are_told_apart() -> None:
    draw = np.random.default_rng(1)
    judged = [
        _asked(n, answerable=n % 3 > 0, is_domain_given=is_domain_given)
        for n in range(120)
        for is_domain_given in (True, False)
    ]
    answerable = np.array([each.answerable for each in judged])
    vectors = draw.normal(size=(len(judged), 8)).astype(np.float32)
    vectors[:, 0] = np.where(answerable, -1, 1)
    others = draw.normal(size=(30, 8)).astype(np.float32)
    others[:, 0] = -1
    learned = learn(judged, vectors, others, ridge=1.0)
    assert auc(learned.chances, answerable) > 0.99
    assert np.array_equal(said(learned.direction, vectors) < 0, answerable)
    assert learned.weights[PARTS.index("factual")] < 0
    at_half = learned.at(0.5, is_domain_given=True)
    assert at_half["silent where nothing answers"] == at_half["answered"] == 1


def test_an_answer_without_the_right_note_is_less_sure() -> None:
    draw = np.random.default_rng(3)
    given = [_asked(n, answerable=n % 3 > 0) for n in range(120)]
    # Of the questions that a note answers, every second one gets another note, which is less ahead.
    found = np.array([each.answerable and n % 2 > 0 for n, each in enumerate(given)])
    place = PARTS.index("ahead")
    judged = [
        replace(
            each,
            found=bool(is_found),
            parts=(*each.parts[:place], float(is_found), *each.parts[place + 1 :]),
        )
        for each, is_found in zip(given, found, strict=True)
    ]
    vectors = draw.normal(size=(120, 200)).astype(np.float32)
    learned = learn(judged, vectors, NONE, ridge=1.0)
    assert auc(learned.chances, found) > 0.99
    assert learned.weights[place] > 0
    at_half = learned.at(0.5, is_domain_given=False)
    assert at_half["answered if the right note is not found"] == 0
    assert at_half["answered"] == 0.5


def test_questions_are_judged_by_what_was_learned_without_their_domain() -> None:
    draw = np.random.default_rng(2)
    judged = [_asked(n, answerable=n % 2 > 0) for n in range(80)]
    # More dimensions than questions: whatever was learned from a question knows it by heart.
    vectors = draw.normal(size=(80, 200)).astype(np.float32)
    learned = learn(judged, vectors, NONE, ridge=0.01)
    answerable = np.array([each.answerable for each in judged])
    assert np.array_equal(said(learned.direction, vectors) < 0, answerable)
    assert 0.3 < auc(learned.chances, answerable) < 0.7
    # A question of the same domain that says the same does not help either.
    twins = learn([*judged, *judged], np.repeat(vectors[None], 2, 0).reshape(160, 200), NONE, 0.01)
    assert 0.3 < auc(twins.chances, np.tile(answerable, 2)) < 0.7


def test_a_share_is_printed_with_its_interval() -> None:
    judged = [_asked(n, answerable=n < 4) for n in range(20)]
    chances = np.array([0.9] * 4 + [0.9] + [0.1] * 15)
    at_half = Learned(np.zeros(1), np.zeros(1), judged, chances).at(0.5, is_domain_given=False)
    assert at_half["silent where nothing answers"] == 0.938
    assert at_half["silent where nothing answers, interval"] == "0.717 to 0.989"
    assert at_half["answered, interval"] == "0.510 to 1.000"


def test_equal_chances_count_half() -> None:
    assert auc(np.array([0.5, 0.5]), np.array([True, False])) == 0.5
