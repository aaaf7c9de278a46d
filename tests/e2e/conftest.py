"""One running Quartermaster for all tests that leave it as they find it."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.instance import Instance, new_instance


@pytest.fixture(scope="session")
def instance(stopped_data_dir: Path) -> Generator[Instance]:
    """With the starter servers, started as it is for users.

    A test that stops or breaks it uses one of its own.
    """
    with new_instance(with_starters=True, copy_of=stopped_data_dir, forked=False) as instance:
        yield instance.start()


@pytest.fixture
def fresh() -> Generator[Instance]:
    """Never started yet, without starter servers; to be stopped and broken at will."""
    with new_instance() as instance:
        yield instance
