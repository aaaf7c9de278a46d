"""Texts with invented personal data."""

from __future__ import annotations

from lab.training.personal_texts import LABELS, made_texts, written_results


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


def test_written_results_have_marked_parts_of_each_label():
    written = written_results()
    assert len(written) > 200
    for one in written:
        assert not any("\ue000" <= sign <= "\uf8ff" or sign in "⟦⟧" for sign in one.text)
        assert all(one.text[start:end].strip() for start, end, _ in one.parts)
    assert {label for one in written for *_, label in one.parts} == set(LABELS.values())
    assert sum(not one.parts for one in written) > 20
