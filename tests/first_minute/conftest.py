"""A source to clone for all machines of these tests, and which of them `make test` runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.first_start import clone
from tests.support.machines import Kind, Machine, repository_of, started
from tests.support.place import new_place

ALL = "QM_FIRST_MINUTE"
# They take half an hour together: `make test-first-minute` runs them.
collect_ignore = [] if os.environ.get(ALL) else ["test_bad_days.py", "test_shells.py"]

Made = Callable[..., Any]


@pytest.fixture(scope="session")
def source() -> Generator[Path]:
    """The files of the checkout as a repository."""
    with new_place("qm-source-") as place:
        yield repository_of(place)


@pytest.fixture
def cloned(source: Path) -> Made:
    """Makes machines of a kind in which the repository is cloned."""

    @contextmanager
    def make(**what: Any) -> Generator[Machine]:
        with started(Kind(**what), source) as machine:
            clone(machine)
            yield machine

    return make
