"""Calls of project tools: so many at a time, each so long, and the principal is known inside."""

from __future__ import annotations

import threading

import anyio
import pytest
from anyio import to_thread

from quartermaster.core.errors import QmError, WaitError
from quartermaster.core.fair_queue import Share
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.projects.threads import run_in_background, run_sync
from quartermaster.projects.work import ProjectWork, principal_at_work
from quartermaster.settings.sections import LimitSettings
from tests.support.waiting import LONGEST_S, until

pytestmark = pytest.mark.anyio


async def test_a_call_whose_time_is_over_is_ended_and_says_so():
    work = ProjectWork(LimitSettings(project_call_s=0.01))
    with pytest.raises(QmError, match="project_call_timeout") as raised:
        async with work.call("ann"):
            await anyio.sleep_forever()
    assert raised.value.status == 504
    assert work.queue.shares() == {}


async def test_a_place_is_free_only_when_the_thread_of_the_call_has_returned():
    work = ProjectWork(LimitSettings(project_call_s=0.01))
    returns = threading.Event()

    async def read() -> None:
        async with work.call("ann"):
            await run_sync(returns.wait, 60)
            await anyio.sleep_forever()

    async def call() -> None:
        with pytest.raises(QmError, match="project_call_timeout"):
            await read()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(call)
        await until(work.queue.shares)
        is_over = anyio.current_time() + 0.05
        await until(lambda: anyio.current_time() > is_over)
        assert work.queue.shares() == {"ann": Share(1, 0, 0)}
        returns.set()
    assert work.queue.shares() == {}


async def test_calls_beyond_the_queue_are_refused_with_the_time_to_wait():
    work = ProjectWork(LimitSettings(project_calls=1, project_queue=0))
    async with work.call("ann"):
        with pytest.raises(WaitError, match="queue_full") as raised:
            async with work.call("ben"):
                pass
    assert raised.value.retry_after_s > 0


async def test_tasks_and_threads_of_a_call_know_for_whom_they_work():
    work = ProjectWork(LimitSettings())
    known: list[str] = []

    async def note() -> None:
        known.append(principal_at_work())

    assert principal_at_work() == LOCAL_PRINCIPAL
    async with work.call("ann"), anyio.create_task_group() as tasks:
        tasks.start_soon(note)
        known.append(await run_sync(principal_at_work))
    assert known == ["ann", "ann"]
    assert principal_at_work() == LOCAL_PRINCIPAL


async def test_threads_of_projects_are_not_those_of_the_service_or_of_the_background():
    returns = threading.Event()
    begun: list[int] = []

    def wait() -> None:
        begun.append(1)
        returns.wait(60)

    async with anyio.create_task_group() as tasks:
        for _ in range(100):
            tasks.start_soon(run_sync, wait)
        try:
            await until(lambda: len(begun) == 40)
            with anyio.fail_after(LONGEST_S):
                assert await to_thread.run_sync(lambda: "signed") == "signed"
                assert await run_in_background(lambda: "compared") == "compared"
        finally:
            returns.set()
    assert len(begun) == 100
