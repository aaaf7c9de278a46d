"""A person's shell is set up for other databases: ours is reached all the same."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.instance import Instance, new_instance
from tests.support.shells import SHELLS

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@pytest.fixture(scope="module")
def instance(stopped_data_dir: Path) -> Generator[Instance]:
    """One that is started and asked from a shell with every variable of libpq."""
    with new_instance(copy_of=stopped_data_dir, environment=SHELLS["libpq"]) as started:
        yield started.start()


def test_the_start_makes_its_database_and_the_service_uses_it(instance: Instance) -> None:
    with instance.http() as http:
        assert http.get("/readyz").status_code == 200


@pytest.mark.parametrize(
    "command",
    [
        ("search", "check a file before it is merged"),
        ("status",),
        ("origin", "list"),
        ("psql", "--admin", "-Atc", "select count(*) from catalog.item"),
        ("doctor",),
    ],
    ids=lambda command: command[0],
)
def test_commands_reach_it(instance: Instance, command: tuple[str, ...]) -> None:
    done = instance.qm(*command)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_named_database_is_described_by_the_shell(instance: Instance) -> None:
    """With --dsn, somebody means the rest of the connection, too: here, a service file."""
    done = instance.qm("search", "anything", "--dsn", "dbname=tools")
    assert done.returncode == 1
    assert "pg_service.conf" in done.stdout + done.stderr
