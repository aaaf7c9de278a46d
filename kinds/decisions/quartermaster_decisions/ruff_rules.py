"""Evaluates checks of the form `ruff`: runs ruff with one or more rules, and ignores the project's
own settings.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

from quartermaster.core.errors import QmError
from quartermaster.core.reaped import reaped

_TIMEOUT_S: Final = 20


def broken_rules(path: str, content: bytes, rules: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yields the rules that a file violates, each with the line. A prefix such as `S` stands for
    all rules that begin with it.

    Args:
        path: path of the file.
        content: bytes of the file. The file itself is not opened.
        rules: ids of rules, such as `T201`, or prefixes of ids.

    Raises:
        QmError: 422 check_invalid: ruff is missing, or does not know a rule.
    """
    command = [
        _program(),
        "check",
        "--isolated",
        "--no-cache",
        "--quiet",
        "--output-format=json",
        f"--select={','.join(sorted(rules))}",
        f"--stdin-filename={path.rpartition('/')[2]}",
        "-",
    ]
    try:
        done = subprocess.run(
            reaped(command), input=content, capture_output=True, timeout=_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise _unusable(f"ruff did not finish with {path}") from None
    if done.returncode not in {0, 1}:
        raise _unusable(f"ruff knows no rule like {', '.join(sorted(rules))}, or cannot run")
    found: list[dict[str, Any]] = json.loads(done.stdout or b"[]")
    for each in found:
        code = str(each["code"] or "")
        for rule in rules:
            if code.startswith(rule):
                yield rule, int(each["location"]["row"])


def _program() -> str:
    beside = str(Path(sys.executable).parent)
    found = shutil.which("ruff", path=beside) or shutil.which("ruff")
    if found is None:
        raise _unusable("the program ruff is missing")
    return found


def _unusable(problem: str) -> QmError:
    return QmError(
        422,
        "check_invalid",
        f"A check that uses ruff cannot run: {problem}.",
        "Install ruff, or edit the decision: qm decisions edit ID --check JSON.",
    )
