from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.instance import Instance, new_instance


@pytest.fixture(scope="session")
def instance(stopped_data_dir: Path) -> Generator[Instance]:
    """One running Quartermaster without starters, for all tests of commands."""
    with new_instance(copy_of=stopped_data_dir) as running:
        yield running.start()
