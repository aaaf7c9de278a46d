"""Empties each Python function in turn, and runs the tests that call it until one fails.

    python -m lab.emptying.python RESULTS.jsonl TEST_FILE ...

For each test file, the functions count that its tests call in this process and that stand in the
module with the same place (`tests/service/calls/test_pages.py` tests `calls/pages.py`), or in any
module with `--all`. An emptied function has its signature and returns None at once. A function that
no test notices survives. Each result is a line of the file. What only runs in another process (in
a worker, a reaper, or a command) does not count here.
"""

from __future__ import annotations

import ast
import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any, cast

import pytest
from _pytest.runner import runtestprotocol

from tests.support.sql_files import PACKAGES, ROOT

_LONGEST_S = 60
_PACKAGES = tuple(package.name for package in PACKAGES)


class TooLongError(Exception):
    """A test ran longer than a test that goes on may."""


def empty_codes(path: str) -> dict[int, CodeType]:
    """Returns the code of each function of a file, emptied, by its first line."""
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    found: dict[int, CodeType] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        yields = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in _own(node))
        body = ast.parse("return\nyield" if yields else "return None").body
        stub = type(node)(node.name, node.args, body, [], None)
        module = ast.fix_missing_locations(ast.copy_location(ast.Module([stub], []), node))
        [code] = [each for each in compile(module, path, "exec").co_consts if _is_code(each)]
        found[first] = code
    return found


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes of a function that are in no function inside it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _own(child)


def _is_code(value: object) -> bool:
    return isinstance(value, CodeType)


class Calls:
    """Which functions of our packages are called, and the functions themselves."""

    def __init__(self) -> None:
        self.codes: dict[CodeType, set[str]] = {}
        self.tests = set[str]()
        self._folders = tuple(f"{package}/" for package in PACKAGES)

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(self._folders):
            self.codes.setdefault(code, set()).update(self.tests)


class Emptying:
    """The plugin: runs the tests of a file once, and then again for each function that they call.

    Args:
        wanted: says of the file of a function whether it is to be tried.
        write: takes each result.
    """

    def __init__(
        self, wanted: Callable[[str], bool], write: Callable[[dict[str, Any]], None]
    ) -> None:
        self._wanted = wanted
        self._write = write
        self._calls = Calls()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        """Counts what a shared fixture calls as called by each test that uses the fixture."""
        before = self._calls.tests
        if fixturedef.scope != "function":
            items = cast("list[pytest.Function]", request.session.items)
            users = {each.nodeid for each in items if fixturedef.argname in each.fixturenames}
            self._calls.tests = before | users
        try:
            return (yield)
        finally:
            self._calls.tests = before

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        calls, seconds = self._calls, dict[str, float]()
        items = {item.nodeid: item for item in session.items}
        threading.setprofile(calls)
        for nodeid, item in items.items():
            calls.tests = {nodeid}
            begun = time.monotonic()
            sys.setprofile(calls)
            passed = _passes(item)
            sys.setprofile(None)
            if passed:
                seconds[nodeid] = time.monotonic() - begun
        threading.setprofile(_ignore)
        functions, caches = functions_by_code(), filled_caches()
        for code, tests in calls.codes.items():
            if self._wanted(code.co_filename) and code in functions:
                order = sorted((each for each in tests if each in seconds), key=seconds.__getitem__)
                for cache in caches:
                    cache.cache_clear()
                # The fixtures of the session stay; those of the module are made by the empty one.
                session._setupstate.teardown_exact(cast("pytest.Item", session))
                self._write(_tried(code, functions[code], [items[each] for each in order]))
        return True


def _ignore(*_given: object) -> None:
    """Takes the place of a profiler that is no longer needed."""


def functions_by_code() -> dict[CodeType, list[FunctionType]]:
    """Returns the functions of our modules and classes, by their code."""
    waiting = [
        value
        for name, module in list(sys.modules.items())
        if name.startswith(_PACKAGES)
        for value in vars(module).values()
    ]
    found: dict[CodeType, list[FunctionType]] = {}
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, FunctionType):
            found.setdefault(value.__code__, []).append(value)
        waiting += _inside(value)
    return found


def filled_caches() -> list[Any]:
    """Returns the cached functions of our modules: what they remember would hide an emptied one."""
    modules = [module for name, module in sys.modules.items() if name.startswith(_PACKAGES)]
    values = [value for module in modules for value in vars(module).values()]
    return [value for value in values if callable(getattr(value, "cache_clear", None))]


def _inside(value: Any) -> Iterator[Any]:
    """Yields the functions that a decorator has wrapped, and the members of a class of ours."""
    for name in ("__wrapped__", "__func__", "fget", "fset", "func"):
        inner = getattr(value, name, None)
        if isinstance(inner, FunctionType | MethodType | classmethod | staticmethod):
            yield inner
    if isinstance(value, type) and str(value.__module__).startswith(_PACKAGES):
        yield from vars(value).values()


def _tried(code: CodeType, functions: list[Any], items: list[pytest.Item]) -> dict[str, Any]:
    """Runs the tests of an emptied function until one fails."""
    place = str(Path(code.co_filename).relative_to(ROOT))
    result = {"function": f"{place}:{code.co_firstlineno} {code.co_qualname}", "tests": len(items)}
    stub = empty_codes(code.co_filename).get(code.co_firstlineno)
    if stub is None:
        return result | {"noticed_by": None, "tried": False}
    # Whatever the function got from around it, such as the class of `super()`, stays unused.
    stub = stub.replace(co_freevars=code.co_freevars)
    begun, noticed = time.monotonic(), None
    for function in functions:
        function.__code__ = stub
    try:
        noticed = next((item.nodeid for item in items if not _passes(item)), None)
    finally:
        for function in functions:
            function.__code__ = code
    seconds = round(time.monotonic() - begun, 2)
    return result | {"noticed_by": noticed, "tried": True, "seconds": seconds}


def _passes(item: pytest.Item) -> bool:
    """Runs a test again, and returns whether all of it passed in time."""

    def end(*_given: object) -> None:
        raise TooLongError

    item._initrequest()
    signal.signal(signal.SIGALRM, end)
    signal.alarm(_LONGEST_S)
    try:
        # What is shared with the test before stays; the next one tears down what it does not need.
        item.session._setupstate.teardown_exact(item)
        return all(report.passed for report in runtestprotocol(item, nextitem=item, log=False))
    except TooLongError:
        return False
    finally:
        signal.alarm(0)


def tested_by(test: Path) -> str:
    """Returns the end of the path of the module that a test file is about."""
    parts = list(test.parts[test.parts.index("service") + 1 :])
    return "/".join([*parts[:-1], parts[-1].removeprefix("test_")])


def main() -> int:
    """Tries the functions that a test file calls; see the module."""
    results, *tests = [Path(each) for each in sys.argv[1:] if each != "--all"]
    ends = tuple(f"/{tested_by(test)}" for test in tests)

    def wanted(path: str) -> bool:
        return "--all" in sys.argv or path.endswith(ends)

    def write(result: dict[str, Any]) -> None:
        with results.open("a", encoding="utf-8") as out:
            out.write(json.dumps(result) + "\n")

    options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--no-header"]
    return pytest.main([*options, *map(str, tests)], plugins=[Emptying(wanted, write)])


if __name__ == "__main__":
    sys.exit(main())
