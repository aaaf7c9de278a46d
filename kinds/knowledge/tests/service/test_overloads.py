"""Files that ask a type checker about single keywords, made from strange files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import pytest

from quartermaster_knowledge.overloads import RULE, probe_of

STRANGE = {
    "a name like ours": "f(*_qm_unknown_x); f(*_qm_unknown_99); g(wrong=1)",
    "a long number": f"X = 0x{'f' * 5000}; g(wrong=1)",
    "a no-break space in an f-string": "y = f\"{x.replace('\xa0', y)}\"; g(wrong=1)",
}


def no_overload(text: str) -> Iterator[dict[str, Any]]:
    """Yields what a checker says if no call of a file fits."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and node.keywords:
            begin = {"line": node.lineno, "column": node.col_offset + 1}
            end = {"line": node.end_lineno, "column": (node.end_col_offset or 0) + 1}
            positions = {"positions": {"begin": begin, "end": end}}
            yield {"check_name": RULE, "description": "", "location": positions}


@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE)
def test_strange_files_are_asked_about_or_left_out(text: str):
    probe = probe_of(text.encode(), list(no_overload(text)))
    assert {each.name for _, each in probe.asked} <= {"wrong"}


def test_a_chain_of_calls_does_not_grow_exponentially():
    text = "f" + ".g(a=1, b=2)" * 14
    probe = probe_of(text.encode(), list(no_overload(text)))
    assert len(probe.asked) == 28
    assert len(probe.data) < 10_000


def test_calls_inside_of_the_arguments_are_asked_about_too():
    text = "f(f(1, inner=1), outer=f(last=2))"
    probe = probe_of(text.encode(), list(no_overload(text)))
    assert sorted(each.name for _, each in probe.asked) == ["inner", "last", "outer"]
