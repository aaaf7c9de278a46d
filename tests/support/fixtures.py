"""Database servers and clones of the installed schema, for every test that needs one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from quartermaster.cli import output
from quartermaster.core import logs
from quartermaster.core.locks import exclusive
from quartermaster.secrets import passphrase
from quartermaster.secrets.credentials import ServiceCredentials
from tests.support import database as databases
from tests.support import debian_root
from tests.support.database import Database, Server
from tests.support.hooks import SHARED
from tests.support.instance import START_S, Instance, new_instance
from tests.support.stoppable import StoppableServer, stoppable
from tests.support.waiting import wait_until

# The fixtures of servers, by the names in the ids of tests.
SERVERS = {"postgresql-18": "embedded_server", "postgresql-17": "debian_server"}
NEWEST = "postgresql-18"
# For a test whose answer depends on the version of PostgreSQL. That of an installation, an upgrade
# or a change of rights does; what the installer refuses, checks and reports does not.
on_each_server = pytest.mark.parametrize("server", SERVERS, indirect=True)


@pytest.fixture(autouse=True)
def as_in_a_process_of_its_own() -> Generator[None]:
    """What lasts as long as a process, which here runs many tests, is forgotten after each.

    It is what printed commands repeat, what log lines hide, and the passphrase of vaults.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "_repeated", {})
        patch.setattr(logs, "_secrets", {*logs._secrets})  # pyright: ignore[reportPrivateUsage]
        patch.setattr(passphrase, "_known", [])
        yield


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
    if reason := debian_root.skip_reason():
        pytest.skip(reason)
    with databases.debian() as server:
        yield server


@pytest.fixture(scope="session", params=SERVERS)
def sql_server(request: pytest.FixtureRequest) -> Server:
    """Each server in turn."""
    return request.getfixturevalue(SERVERS[request.param])


@pytest.fixture(scope="session", params=[NEWEST])
def server(request: pytest.FixtureRequest) -> Server:
    """The newest server; in a test that is marked `on_each_server`, each in turn."""
    return request.getfixturevalue(SERVERS[request.param])


@pytest.fixture
def database(request: pytest.FixtureRequest, embedded_server: Server) -> Generator[Database]:
    """A database of this test alone, with the schema installed; with `service`, it has the catalog
    `offered`.
    """
    has_catalog = "service" in request.fixturenames
    original = request.getfixturevalue("offered") if has_catalog else None
    with embedded_server.clone(original) as clone:
        yield clone


@pytest.fixture
def service_dsn(database: Database) -> str:
    """Connection string of the login role `qm_service` for `database`."""
    return database.service_dsn


@pytest.fixture(scope="module")
def stopping() -> Generator[StoppableServer]:
    """One server for the tests of a module; each leaves it running."""
    with stoppable() as server:
        yield server


@pytest.fixture
def stopped_database(stopping: StoppableServer) -> Generator[Database]:
    """A database of this test alone."""
    with stopping.server.clone() as clone:
        yield clone
        stopping.start()


@pytest.fixture(scope="session")
def stopped_data_dir() -> Path:
    """A data directory after a first start and a clean stop; copies of it start quicker.

    All processes of a run share it.
    """
    shared = Path(os.environ[SHARED])
    made = shared / "data"
    with exclusive(shared / "data.lock"):
        if not made.exists():
            with new_instance() as instance:
                instance.start()
                # What is embedded here is not embedded by each copy.
                unembedded = "select from search.count_unembedded() as c where c > 0"
                assert wait_until(lambda: not instance.rows(unembedded), START_S)
                password = ServiceCredentials(instance.data_dir).get("qm_service")
                databases.hash_once(instance.admin_dsn, qm_service=password)
                assert instance.stop() == 0
                subprocess.run(["cp", "-a", instance.data_dir, shared / "copy"], check=True)
            (shared / "copy").rename(made)
    return made


@pytest.fixture
def installed(stopped_data_dir: Path) -> Generator[Instance]:
    """A Quartermaster with everything installed, without starter servers; it does not run yet."""
    with new_instance(copy_of=stopped_data_dir) as instance:
        yield instance
