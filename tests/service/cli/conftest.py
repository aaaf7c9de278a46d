from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.support.instance import Instance, new_instance


@pytest.fixture(scope="session")
def instance() -> Generator[Instance]:
    """One running Quartermaster without starters, for all tests of commands."""
    with new_instance() as running:
        yield running.start()
