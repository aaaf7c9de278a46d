from __future__ import annotations

from collections.abc import Generator

import pytest

from kinds.lookup.tests.reconciliation import Served, serving
from tests.support.database import Server


@pytest.fixture(scope="session")
def served(embedded_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """One for all tests: they only read."""
    folder = tmp_path_factory.mktemp("reconcile")
    with embedded_server.clone() as database, serving(database, folder) as served:
        yield served
