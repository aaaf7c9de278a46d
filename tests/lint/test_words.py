"""Words that docs/glossary.md gives up do not come back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest
import re2

from tests.lint.test_error_slugs import registry
from tests.support.each import for_each
from tests.support.sql_files import DOCUMENTS, FUNCTION_FILES, OTHER_SQL, PACKAGES, ROOT, relative

pytestmark = pytest.mark.lint

GLOSSARY = ROOT / "docs" / "glossary.md"
# Rendered from the database's comments, which are read where they are written.
REFERENCE = ROOT / "docs" / "reference.md"
PAGES = sorted({*DOCUMENTS} - {GLOSSARY, REFERENCE})
_SPAN = re.compile(r"`([^`]+)`")
# Names of code are looked at in the code.
_CODE = re.compile(r"^ *```.*?^ *```|`[^`]*`|\]\([^)]*\)", re.DOTALL | re.MULTILINE)


def spans_of(table_text: str, column: int) -> list[str]:
    """Returns what stands in backticks in a column (from 0) of the Markdown tables of a text."""
    rows = [line.split("|")[1:-1] for line in table_text.splitlines() if line.startswith("| ")]
    return [span for row in rows for span in _SPAN.findall(row[column])]


# Not the migrations: a released one stays as it is.
CODE = [
    *FUNCTION_FILES,
    *OTHER_SQL,
    *(path for each in PACKAGES for path in each.rglob("*") if path.suffix in {".py", ".yaml"}),
]
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

_WORDS, _, _EXEMPT = GLOSSARY.read_text(encoding="utf-8").partition(
    "## Where these words are right"
)
GIVEN_UP = spans_of(_WORDS, 2)
EXEMPT = spans_of(_EXEMPT, 0)
_ANY_CASE = re2.Options()
_ANY_CASE.case_sensitive = False
# In hundreds of alternatives, re2 finds one in a small part of the time of re.
_RIGHT = re2.compile("|".join(map(re2.escape, [*EXEMPT, *registry()])), _ANY_CASE)
_SPELLINGS = "|".join(re.sub("[ _-]", "[ _-]", word) for word in GIVEN_UP)
_ROUGHLY = re2.compile(_SPELLINGS, _ANY_CASE)
# With an s or not; also a part of a name_like_this.
_PATTERN = re.compile(rf"(?<![a-z])(?:{_SPELLINGS})s?(?![a-z])", re.IGNORECASE)


def plain(text: str) -> str:
    """Returns a text without what may stay, CamelCase as camel_case."""
    return _CAMEL.sub("_", _RIGHT.sub("", text))


def given_up_in(text: str) -> list[str]:
    """Returns the words given up that a text uses."""
    return [word for _, words in given_up_by_line(text) for word in words]


def given_up_by_line(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the numbers of lines with words given up, and these words."""
    for number, line in enumerate(plain(text).splitlines(), start=1):
        if _ROUGHLY.search(line) and (words := _PATTERN.findall(line)):
            yield number, words


def test_a_word_that_was_given_up_is_noticed():
    assert "standby" in GIVEN_UP
    assert "FastMCP's proxy" in EXEMPT
    assert given_up_in("the Last good one, degraded; its standbys") == [
        "Last good",
        "degraded",
        "standbys",
    ]
    assert not given_up_in("a lasting good, FastMCP's proxy")


@for_each(PAGES, relative)
def test_documents_use_the_words_of_the_glossary(path: Path):
    assert not given_up_in(_CODE.sub("", path.read_text(encoding="utf-8")))


def test_code_uses_the_words_of_the_glossary():
    """In identifiers and texts alike."""
    found = [
        f"{relative(path)}:{number}: {', '.join(words)}"
        for path in CODE
        if not any(fnmatch(relative(path), exempt) for exempt in EXEMPT)
        for number, words in given_up_by_line(path.read_text(encoding="utf-8"))
    ]
    assert not found
