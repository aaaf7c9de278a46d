"""A word in a file quiets a checker: the answer says so, or the file gains nothing by it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Final

import pytest

from tests.support.member import Answer, Member

_WRONG: Final = '''"""Prices."""


def total(prices: list[float]) -> str:
    """The sum of prices."""
    return sum(prices)


def name(prices: list[float]) -> int:
    """The name of prices."""
    return prices.title
'''
_UNTYPED: Final = '''"""Prices."""


def total(prices):
    """The sum of prices."""
    found: int = "none"
    return found.title


def name(prices):
    """The name of prices."""
    return len(5)
'''
_CARELESS: Final = '''"""Prices."""

import os
import socket{0}
import tempfile


def load(path: str, found: list[str] = []) -> list[str]:{0}
    """Prices as they were stored."""
    os.chmod(path, 0o777){0}
    found.append(tempfile.mktemp()){0}
    try:
        found.append(path[0])
    except:{0}
        pass{0}
    return found
'''
_BRANCHES: Final = "".join(f"  if (a == {n}) {{ return {n}; }}\n" for n in range(80))
_COMPLEX: Final = f"int choose(int a) {{\n{_BRANCHES}  return 0;\n}}\n"
_UNTESTED: Final = '''"""Prices."""


def total(prices: list[float]) -> float:{0}
    """The sum of prices."""
    return sum(prices)


def mean(prices: list[float]) -> float:{0}
    """The mean of prices."""
    return total(prices) / len(prices)
'''
_KEY: Final = "AKIA" + "QYLPMN5HHHFPZAM2"


@dataclass(frozen=True)
class Quieting:
    """A way to quiet a checker.

    Attributes:
        path: of the file.
        loud: its text.
        quiet: the same with the word that quiets.
        words: one of them has to be in the answer, unless the word has no effect.
        is_measured: whether coverage is measured, by a run of what is at the top only.
    """

    path: str
    loud: str
    quiet: str
    words: tuple[str, ...]
    is_measured: bool = False


def in_body(text: str, first: str) -> str:
    """Returns the code of a module below a condition."""
    head, _, rest = text.partition("\n\n\n")
    return f"{head}\n\n{first}\n" + "".join(f"    {line}\n" for line in rest.splitlines())


WAYS: Final = {
    "type: ignore above everything": Quieting(
        "wrong.py", _WRONG, f"# type: ignore\n{_WRONG}", ("type: ignore", "type:ignore")
    ),
    "type: ignore on each line": Quieting(
        "wrong.py",
        _WRONG,
        _WRONG.replace("(prices)\n", "(prices)  # type: ignore\n").replace(
            ".title\n", ".title  # type: ignore\n"
        ),
        ("type: ignore", "type:ignore"),
    ),
    "code that type checkers take for unreachable": Quieting(
        "wrong.py",
        _WRONG,
        in_body(
            _WRONG.replace('"""\n\n\n', '"""\n\nfrom typing import TYPE_CHECKING\n\n\n', 1),
            "if not TYPE_CHECKING:",
        ),
        ("TYPE_CHECKING", "unreachable", "not checked"),
    ),
    "a platform that is not": Quieting(
        "wrong.py",
        _WRONG,
        in_body(
            _WRONG.replace('"""\n\n\n', '"""\n\nimport sys\n\n\n', 1),
            'if sys.platform != "linux":',
        ),
        ("platform", "unreachable", "not checked"),
    ),
    "mypy: a setting of a part": Quieting(
        "wrong.py",
        _UNTYPED,
        f"# mypy: no-check-untyped-defs\n{_UNTYPED}",
        ("check-untyped-defs", "check_untyped_defs", "# mypy"),
    ),
    "nosec": Quieting(
        "careless.py", _CARELESS.format(""), _CARELESS.format("  # nosec"), ("nosec", "silenced")
    ),
    "noqa": Quieting(
        "careless.py", _CARELESS.format(""), _CARELESS.format("  # noqa"), ("noqa", "silenced")
    ),
    "lizard forgives": Quieting(
        "choose.c",
        _COMPLEX,
        _COMPLEX.replace("{\n", "{ // #lizard forgives\n", 1),
        ("lizard forgives", "forgive"),
    ),
    "pragma: no cover": Quieting(
        "untested.py",
        _UNTESTED.format(""),
        _UNTESTED.format("  # pragma: no cover"),
        ("no cover", "excluded"),
        is_measured=True,
    ),
    "gitleaks:allow": Quieting(
        "key.go",
        f'package key\n\nconst key = "{_KEY}"\n',
        f'package key\n\nconst key = "{_KEY}" // gitleaks:allow\n',
        ("gitleaks:allow", "gitleaks"),
    ),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
def test_a_quiet_word(mallory: Member, way: Quieting) -> None:
    loud = judged(mallory, way, way.loud)
    quiet = judged(mallory, way, way.quiet)
    assert loud[0].body["losses"]
    assert is_reported(quiet, way) or not gains(quiet, loud)


def judged(mallory: Member, way: Quieting, text: str) -> tuple[Answer, Answer]:
    """Returns what the score and the gate say about a file."""
    mallory.write(way.path, text)
    if way.is_measured:
        measure(mallory, way.path)
    score = mallory.ask("score_file", file_path=way.path)
    gate = mallory.ask("quality_gate", file_path=way.path, preset="strict")
    assert "categories" in score.body, score
    assert "failures" in gate.body, gate
    return score, gate


def measure(mallory: Member, path: str) -> None:
    command = [sys.executable, "-m", "coverage", "run", "--rcfile=/dev/null", path]
    environment = {name: os.environ[name] for name in ("PATH", "HOME")}
    subprocess.run(
        command, cwd=mallory.root, check=True, capture_output=True, env=environment, timeout=60
    )


def is_reported(answers: tuple[Answer, Answer], way: Quieting) -> bool:
    """Returns whether both answers name the word."""
    return all(any(word in answer.text for word in way.words) for answer in answers)


def gains(quiet: tuple[Answer, Answer], loud: tuple[Answer, Answer]) -> list[str]:
    """Returns the categories that gain, and the failures and warnings of the gate that are gone."""
    scores, before = (answers[0].body["categories"] for answers in (quiet, loud))
    better = [
        f"{name}: {before[name]['score']} to {scores[name]['score']}"
        for name in scores
        if (scores[name]["score"] or 0) > (before[name]["score"] or 0) + 0.01
    ]
    said, said_before = (
        [*answers[1].body["failures"], *answers[1].body["warnings"]] for answers in (quiet, loud)
    )
    if len(said) < len(said_before):
        better += [f"gone: {line}" for line in said_before if line not in said]
    return better
