"""One running Quartermaster for all tests that leave it as they find it."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.support.instance import Instance, new_instance


@pytest.fixture(scope="session")
def instance() -> Generator[Instance]:
    """With the starter servers, started as it is for users.

    A test that stops or breaks it uses one of its own.
    """
    with new_instance(with_starters=True, forked=False) as instance:
        yield instance.start()


@pytest.fixture
def fresh() -> Generator[Instance]:
    """Never started yet, without starter servers; to be stopped and broken at will."""
    with new_instance() as instance:
        yield instance
