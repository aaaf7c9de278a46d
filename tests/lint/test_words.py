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
_CODE = re.compile(r"^ *```.*?^ *```|`[^`]*`|\]\([^)]*\)", re.DOTALL | re.MULTILINE)


def spans_of(table_text: str, column: int) -> list[str]:
    """What stands in backticks in a column (from 0) of the Markdown tables of a text."""
    rows = [line.split("|")[1:-1] for line in table_text.splitlines() if line.startswith("| ")]
    return [span for row in rows for span in _SPAN.findall(row[column])]


_WORDS, _, _EXEMPT = GLOSSARY.read_text(encoding="utf-8").partition(
    "## Where these words are right"
)
GIVEN_UP = spans_of(_WORDS, 2)
EXEMPT = spans_of(_EXEMPT, 0)
# With an s or not; also a part of a name_like_this.
_PATTERN = re.compile(
    rf"(?<![a-z])(?:{'|'.join(re.sub('[ _-]', '[ _-]', word) for word in GIVEN_UP)})s?(?![a-z])",
    re.IGNORECASE,
)


def given_up_in(text: str) -> list[str]:
    """The words given up that a text uses."""
    for exempt in EXEMPT:
        text = re.sub(re.escape(exempt), "", text, flags=re.IGNORECASE)
    return _PATTERN.findall(text)


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
