"""Jobs run when they are due, each by one process."""

from __future__ import annotations

import json

import anyio
import pytest

from quartermaster import api
from quartermaster.core import logs
from quartermaster.workers.run import run_due_jobs
from tests.service.workers.conftest import Catalog
from tests.support.waiting import until

pytestmark = pytest.mark.anyio

TOOL = {"name": "add", "description": "Adds numbers.", "inputSchema": {"type": "object"}}


def make_due(catalog: Catalog, *jobs: str) -> None:
    """These, and no others: the database was installed a while ago."""
    catalog.rows(
        "update jobs.job set next_at = now() + case when name = any(%s) then interval '0 s'"
        " else every end returning name",
        list(jobs),
    )


async def learned(catalog: Catalog) -> None:
    """Waits until every receipt was learned from."""
    unlearned = "select id from selection.receipt where learned_at is null"
    await until(lambda: not catalog.rows(unlearned))


async def test_receipts_are_joined_to_calls_by_the_running_worker(catalog: Catalog):
    service, call = catalog.service, catalog.service.database.call
    await catalog.carry_out(await catalog.offer("numbers", [TOOL]))
    await call(api.heartbeat(instance=service.id, kind="up", version="1", pid=1), service.worker)
    [found] = await call(api.search_tools(goal="add numbers"), service.worker)
    [begun] = await call(
        api.call_begin(
            name=found["name"],
            argument_bytes=2,
            request_id="r",
            instance=service.id,
            receipt=found["receipt"],
        ),
        service.worker,
    )
    await call(
        api.call_end(call_id=begun["call_id"], outcome="ok", duration_ms=12.0), service.worker
    )
    catalog.rows(
        "update core.setting set value = '\"0\"' where name = 'feedback.window' returning name"
    )
    make_due(catalog, "learn")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run_due_jobs, service)
        await learned(catalog)
        tasks.cancel_scope.cancel()
    assert catalog.rows("select receipt_id, rank, calls, successes from selection.outcome") == [
        (found["receipt"], 1, 1, 1)
    ]
    assert catalog.rows("select calls, success_rate from selection.utility") == [(1, 1.0)]


async def test_every_connected_origin_is_read_again(catalog: Catalog):
    await catalog.carry_out(await catalog.offer("numbers", [TOOL]))
    make_due(catalog, "refresh")
    assert await run_due_jobs(catalog.service) == 1
    assert catalog.rows("select status from catalog.refresh order by id") == [
        ("done",),
        ("requested",),
    ]
    assert await run_due_jobs(catalog.service) == 0


async def test_a_job_that_fails_is_logged_and_holds_up_no_other(catalog: Catalog):
    make_due(catalog, "learn", "refresh")
    catalog.rows("update jobs.job set routine = 'jobs.gone' where name = 'learn' returning name")
    assert await run_due_jobs(catalog.service) == 2
    assert catalog.rows("select job, failure is null from jobs.run order by id") == [
        ("learn", False),
        ("refresh", True),
    ]


async def test_what_a_job_warns_of_is_a_warning_in_the_log(
    catalog: Catalog, capfd: pytest.CaptureFixture[str]
):
    logs.configure("info")
    with catalog.database.connect() as connection:
        warning = """'{"warning": "less was found"}'::jsonb"""
        connection.execute(f"create function t.warn() returns jsonb return {warning}")
        connection.execute("update jobs.job set routine = 't.warn' where name = 'learn'")
    make_due(catalog, "learn")
    assert await run_due_jobs(catalog.service) == 1
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    [report] = [line for line in lines if line.get("job") == "learn"]
    assert (report["event"], report["level"]) == ("job_warns", "warning")
    assert report["warning"] == "less was found"
    count = catalog.service.meters.registry.get_sample_value
    labels = {"job": "learn", "outcome": "ok"}
    assert count("quartermaster_jobs_total", labels) == 1
