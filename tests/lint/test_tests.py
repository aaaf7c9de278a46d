"""Tests can fail, and wait for what is to happen rather than for time to pass."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.each import for_each
from tests.support.hooks import TOGETHER
from tests.support.sql_files import PLACES, ROOT, TESTS, relative

pytestmark = pytest.mark.lint

FOLDER = ROOT / "tests"
Function = ast.FunctionDef | ast.AsyncFunctionDef
# Who sleeps, and why.
SLEEPERS = {
    "tests/attack/test_take_the_places_of_others.py": "a flood needs some time to fill the queues",
    "lab/bench/fairness.py": "a refused request waits as its error says",
    "tests/support/slow_server.py": "a slow tool",
    "tests/support/slow_index.py": "a slow package index",
    "tests/support/waiting.py": "waits for conditions, for all tests",
    "tests/support/load.py": "clients that are refused pause before they connect again",
    "tests/support/leaf_server.py": "an upstream that is as slow as it is told",
    "lab/bench/hostile.py": "a client that asks again and again",
    "tests/support/rude_server.py": "an upstream that hangs",
    "tests/support/fault_server.py": "an upstream that hangs",
    "tests/support/fault_upstream.py": "an upstream that hangs, or is away for a moment",
    "tests/service/upstream/test_reaper.py": "the program that is reaped",
    "tests/service/doors/wire/test_http_protocol.py": "a client that is too slow",
    "tests/sql/api/selection/start_task/a_budget_that_is_too_small.sql": "a part that is late",
}
# What makes a test fail beside `assert` and `raise`.
_FAILS = {"raises", "fail", "fail_after"}


def files(*patterns: str) -> list[Path]:
    """Returns the files of tests with such names."""
    return [path for folder in TESTS for name in patterns for path in folder.rglob(name)]


def functions(path: Path) -> Iterator[Function]:
    """Yields all functions of a module, methods and inner ones included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, Function):
            yield node


def called(function: Function) -> set[str]:
    """Returns the last names of what it calls."""
    targets = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    attributes = {target.attr for target in targets if isinstance(target, ast.Attribute)}
    return attributes | {target.id for target in targets if isinstance(target, ast.Name)}


def test_nothing_sleeps_but_who_is_to():
    sleep = re.compile(r"\b(?:pg_)?sleep\(")
    this, found = Path(__file__), set[str]()
    for path in files("*.py", "*.sql"):
        if path != this and sleep.search(path.read_text(encoding="utf-8")):
            found.add(relative(path))
    assert found == set(SLEEPERS), "call `until` or `wait_until` of tests/support/waiting.py"


def test_files_that_share_an_instance_are_run_by_one_process():
    parameters = {
        "hostile": "Hostile",
        "crowd": "Crowd",
        "mallory": "Member",
        "commands": "Instance",
    }
    for instance, kind in parameters.items():
        for folder, names in TOGETHER[instance].items():
            found = {
                path.stem.removeprefix("test_")
                for path in (ROOT / folder).glob("test_*.py")
                if re.search(rf"\w: {kind}\b", path.read_text(encoding="utf-8"))
            }
            assert found == set(names), f"TOGETHER of tests/support/hooks.py, {instance}"


def test_every_test_can_fail():
    """By an assertion of its own, or of a helper that it calls."""
    callers: dict[str, set[str]] = defaultdict(set)
    able, tests = set(_FAILS), dict[str, str]()
    for path in files("*.py"):
        for function in functions(path):
            if any(isinstance(node, ast.Assert | ast.Raise) for node in ast.walk(function)):
                able.add(function.name)
            for name in called(function):
                callers[name].add(function.name)
            if path.name.startswith("test_") and function.name.startswith("test_"):
                tests[function.name] = f"{relative(path)}:{function.lineno}"
    waiting = list(able)
    while waiting:
        new = callers[waiting.pop()] - able
        able |= new
        waiting += new
    assert tests
    assert not [place for name, place in tests.items() if name not in able]


def test_the_pgtap_files_of_a_kind_are_run():
    unrun = [place for place in PLACES if not (place / "tests/sql/test_pgtap.py").exists()]
    assert not [place.name for place in unrun if any(place.glob("tests/sql/**/*.sql"))]


def test_no_test_waits_in_vain_without_noticing():
    """`wait_until` says whether the condition held; in a test somebody has to look."""
    ignored: list[str] = []
    for path in files("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Expr(ast.Call(ast.Name("wait_until"))):
                    ignored.append(f"{relative(path)}:{node.lineno}")
                case _:
                    pass
    assert not ignored


def test_a_check_of_many_names_all_that_fail():
    def is_odd(number: int) -> None:
        assert number % 2, "even"

    with pytest.raises(pytest.fail.Exception, match=r"^2: even[^4]*\n4: even"):
        for_each([1, 2, 3, 4], str)(is_odd)()
    with pytest.raises(AssertionError, match="nothing to check"):
        for_each([], str)(is_odd)()
    for_each([1, 3], str)(is_odd)()
