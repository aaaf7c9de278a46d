"""What happened is learned from, by one process."""

from __future__ import annotations

from uuid import uuid4

import anyio
import pytest

from quartermaster.workers.feedback import FeedbackWorker
from tests.service.workers.conftest import Catalog

pytestmark = pytest.mark.anyio

TOOL = {"name": "add", "description": "Adds numbers.", "inputSchema": {"type": "object"}}


async def learned(catalog: Catalog) -> None:
    """Waits until every receipt was learned from."""
    with anyio.fail_after(20):
        while catalog.rows("select id from selection.receipt where learned_at is null"):  # noqa: ASYNC110
            await anyio.sleep(0.05)


async def test_receipts_are_joined_to_calls_by_the_running_worker(catalog: Catalog):
    service, call = catalog.service, catalog.service.database.call
    await catalog.carry_out(await catalog.offer("numbers", [TOOL]))
    await call("heartbeat", service.worker, instance=service.id, kind="up", version="1", pid=1)
    [found] = await call("search_tools", service.worker, goal="add numbers")
    [begun] = await call(
        "call_begin",
        service.worker,
        name=found["name"],
        argument_bytes=2,
        request_id="r",
        instance=service.id,
        receipt=found["receipt"],
    )
    await call("call_end", service.worker, call_id=begun["call_id"], outcome="ok", duration_ms=12.0)
    catalog.rows(
        "update core.setting set value = '\"0\"' where name = 'feedback.window' returning name"
    )
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(FeedbackWorker(service).run)
        await learned(catalog)
        tasks.cancel_scope.cancel()
    assert catalog.rows("select receipt_id, rank, calls, successes from selection.outcome") == [
        (found["receipt"], 1, 1, 1)
    ]
    assert catalog.rows("select calls, success_rate from selection.utility") == [(1, 1.0)]


async def test_a_process_that_does_not_lead_leaves_it_to_the_one_that_does(catalog: Catalog):
    service, call = catalog.service, catalog.service.database.call
    await call("search_tools", service.worker, goal="anything")
    catalog.rows(
        "update core.setting set value = '\"0\"' where name = 'feedback.window' returning name"
    )
    other = uuid4()
    await call("heartbeat", service.worker, instance=other, kind="up", version="1", pid=1)
    assert await FeedbackWorker(service).learn_all() == 0
    await call("end_instance", service.worker, instance=other)
    assert await FeedbackWorker(service).learn_all() == 1
