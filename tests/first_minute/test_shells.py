"""The shell that a person has is part of the machine: whatever it has set, the start is right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.first_minute.conftest import Made
from tests.support.first_start import RIGHT, STEPS, ask, make_run
from tests.support.shells import SHELLS

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# By name: the variables, what the shell has done before, and the machine.
_TRIALS: dict[str, tuple[dict[str, str], str, dict[str, Any]]] = {
    **{name: (variables, "true", {}) for name, variables in SHELLS.items()},
    "npm": (SHELLS["npm"], "true", {"has_node": True}),
    "umask": ({}, "umask 077", {}),
    "umask of root": ({}, "umask 077", {"person": "root"}),
}
# Python reads them before it looks for .venv, so every program of a .venv ends, ours or not. Only
# what make starts is without them.
_ENDS_ANY_VENV = {"PYTHONHOME", "__PYVENV_LAUNCHER__"}


@pytest.mark.parametrize("name", _TRIALS)
def test_the_first_start_is_right(name: str, cloned: Made, tmp_path: Path) -> None:
    variables, before, kind = _TRIALS[name]
    with cloned(**kind) as machine:
        _, outcome = make_run(machine, tmp_path / "screen.txt", variables, before)
        assert outcome.ready_seconds is not None, outcome.screen
        asking = {name: text for name, text in variables.items() if name not in _ENDS_ANY_VENV}
        ask(machine, outcome, asking)
        assert outcome.steps == dict.fromkeys(STEPS, RIGHT), outcome.screen
