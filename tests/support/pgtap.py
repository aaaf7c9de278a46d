"""Tests that run pgTAP files: one file, one behaviour, one test."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.each import for_each
from tests.support.tap import TapSession

_BEGINS: Final = re.compile(r"(--[^\n]*\n)*begin;\n")
_PLAN: Final = re.compile(r"^select plan\(\d+\);$", re.MULTILINE)
_ENDS: Final = re.compile(r"^(commit|end);", re.MULTILINE)
Tests = tuple[Callable[..., Any], Callable[..., Any]]


def files_below(folder: Path) -> list[Path]:
    """Returns the pgTAP files below a folder."""
    return sorted(path for path in folder.rglob("*.sql") if path.parent.name != "_setup")


def pgtap_tests(folder: Path, *, apart: Collection[Path] = ()) -> Tests:
    """Returns the tests of the pgTAP files below a folder, for a module in this folder.

    Args:
        folder: the folder.
        apart: those that the module runs itself.

    Returns:
        Two tests: that the files pass, and that they leave nothing behind.
    """

    def name_of(path: Path) -> str:
        return path.relative_to(folder).with_suffix("").as_posix()

    found = files_below(folder)

    @pytest.mark.parametrize("path", [path for path in found if path not in apart], ids=name_of)
    def test_sql(session: TapSession, path: Path) -> None:
        run(session, path)

    @for_each(found, name_of)
    def test_a_file_leaves_nothing_behind(path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        assert _BEGINS.match(text), "the first statement is begin"
        assert text.endswith("select * from finish();\nrollback;\n")
        assert _PLAN.search(text)
        assert not _ENDS.search(text)

    return test_sql, test_a_file_leaves_nothing_behind


def run(session: TapSession, path: Path) -> None:
    """Runs a file; what it complains about is the failure."""
    if failure := session.run(path.read_text(encoding="utf-8")):
        pytest.fail(failure, pytrace=False)
