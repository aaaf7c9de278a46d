"""Reading files: nothing reads as clean because it was not parsed, and nothing crashes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quartermaster.core.findings import Status
from quartermaster_quality.taint import scan, statement_interpreter
from quartermaster_quality.taint.analyzer import Analyzer

FILES = sorted(
    (p for p in Path(ast.__file__).parent.glob("*.py") if p.stat().st_size < 40_000),
    key=lambda p: p.name,
)


def test_a_file_that_cannot_be_parsed_is_an_error_with_a_reason() -> None:
    for source in (b"def f(:\n", b"x = = 1\n", b"\xff\xfe\x00", b"a\x00b"):
        result = scan(source, "broken.py")
        assert result.status is Status.ERROR
        assert result.reason
        assert not result.findings


def test_syntax_newer_than_the_service_is_read_on_its_own_lines() -> None:
    code = (
        "import os\n"
        "def run[T](value: T, name='x'):\n"
        '    text = f"ls {value!s} {\'a\' + "b"}"\n'
        "    os.system(text)\n"
        "def handler(event, context):\n"
        "    run(event['v'])\n"
    )
    result = scan(code.encode(), "new.py")
    assert result.status is Status.OK
    assert [(f.cwe, f.line) for f in result.findings] == [(78, 4)]


def spent(source: str) -> int:
    """Returns how many expressions are evaluated: unlike the time, it is the same on every
    machine.
    """
    analyzer = Analyzer(ast.parse(source))
    analyzer.analyze()
    return analyzer.spent


def test_a_file_twice_as_long_takes_twice_as_much() -> None:
    body = (
        "def f{0}(a, b):\n    c = [a, b]\n    for x in c:\n        if x:\n            b = x\n"
        "    return g{0}(b)\ndef g{0}(x):\n    return {{'a': x}}\n"
    )
    once, twice = ("".join(map(body.format, range(n))) for n in (160, 320))
    assert spent(twice) <= 2.1 * spent(once)
    assert scan(twice.encode(), "long.py").status is Status.OK


def test_calls_that_double_at_each_step_end_with_the_budget() -> None:
    steps = "".join(f"def f{i}(a):\n    f{i + 1}(a)\n    f{i + 1}(a + 'x')\n" for i in range(40))
    source = f"import sys\n{steps}def f40(a):\n    return a\nf0(sys.argv[1])\n"
    size = sum(isinstance(node, ast.expr) for node in ast.walk(ast.parse(source)))
    assert (
        spent(source)
        <= statement_interpreter.BUDGET + statement_interpreter.ENTRY_BUDGET + 2 * size
    )
    assert scan(source.encode(), "deep.py").status is Status.DEGRADED


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(FILES), st.integers(0, 200), st.integers(1, 200))
def test_pieces_of_the_standard_library_never_crash_it(path: Path, start: int, size: int) -> None:
    tree = ast.parse(path.read_bytes())
    piece = ast.Module(tree.body[start % max(1, len(tree.body)) :][:size], [])
    result = scan(ast.unparse(piece).encode(), path.name)
    cut_short = result.status is Status.DEGRADED and "was not followed into" in result.reason
    assert result.status is Status.OK or cut_short, result.reason


def test_keys_of_a_translation_may_be_no_characters() -> None:
    code = b"q = input().translate({-1: None, 1 << 40: None, 47: None})\n"
    assert scan(code, "a.py").status is Status.OK


def test_a_file_whose_calls_are_not_all_followed_is_degraded(monkeypatch: pytest.MonkeyPatch):
    code = "import sys\ndef end(v):\n    return v\ndef main():\n    end(sys.argv[1])\nmain()\n"
    assert scan(code.encode(), "long.py").status is Status.OK
    monkeypatch.setattr(statement_interpreter, "BUDGET", 2)
    result = scan(code.encode(), "long.py")
    assert result.status is Status.DEGRADED
    assert "long.py is too large" in result.reason
