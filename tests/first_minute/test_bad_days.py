"""Days on which something is missing or breaks: each says what, and the next start goes on."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from tests.first_minute.conftest import Made
from tests.support.first_start import READY, RIGHT, make_run
from tests.support.machines import SUPPORT, Machine
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# What an interrupted start had come to, by what its screen or its files said last.
_SETUP = "Installing the pinned requirements"
_UNPACKING = "unpacking PostgreSQL"
_INITDB = "initialising the database"
_STARTERS = "installing the starter servers"


def _kill_all(machine: Machine) -> None:
    """As by a power cut: what runs in the machine is gone, except its first process."""
    machine.run("kill -9 -1")


def test_without_a_network_setup_says_so_and_how_to_go_on(cloned: Made) -> None:
    with cloned(has_network=False, has_wheels=False) as machine:
        begun = time.monotonic()
        done = machine.run("cd quartermaster && make run")
        taken = time.monotonic() - begun
    assert done.returncode != 0
    assert "no network" in done.stdout
    assert "the same command again" in done.stdout
    assert "Traceback" not in done.stdout
    # Making .venv comes before.
    assert taken < 30


def test_a_slow_registry_shows_progress(cloned: Made) -> None:
    """An index on the machine's own loopback answers each request after a second."""
    with cloned(has_network=False) as machine:
        shutil.copy(SUPPORT / "slow_index.py", machine.path("/people/ada/index.py"))
        log = machine.path("/people/ada/index.log")
        machine.launch("python3 index.py", log)
        assert wait_until(lambda: "wheels" in log.read_text()), log.read_text()
        settings = "[global]\nindex-url = http://127.0.0.1:8081/simple\n"
        machine.path("/etc/pip.conf").write_text(settings)
        screen = machine.path("/people/ada/screen.txt")
        machine.launch("cd quartermaster && exec scripts/setup.sh run", screen)
        report = "packages; now"
        assert wait_until(lambda: screen.read_text().count(report) >= 2, 300), screen.read_text()


def test_a_full_disk_is_told(cloned: Made) -> None:
    with cloned(small={"/people/ada": "400m"}) as machine:
        done = machine.run("cd quartermaster && make run")
    assert done.returncode != 0
    assert "No space left on device" in done.stdout
    assert "Then enter the same command again" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_home_that_is_read_only_is_told_and_another_folder_serves(
    cloned: Made, tmp_path: Path
) -> None:
    with cloned() as machine:
        os.chown(machine.path("/people/ada"), 0, 0)
        refused = machine.run("cd quartermaster && make run")
        assert refused.returncode != 0
        assert "data_dir_not_writable" in refused.stdout
        assert "--data-dir" in refused.stdout
        screen = tmp_path / "screen.txt"
        machine.launch("cd quartermaster && exec .venv/bin/qm up --data-dir /tmp/data", screen)
        assert wait_until(lambda: READY in screen.read_text(), 240), screen.read_text()


def test_interrupted_anywhere_the_next_start_is_right(cloned: Made, tmp_path: Path) -> None:
    """Killed in setup, in unpacking, in initdb and in the installation of starters, one after the
    other, on one machine.
    """
    with cloned() as machine:
        for number, stage in enumerate((_SETUP, _UNPACKING, _INITDB, _STARTERS)):
            screen = tmp_path / f"{number}.txt"
            process = machine.launch("cd quartermaster && exec make run", screen)
            reached = wait_until(
                lambda screen=screen, stage=stage: stage in screen.read_text(), 300
            )
            assert reached, screen.read_text()
            _kill_all(machine)
            process.wait()
        _, outcome = make_run(machine, tmp_path / "last.txt")
        assert outcome.steps == {"example": RIGHT}, outcome.screen


def test_a_port_in_use_and_a_second_start_are_told(cloned: Made, tmp_path: Path) -> None:
    with cloned() as machine:
        _, outcome = make_run(machine, tmp_path / "first.txt")
        assert outcome.ready_seconds is not None, outcome.screen
        second = machine.run("cd quartermaster && make run")
        assert second.returncode != 0
        assert "already_running" in second.stdout
        beside = machine.run("cd quartermaster && .venv/bin/qm up --data-dir ~/other --no-starter")
        assert beside.returncode == 1
        assert "port" in beside.stdout
        assert "8765" in beside.stdout
