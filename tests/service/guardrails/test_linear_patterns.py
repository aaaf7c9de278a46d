"""Patterns whose time is linear, and when they are compiled."""

from __future__ import annotations

import copy
import subprocess
import sys

import pytest

from quartermaster.guardrails import linear_patterns
from quartermaster.guardrails.linear_patterns import Constant, compile_constants, compiled

_COMPILED_BY_IMPORT = """
import quartermaster.guardrails.scan
import quartermaster.guardrails.instruction_model
from quartermaster.guardrails.linear_patterns import _constants
print(len(_constants), sum("compiled" in vars(each) for each in _constants))
"""


@pytest.fixture(autouse=True)
def constants(monkeypatch: pytest.MonkeyPatch) -> list[Constant]:
    """The constants of a test alone, which do not stay."""
    own: list[Constant] = []
    monkeypatch.setattr(linear_patterns, "_constants", own)
    return own


def test_a_constant_searches_like_the_pattern_that_it_stands_for():
    constant, pattern = Constant("(?i)b(a+)"), compiled("(?i)b(a+)")
    for text in (b"c BAAb", b"no"):
        for _ in range(2):
            assert [m.span(1) for m in constant.finditer(text)] == [
                m.span(1) for m in pattern.finditer(text)
            ]
            assert bool(constant.search(text)) == bool(pattern.search(text))


def test_a_constant_is_compiled_when_it_is_used():
    constant = Constant("a")
    assert "compiled" not in vars(constant)
    assert constant.search(b"a")
    assert "compiled" in vars(constant)


def test_a_constant_can_be_copied():
    assert copy.copy(Constant("a+")).search(b"caab").span() == (1, 3)
    empty = Constant.__new__(Constant)
    assert not hasattr(empty, "pattern")
    assert not hasattr(empty, "search")


def test_all_constants_are_compiled_at_once(constants: list[Constant]):
    made = [Constant("a"), Constant("b")]
    assert constants == made
    compile_constants()
    assert all("compiled" in vars(each) for each in made)


def test_importing_the_guardrails_compiles_nothing():
    script = [sys.executable, "-c", _COMPILED_BY_IMPORT]
    printed = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    made, already = map(int, printed.split())
    assert made > 50
    assert already == 0
