"""The prose from which the embedding model learns: notes and docstrings."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.training import prose
from quartermaster_knowledge.note_files import shipped_notes

CODE = '''
class Shop:
    """Keeps what a shop sells, and who bought it."""

    def sell(self, item):
        """Take an item from the shelf for a customer. Raises an error if none is left."""

    def _hidden(self):
        """Nobody should ever ask for this one."""

def short():
    """Too few words."""
'''


def test_every_passage_of_the_notes_is_read_and_asked_for():
    read = prose.prose_of_notes(["Which wine goes with fish?"])
    passages = {
        " ".join(f"{note.title}: {passage.heading}. {passage.text}".split())
        for note in shipped_notes()
        for passage in note.passages
    }
    assert {*read.passages} == passages
    assert {answer for answer in read.answers if answer is not None} == {*range(len(read.passages))}
    assert (read.asked[-1], read.answers[-1]) == ("Which wine goes with fish?", None)


def test_a_first_sentence_asks_for_the_object_that_it_describes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "shop.py"
    file.write_text(CODE)
    monkeypatch.setattr(prose, "_modules", lambda: [("shop", file, "toy.shop")])
    read = prose.prose_of_packages()
    assert {
        asked: read.passages[n or 0] for asked, n in zip(read.asked, read.answers, strict=True)
    } == {
        "keeps what a shop sells, and who bought it": "toy shop Shop",
        "take an item from the shelf for a customer": (
            "toy shop Shop sell: Raises an error if none is left."
        ),
    }
