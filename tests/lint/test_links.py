"""Every relative link in a document leads to a file, and to a heading in it if it names one."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from tests.support.each import for_each
from tests.support.sql_files import DOCUMENTS, ROOT, relative

pytestmark = pytest.mark.lint

_LINK = re.compile(r"\]\(([^()\s]+)\)")
_CODE = re.compile(r"^```.*?^```|`[^`]*`", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors_of(text: str) -> set[str]:
    """Returns the anchors that GitHub gives to the headings of a Markdown text."""
    fenced = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return {
        "".join(
            "-" if letter == " " else letter
            for letter in unicodedata.normalize("NFC", heading.strip().lower())
            if letter in " -_" or letter.isalnum()
        )
        for heading in _HEADING.findall(fenced)
    }


def broken_links(path: Path, text: str) -> list[str]:
    """Returns the relative links of a document that lead nowhere."""
    broken: list[str] = []
    for link in _LINK.findall(_CODE.sub("", text)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        if not target.exists():
            broken.append(link)
        elif anchor and target.suffix == ".md":
            linked = text if not name else target.read_text(encoding="utf-8")
            if anchor not in anchors_of(linked):
                broken.append(link)
    return broken


def test_a_link_that_leads_nowhere_is_noticed():
    text = (
        "# A heading: one\n[a](#a-heading-one) [b](#b) [c](nowhere.md) [d](README.md#no) "
        "[e](https://example.org/) `[f](f.md)`"
    )
    broken = broken_links(ROOT / "docs" / "README.md", text)
    assert broken == ["#b", "nowhere.md", "README.md#no"]


@for_each(DOCUMENTS, relative)
def test_relative_links_lead_somewhere(path: Path):
    assert not broken_links(path, path.read_text(encoding="utf-8"))
