"""The service and its database killed under load, sessions dropped by the thousand, a long soak."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import anyio
import httpx2
import pytest

from tests.support.instance import START_S, Instance
from tests.support.load import Held, Load, Tally, call_many, gaps, has_outage_copy, outcomes_in_log
from tests.support.waiting import until, wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

Tell = Callable[..., None]
SESSIONS: Final = int(os.environ.get("QM_CHAOS_SESSIONS", "300"))
SOAK_CALLS: Final = int(os.environ.get("QM_SOAK_CALLS", "300"))
_HELLO: Final[dict[str, Any]] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "chaos", "version": "0"},
    },
}


@pytest.mark.parametrize("is_harmless", [False, True], ids=["any tool", "one that only reads"])
def test_postgresql_is_killed_under_load_and_every_call_is_recorded_once(
    service: Instance, tell: Tell, is_harmless: bool
):
    # Rows of calls that may be repeated do not wait for the disk.
    report = "--read-only" if is_harmless else "--not-read-only"
    assert service.qm("tool", "terms", "steady__echo", report).returncode == 0
    call_many(service.run_file, "steady__echo", 20, text="hello")
    before = outcomes_in_log(service, "steady").total()
    replayed = _replayed(service)
    assert wait_until(lambda: has_outage_copy(service))
    tally = anyio.run(partial(_meanwhile, _load(service, 200), service.kill_server))
    assert wait_until(lambda: _state(service) == "ready", START_S)
    recorded = lambda: outcomes_in_log(service, "steady").total() - before  # noqa: E731
    assert wait_until(lambda: recorded() >= tally.calls)
    assert wait_until(lambda: gaps(service) == [])
    tell(tally, f"{recorded()} rows, {_replayed(service) - replayed} of them handed in afterwards")
    assert tally.outcomes["ok"] == tally.calls == recorded()
    assert gaps(service) == []
    assert service.qm("tool", "terms", "steady__echo", "--reset", "is_read_only").returncode == 0


def test_a_killed_service_has_lost_what_was_in_flight_and_nothing_else(
    service: Instance, tell: Tell
):
    before = outcomes_in_log(service, "steady")
    tally = anyio.run(partial(_meanwhile, _load(service, 200), service.kill))
    started = time.perf_counter()
    service.start()
    back_s = time.perf_counter() - started
    assert wait_until(lambda: not outcomes_in_log(service, "steady")["pending"])
    ended = "select id from calls.call where outcome = 'ok'"
    known = lambda: {number for (number,) in service.rows(ended)}  # noqa: E731
    assert wait_until(lambda: set(tally.ids) <= known()), "what was acknowledged is there"
    after = outcomes_in_log(service, "steady")
    after.subtract(before)
    tell(tally, f"in the log: {dict(+after)}", f"serves again after {back_s:.1f} s")
    assert tally.outcomes["ok"] > 0
    # One call of each client was in flight; it may have been recorded, and ended, or not.
    assert 0 <= after.total() - tally.outcomes["ok"] <= tally.outcomes["unanswered"]
    # A client may have sent another call before it noticed.
    assert after["lost"] <= tally.outcomes["unanswered"] <= 8
    assert gaps(service) == []
    assert call_many(service.run_file, "steady__echo", 20, text="hello").outcomes == {"ok": 20}


def test_sessions_that_are_opened_and_dropped_leave_nothing_but_a_little_memory(
    service: Instance, tell: Tell
):
    anyio.run(_open_sessions, service, 100)
    before = Held.now(service)
    started = time.perf_counter()
    anyio.run(_open_sessions, service, SESSIONS)
    took_s = time.perf_counter() - started
    after = Held.now(service)
    each_kb = 1024 * (after.rss_mb - before.rss_mb) / SESSIONS
    tell(f"{SESSIONS} sessions in {took_s:.1f} s", before, after, f"{each_kb:.1f} KiB each")
    assert after.processes == before.processes
    assert after.descriptors <= before.descriptors + 20
    assert after.connections <= 9
    assert each_kb < 200
    assert call_many(service.run_file, "steady__echo", 20, text="hello").outcomes == {"ok": 20}


def test_a_soak_leaves_everything_as_it_was(service: Instance, tell: Tell):
    """`make soak` makes 100,000 calls of it."""
    tools = ("steady__echo", "steady__measure", "steady__refuse")
    for tool in tools:
        call_many(service.run_file, tool, 50, text="hello")
    before_log = outcomes_in_log(service, "steady")
    before = Held.now(service)
    tally = Tally()
    started = time.perf_counter()
    parts = max(1, SOAK_CALLS // 5000)
    for part in range(parts):
        for tool in tools:
            made = call_many(service.run_file, tool, SOAK_CALLS // parts // 3, 8, text="hello")
            tally.outcomes += made.outcomes
            tally.durations_ms += made.durations_ms
            tally.ids += made.ids
        if parts > 1:
            tell(f"{100 * (part + 1) // parts} %", tally, Held.now(service))
    rate = tally.calls / (time.perf_counter() - started)
    after = Held.now(service)
    after_log = outcomes_in_log(service, "steady")
    after_log.subtract(before_log)
    tell(tally, f"{rate:.0f} calls/s", f"before: {before}", f"after: {after}", dict(+after_log))
    assert tally.outcomes == {"ok": tally.calls}
    assert len(tally.ids) == len(set(tally.ids)) == tally.calls == after_log.total()
    assert gaps(service) == []
    assert after.processes == before.processes
    assert after.descriptors <= before.descriptors + 10
    assert after.connections <= before.connections + 8
    # What Python and its allocator take to settle, however many calls there were.
    assert after.rss_mb < before.rss_mb + 60


def _replayed(service: Instance) -> int:
    query = "select count(*) from calls.call where replayed_at is not null"
    return service.rows(query)[0][0]


def _load(service: Instance, calls: int) -> Load:
    return Load(service.run_file, "steady__echo", {"text": "hello"}, calls)


async def _meanwhile(load: Load, kill: Callable[[], None]) -> Tally:
    """Returns the load; when a quarter of it is done, something is killed."""
    all_calls = load.calls
    died = False

    async def kill_it() -> None:
        nonlocal died
        await until(lambda: load.calls <= 0.75 * all_calls)
        await anyio.to_thread.run_sync(kill)
        died = True

    if kill.__name__ == "kill":
        # Nobody is there to answer the rest.
        load.is_over = lambda: died
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(kill_it)
        await load.make()
    return load.tally


async def _open_sessions(service: Instance, count: int) -> None:
    """Sessions of handshake clients, of which nothing is ever heard again."""
    run = service.run_file
    headers = {
        "Authorization": f"Bearer {run.token}",
        "Accept": "application/json, text/event-stream",
    }
    left = count

    async def open_some(http: httpx2.AsyncClient) -> None:
        nonlocal left
        while left > 0:
            left -= 1
            answer = await http.post(f"{run.url}/mcp", json=_HELLO)
            assert answer.status_code == 200
            assert "mcp-session-id" in answer.headers

    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
        anyio.create_task_group() as tasks,
    ):
        for _ in range(8):
            tasks.start_soon(open_some, http)


def _state(service: Instance) -> str:
    try:
        return httpx2.get(f"{service.run_file.url}/readyz").json()["status"]
    except httpx2.HTTPError:
        return "gone"
