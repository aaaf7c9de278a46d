"""Words that docs/glossary.md gives up do not come back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.sql_files import ROOT, relative

pytestmark = pytest.mark.lint

GLOSSARY = ROOT / "docs" / "glossary.md"
# Rendered from the database's comments, which are read where they are written.
REFERENCE = ROOT / "docs" / "reference.md"
DOCUMENTS = sorted(
    {*ROOT.glob("*.md"), *ROOT.glob("*/README.md"), *(ROOT / "docs").rglob("*.md")}
    - {GLOSSARY, REFERENCE}
)
_SPAN = re.compile(r"`([^`]+)`")
# Names of code are looked at in the code.
_CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`|\]\([^)]*\)", re.DOTALL | re.MULTILINE)


def cells(heading: str | None, column: int) -> list[str]:
    """What stands in backticks in a column of the glossary's tables.

    Args:
        heading: of the one section to read; None: of all sections with words.
        column: counted from 0.
    """
    found: list[str] = []
    for section in re.split(r"^## ", GLOSSARY.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        is_exempt = section.startswith("Where these words are right")
        if is_exempt != (heading is not None):
            continue
        rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| ")]
        found += [span for row in rows for span in _SPAN.findall(row[column])]
    return found


def pattern_of(words: list[str]) -> re.Pattern[str]:
    """Finds each of the words, with an s or not, also inside a name_of_several or-words."""
    alternatives = "|".join(re.sub(r"[ _-]", "[ _-]", word) for word in words)
    return re.compile(rf"(?<![a-z])(?:{alternatives})s?(?![a-z])", re.IGNORECASE)


GIVEN_UP = cells(None, 2)
EXEMPT = cells("exempt", 0)


def given_up_in(text: str) -> list[str]:
    """The words given up that a text uses."""
    for exempt in EXEMPT:
        text = re.sub(re.escape(exempt), "", text, flags=re.IGNORECASE)
    return pattern_of(GIVEN_UP).findall(text)


def test_a_word_that_was_given_up_is_noticed():
    assert "standby" in GIVEN_UP
    assert "FastMCP's proxy" in EXEMPT
    assert given_up_in("the Last good one, degraded; its standbys") == [
        "Last good",
        "degraded",
        "standbys",
    ]
    assert not given_up_in("a lasting good, FastMCP's proxy")


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_documents_use_the_words_of_the_glossary(path: Path):
    assert not given_up_in(_CODE.sub("", path.read_text(encoding="utf-8")))
