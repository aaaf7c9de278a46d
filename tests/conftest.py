"""Database servers and clones of the installed schema, for every test that needs one."""

from __future__ import annotations

import gc
import os
import subprocess
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

from quartermaster.cli import output
from quartermaster.core import logs
from quartermaster.core.locks import exclusive
from quartermaster.secrets import passphrase
from quartermaster.secrets.credentials import Credentials
from tests.support import authorities, debian_root, skips
from tests.support import database as databases
from tests.support.database import Database, Server
from tests.support.instance import START_S, Instance, new_instance
from tests.support.leak_hooks import (
    pytest_runtest_makereport,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)
from tests.support.place import new_place
from tests.support.rewriting import rewrite_share
from tests.support.stoppable import StoppableServer, stoppable
from tests.support.waiting import wait_until

__all__ = [
    "pytest_runtest_makereport",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
    "pytest_testnodedown",
]


SHARED = "QM_TEST_SHARED"
# The fixtures of servers, by the names in the ids of tests.
SERVERS = {"postgresql-18": "embedded_server", "postgresql-17": "debian_server"}
NEWEST = "postgresql-18"
# For a test whose answer depends on the version of PostgreSQL. That of an installation, an upgrade
# or a change of rights does; what the installer refuses, checks and reports does not.
on_each_server = pytest.mark.parametrize("server", SERVERS, indirect=True)

# Their files take a minute or more each: begun last, one would go on when all else is done.
LONG = (
    "tests/first_minute/",
    "tests/e2e/",
    "tests/bench/",
    "tests/sql/",
    "tests/service/workers/",
    "tests/service/quality/test_own_gate.py",
    "tests/install/test_wheel.py",
)
# Files that share something, by what it is, mostly a running Quartermaster: each process that ran
# one of them would make its own, which then goes on to the end.
TOGETHER = {
    "with starters": ("e2e", ("clients", "inspector", "psql", "up")),
    "hostile": (
        "attack",
        (
            "answer_with_rubbish",
            "become_admin_with_a_clients_key",
            "outlive_the_service",
            "reach_the_database_and_the_door",
            "reach_the_service_by_its_process",
            "read_the_files_of_others",
        ),
    ),
    "crowd": (
        "attack",
        (
            "act_after_a_revocation",
            "confuse_the_parsers",
            "hold_the_interpreter",
            "stop_a_server_for_others",
            "take_all_project_work",
            "take_all_sessions",
            "take_the_places_of_others",
        ),
    ),
    "mallory": (
        "attack",
        (
            "bomb_objects_further",
            "break_by_content_further",
            "hold_the_interpreter_further",
            "quiet_a_gate_further",
            "read_the_history_of_others_further",
            "read_through_a_git_folder_further",
            "wait_at_a_special_file_further",
        ),
    ),
    "commands": (
        "service/cli",
        (
            *("audit", "connect", "import", "job", "key", "model"),
            *("origin", "printed_commands", "quality", "secret", "service_client", "snapshot"),
            *("terminal", "tool"),
        ),
    ),
    "a house": ("service/quality", ("degradation", "tools", "upstream_bugs")),
    "an installed wheel": ("install", ("non_root", "own_user", "wheel")),
}
_TOGETHER_BY_FILE = {
    f"tests/{folder}/test_{name}.py": instance
    for instance, (folder, names) in TOGETHER.items()
    for name in names
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first, so that processes that share the work end together."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


class _ByFile(LoadFileScheduling):
    """The tests of a file are run by one process, and so are those of `TOGETHER`."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return _TOGETHER_BY_FILE.get(file, file)


def pytest_configure(config: pytest.Config) -> None:
    """The first process of a run makes a folder for all of them, also for those of a test.

    Tables have the width that they have in forks, so that tests find texts in one line.
    """
    os.environ["COLUMNS"] = "200"
    authorities.read_once()
    config.pluginmanager.register(skips)
    if SHARED not in os.environ:
        stack = ExitStack()
        os.environ[SHARED] = str(stack.enter_context(new_place("qm-shared-")))
        stack.callback(os.environ.pop, SHARED)
        config.add_cleanup(stack.close)
    if worker := getattr(config, "workerinput", None):
        rewrite_share(config, int(worker["workerid"].removeprefix("gw")), worker["workercount"])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected lives as long as the process: the garbage collector need not look at it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # Tests leave little garbage in cycles: looking for it after each 700 objects takes long.
        gc.set_threshold(50_000)
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    return _ByFile(config, log) if config.getoption("dist") == "loadfile" else None


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
def database(embedded_server: Server) -> Generator[Database]:
    """A database of this test alone, with the schema installed."""
    with embedded_server.clone() as clone:
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
                password = Credentials(instance.data_dir).get("qm_service")
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
