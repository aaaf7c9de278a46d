"""Texts with invented personal data."""

from __future__ import annotations

from quartermaster.training.personal_texts import LABELS, made_texts


def test_texts_are_the_same_for_the_same_seed():
    assert made_texts(20, seed=3) == made_texts(20, seed=3)
    assert made_texts(20, seed=3) != made_texts(20, seed=4)


def test_each_part_lies_in_its_text_and_each_label_occurs():
    made = made_texts(400)
    for text, parts in ((one.text, one.parts) for one in made):
        for start, end, _ in parts:
            assert text[start:end].strip()
        assert not any("\ue000" <= sign <= "\uf8ff" for sign in text)
    assert {label for one in made for *_, label in one.parts} == set(LABELS.values())
