"""The wheels: built once for a run, and installed once in each process of the run; and psql."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

from quartermaster.core.locks import exclusive
from tests.support.database import Server
from tests.support.hooks import SHARED
from tests.support.place import new_place
from tests.support.wheel import build_wheels, install_wheels, python_for_everybody


@pytest.fixture(scope="session")
def psql(embedded_server: Server) -> Path:
    """The program, for a database of any server."""
    assert embedded_server.programs
    return embedded_server.programs / "psql"


@pytest.fixture(scope="session")
def wheels() -> list[Path]:
    """The wheels of the checkout, first that of the core; all processes of a run share them."""
    folder = Path(os.environ[SHARED]) / "wheels"
    with exclusive(folder.with_suffix(".lock")):
        if not any(folder.glob("*.whl")):
            build_wheels(folder)
    return sorted(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def qm_of_wheels(wheels: list[Path]) -> Generator[Path]:
    """The program `qm` where all wheels are installed, which every user can run."""
    with new_place("qm-venv-", on_disk=True) as place:
        yield install_wheels(wheels, place / "venv", python_for_everybody())
