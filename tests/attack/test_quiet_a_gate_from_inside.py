"""An agent writes words into a file that tell checkers to be silent, so that a gate passes.

The gate names each word with what it hides. Words that are about more than a line hide nothing from
the score. In the gate `strict`, any word that hides something needs a person who waives it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.instance import new_instance

Gate = Callable[..., dict[str, Any]]

# What checkers find in it: mypy two names that do not exist, ruff and vulture an unused import.
BAD: Final = '''"""Prices of a shop."""

import typing
import os


def total(prices: typing.Sequence[float]) -> float:
    """The sum of prices."""
    return prices.total() + prices.rest()
'''
DECORATED: Final = BAD.replace("def total", "@{}\ndef total")
BLANKET: Final = {
    "the codes of mypy": f'# mypy: disable-error-code="attr-defined"\n{BAD}',
    "mypy altogether": f"# mypy: ignore-errors\n{BAD}",
    "mypy, as text": f'{BAD}_ = """\n# mypy: ignore-errors=True\n"""\n',
    "mypy by its first line": f"# type: ignore\n{BAD}",
    "mypy in another encoding": f"# coding: utf-7\n+ACM- type: ignore\n{BAD.replace('+', '+-')}",
    "a function": DECORATED.format("typing.no_type_check"),
    "a function under another name": DECORATED.format("quiet").replace(
        "import typing", "import typing\nfrom typing import no_type_check as quiet"
    ),
    "a function in other letters": DECORATED.format("typing.no_type_cheｃk"),
    "ruff": f"# ruff: noqa\n{BAD}",
    "some rules of ruff": f"# ruff: noqa: F401\n{BAD}",
    "a range of ruff": f"# ruff: disable[F401]\n{BAD}",
    "flake8": f"# flake8: noqa\n{BAD}",
}
ELSEWHERE: Final = DECORATED.format("quiet").replace(
    "import typing", "import typing\nfrom helper import quiet"
)
LINES: Final = {
    "ruff": "import os  # noqa: F401\n",
    "ruff and any rule": "import os  # NOQA\n",
    "vulture": "def f():\n    return 1\n    print(2)  # noqa: V201\n",
    "bandit": "import flask\n\nflask.request.get('x', timeout=1)\nassert flask  # nosec\n",
    "bandit and one rule": "import flask\n\nassert flask  # nosec B101\n",
    "mypy": "x: int = 'a'  # type: ignore\n",
    "mypy and one code": "x: int = 'a'  # type: ignore[assignment]\n",
    "passwords": 'password = "xK9#mQ2$vL5nR8wT"  # pragma: allowlist secret\n',
    "all for another system": 'import sys\n\nif sys.platform == "os9":\n    x = 1\n',
    "all for another Python": "import sys\n\nif sys.version_info < (3,):\n    x = 1\n",
    "all that is never true": "if False:\n    x: int = 'a'\n",
    "all in a loop": "while 0:\n    x: int = 'a'\n",
    "all after a failure": "def f():\n    assert False\n    x: int = 'a'\n",
    "all after a call that does not return": (
        "import sys\n\n\ndef f():\n    sys.exit()\n    x: int = 'a'\n    return x\n"
    ),
    "all of another type": (
        "def f(x: int):\n    if isinstance(x, int):\n        return 1\n    y: int = 'a'\n"
    ),
    "all after a condition": "import typing\n\nif not typing.TYPE_CHECKING:\n    x = 1\n",
    "all after an end": "from typing import TYPE_CHECKING\n\nassert not TYPE_CHECKING\nx = 1\n",
}
ORDINARY: Final = (
    '''"""Prices."""

import sys


def price(of: int) -> int:
    """A price."""
    {}return of


CENTS = [
'''
    + "    100,\n" * 40
    + "]\n"
)
FEW: Final = """if sys.platform == "os9":
        return 0
    if not isinstance(of, int):
        return 0
    """
HINTED_COMMENTS: Final = (
    "# pylint: disable=all",
    "# pragma: no cover",
    "# pyright: basic",
    "# ty: ignore",
)


@pytest.fixture(scope="module")
def gate(stopped_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[Gate]:
    root = tmp_path_factory.mktemp("shop")
    with new_instance(copy_of=stopped_data_dir) as instance:
        instance.start()
        instance.qm_json("project", "add", root, "--name", "shop")

        def judged(text: str, preset: str = "standard", name: str = "prices.py") -> dict[str, Any]:
            (root / name).write_text(text)
            done = instance.qm("quality", "gate", root / name, "--preset", preset, "--json")
            assert done.stdout, done.stderr
            [answer] = json.loads(done.stdout)
            return answer

        yield judged
        assert instance.stop() == 0


@pytest.mark.parametrize("text", BLANKET.values(), ids=BLANKET)
def test_a_word_about_more_than_a_line_does_not_raise_the_score(text: str, gate: Gate) -> None:
    plain, quiet = gate(BAD), gate(text)
    assert quiet["score"] <= plain["score"] + 0.1
    [word] = quiet["suppressions"]
    assert word["counts"] == word["hides"] > 0
    assert word["word"] in " ".join(quiet["warnings"])


def test_a_decorator_from_another_file_hides_nothing(gate: Gate) -> None:
    gate("from typing import no_type_check as quiet\n", name="helper.py")
    assert gate(ELSEWHERE)["score"] <= gate(BAD)["score"] + 0.1


@pytest.mark.parametrize("text", LINES.values(), ids=LINES)
def test_a_word_about_a_line_is_named_and_needs_a_person_in_strict(text: str, gate: Gate) -> None:
    standard, strict = gate(text), gate(text, "strict")
    assert standard["suppressions"]
    for word in standard["suppressions"]:
        assert word["message"] in " ".join(standard["warnings"])
    assert [report for report in strict["failures"] if report.startswith("suppressions:")]


def test_few_lines_that_are_not_checked_are_named_and_cost_nothing(gate: Gate) -> None:
    before, after = gate(ORDINARY.format("")), gate(ORDINARY.format(FEW))
    assert [word["word"] for word in after["suppressions"]] == ["sys.platform", "unreachable"]
    assert all("lines" in word["message"] for word in after["suppressions"])
    for name in ("failures", "warnings", "degraded", "passed"):
        assert after[name] == before[name], name
    strict = gate(ORDINARY.format(FEW), "strict")
    assert "suppressions" not in " ".join(strict["failures"])


@pytest.mark.parametrize("comment", HINTED_COMMENTS)
def test_a_word_for_others_is_named(comment: str, gate: Gate) -> None:
    [word] = gate(f"x = 1  {comment}\n")["suppressions"]
    assert (comment, word["hides"]) == (word["word"], 0)


def test_a_word_in_a_text_is_none(gate: Gate) -> None:
    text = 'x = "import os  # noqa"\n"""\n    # type: ignore\n    # nosec\n"""\nTYPE_CHECKING = 1\n'
    answer = gate(text, "strict")
    assert answer["suppressions"] == []
    assert "suppressions" not in " ".join(answer["failures"] + answer["warnings"])
