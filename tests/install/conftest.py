"""The wheel: built once for a run, and installed once in each process of the run; and psql."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

from quartermaster.core.locks import exclusive
from tests.support.database import Server
from tests.support.hooks import SHARED
from tests.support.place import new_place
from tests.support.wheel import build_wheel, install_wheel, python_for_everybody


@pytest.fixture(scope="session")
def psql(embedded_server: Server) -> Path:
    """The program, for a database of any server."""
    assert embedded_server.programs
    return embedded_server.programs / "psql"


@pytest.fixture(scope="session")
def wheel() -> Path:
    """The wheel of the checkout; all processes of a run share it."""
    folder = Path(os.environ[SHARED]) / "wheel"
    with exclusive(folder.with_suffix(".lock")):
        if built := [*folder.glob("*.whl")]:
            return built[0]
        folder.mkdir()
        return build_wheel(folder)


@pytest.fixture(scope="session")
def qm_of_wheel(wheel: Path) -> Generator[Path]:
    """The program `qm` of an installed wheel, which every user can run."""
    with new_place("qm-venv-", on_disk=True) as place:
        yield install_wheel(wheel, place / "venv", python_for_everybody())
