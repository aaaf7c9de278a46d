"""The first minute of most people: Debian 12, no root, nothing but what the README names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.first_minute.kinds import COMMON
from tests.support.first_start import RIGHT, STEPS, ask, clone, make_run
from tests.support.machines import started

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_the_first_command_of_the_readme_shows_a_right_answer(source: Path, tmp_path: Path) -> None:
    with started(COMMON, source) as machine:
        clone(machine)
        _, outcome = make_run(machine, tmp_path / "screen.txt")
        assert outcome.ready_seconds is not None, outcome.screen
        ask(machine, outcome)
        assert outcome.steps == dict.fromkeys(STEPS, RIGHT), outcome.screen
