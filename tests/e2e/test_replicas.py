"""Two services on one database are equal, also where one reaches it through PgBouncer."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import ExitStack
from functools import partial

import anyio
import pytest

from quartermaster.doors.mcp.own_client import call_tool, connect
from tests.support import pgbouncer
from tests.support.database import SERVICE_PASSWORD, Database, Server
from tests.support.instance import Instance, new_instance
from tests.support.load import call_many, gaps, outcomes_in_log
from tests.support.waiting import LONGEST_S, wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

Replicas = tuple[Instance, Instance]


@pytest.fixture(scope="module")
def shared(embedded_server: Server) -> Generator[Database]:
    """The database of both."""
    with embedded_server.empty() as database:
        yield database


@pytest.fixture(scope="module")
def replicas(shared: Database) -> Generator[Replicas]:
    """Both running, in data directories of their own, as on two machines."""
    with ExitStack() as stack:
        other = {}
        if pgbouncer.PROGRAM is not None:
            pooled = stack.enter_context(pgbouncer.pooled(shared.service_dsn))
            other = {
                "QM_DATABASE__SERVICE_DSN": pooled,
                "QM_DATABASE__LISTEN_DSN": shared.service_dsn,
            }
        both = [_started(stack, shared, environment) for environment in ({}, other)]
        both[0].add_upstream("leaf", "leaf_server.py", "stdio")
        # So that an open breaker is still open when the other service is asked.
        pause = "update core.setting set value = %s::jsonb where name = %s returning name"
        assert both[0].rows(pause, '"5 minutes"', "breaker.pause")
        yield both[0], both[1]


def test_a_replica_behind_pgbouncer_has_its_connections_from_there(
    replicas: Replicas, shared: Database
):
    if pgbouncer.PROGRAM is None:
        pytest.skip("PgBouncer is not there: run scripts/test-prerequisites.sh")
    tally = call_many(replicas[1].run_file, "leaf__echo", 50, 16, text="hello")
    assert tally.outcomes == {"ok": 50}
    assert replicas[1].environment["QM_DATABASE__SERVICE_DSN"] != shared.service_dsn


def test_a_key_that_is_revoked_at_one_is_refused_at_the_other(replicas: Replicas):
    one, other = replicas
    made = one.qm_json("key", "create", "local", "--label", "replicas")
    with other.http(made["key"]) as client:
        assert client.get("/status").status_code == 200
        one.qm_json("key", "revoke", str(made["id"]), "--yes")
        assert client.get("/status").status_code == 401


def test_what_one_adds_is_told_to_clients_of_both_and_called_at_both(replicas: Replicas):
    anyio.run(_hear_of_a_new_origin, replicas)
    for replica in replicas:
        asked = partial(call_tool, replica.run_file, "newcomer__echo", {"text": "hello"})
        assert not anyio.run(asked).is_error


def test_both_are_known_and_find_the_same(replicas: Replicas):
    found = [
        [tool["name"] for tool in replica.qm_json("search", "echo a text")["tools"]]
        for replica in replicas
    ]
    assert found[0] == found[1] != []
    assert replicas[0].rows("select count(*) from core.instance") == [(2,)]


def test_a_breaker_that_opens_at_one_is_open_at_the_other(replicas: Replicas):
    one, other = replicas
    one.add_upstream("dying", "rude_server.py")
    assert call_many(one.run_file, "dying__die", 5, 1).outcomes == {"upstream_died": 5}
    refused = call_many(other.run_file, "dying__echo", 3, 1)
    assert refused.outcomes == {"upstream_unavailable": 3}
    # Both heard of it, for when the database is away.
    assert all(wait_until(lambda r=r: "breaker_open" in r.stderr) for r in replicas)
    assert other.qm("origin", "reset", "dying").returncode == 0
    assert call_many(one.run_file, "dying__echo", 3, 1).outcomes == {"ok": 3}


def test_calls_of_both_are_in_one_log_each_once_and_a_job_runs_once(replicas: Replicas):
    one, other = replicas
    before = outcomes_in_log(one, "leaf")
    made = [call_many(replica.run_file, "leaf__echo", 30, text="hello") for replica in replicas]
    after = outcomes_in_log(other, "leaf")
    assert after["ok"] - before["ok"] == sum(tally.calls for tally in made) == 60
    ids = [number for tally in made for number in tally.ids]
    assert len(set(ids)) == 60
    assert gaps(one) == []
    twice = "select count(*) from jobs.run group by job, started_at having count(*) > 1"
    assert one.rows(twice) == []


def _started(stack: ExitStack, database: Database, environment: dict[str, str]) -> Instance:
    instance = stack.enter_context(new_instance("--dsn", database.dsn, environment=environment))
    instance.data_dir.mkdir()
    credentials = instance.data_dir / "credentials.json"
    credentials.write_text(json.dumps({"qm_service": SERVICE_PASSWORD}))
    return instance.start()


async def _hear_of_a_new_origin(replicas: Replicas) -> None:
    one, other = replicas
    async with (
        connect(one.run_file) as near,
        connect(other.run_file) as far,
        near.listen(tools_list_changed=True) as near_changes,
        far.listen(tools_list_changed=True) as far_changes,
    ):
        add = partial(one.add_upstream, "newcomer", "leaf_server.py", "stdio")
        await anyio.to_thread.run_sync(add)
        with anyio.fail_after(LONGEST_S):
            for changes in (near_changes, far_changes):
                async for _ in changes:
                    break
