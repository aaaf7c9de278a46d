"""Database servers and clones of the installed schema, for every test that needs one."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.support import database as databases
from tests.support import debian_server as debian
from tests.support.database import Database, Server
from tests.support.leak_hooks import (
    pytest_runtest_makereport,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)

__all__ = [
    "pytest_runtest_makereport",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
    "pytest_testnodedown",
]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def embedded_server() -> Generator[Server]:
    """PostgreSQL 18 out of the wheel, one for the whole run."""
    with databases.embedded() as server:
        yield server


@pytest.fixture(scope="session")
def debian_server() -> Generator[Server]:
    """PostgreSQL 17 of Debian 13, one for the whole run; skips where the machine cannot have it."""
    if reason := debian.skip_reason():
        pytest.skip(reason)
    with databases.debian() as server:
        yield server


@pytest.fixture(scope="session", params=["postgresql-18", "postgresql-17"])
def sql_server(request: pytest.FixtureRequest) -> Server:
    """Each server in turn."""
    name = "embedded_server" if request.param == "postgresql-18" else "debian_server"
    return request.getfixturevalue(name)


@pytest.fixture
def database(embedded_server: Server) -> Generator[Database]:
    """A database of this test alone, with the schema installed."""
    with embedded_server.clone() as clone:
        yield clone


@pytest.fixture
def service_dsn(database: Database) -> str:
    """Connection string of the login role `qm_service` for `database`."""
    return database.service_dsn
