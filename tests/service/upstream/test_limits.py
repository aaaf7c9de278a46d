"""Bounded concurrency, changed specs, and the end of the supervisor."""

from __future__ import annotations

import time

import anyio
import mcp_types as types
import pytest

from quartermaster.core.errors import QmError
from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.supervisor import Supervisor
from quartermaster.upstream.tls import TlsSettings
from tests.support.upstreams import is_running, leaf_stdio_spec, rude_spec
from tests.support.waiting import until

pytestmark = pytest.mark.anyio


async def pid_of(supervisor: Supervisor, spec: OriginSpec) -> int:
    result = await supervisor.call(spec, "pid")
    assert isinstance(result, types.CallToolResult)
    assert result.structured_content is not None
    return result.structured_content["pid"]


async def test_more_calls_than_places_and_queue_are_busy(supervisor: Supervisor) -> None:
    spec = leaf_stdio_spec(max_concurrency=1, max_queue=1)
    await supervisor.list_tools(spec)
    failures: list[UpstreamError] = []

    async def hang() -> None:
        with pytest.raises(UpstreamError) as raised:
            await supervisor.call(spec, "hang", timeout_s=0.5)
        failures.append(raised.value)

    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(hang)
    # The third is refused at once; the first runs to its limit.
    assert (failures[0].kind, failures[0].status, failures[0].sent) == ("busy", 429, False)
    assert "timeout" in {failure.kind for failure in failures[1:]}
    assert await supervisor.call(spec, "measure")


async def test_changed_spec_is_a_new_process_and_calls_in_flight_end_on_the_old(
    supervisor: Supervisor,
) -> None:
    spec = rude_spec(env={"VERSION": "1"})
    first = await pid_of(supervisor, spec)
    assert await pid_of(supervisor, rude_spec(env={"VERSION": "1"})) == first
    second = await pid_of(supervisor, rude_spec(env={"VERSION": "2"}))
    assert second != first
    await until(lambda: not is_running(first))


async def test_close_ends_the_process_and_the_next_call_starts_one(
    supervisor: Supervisor,
) -> None:
    spec = rude_spec()
    first = await pid_of(supervisor, spec)
    await supervisor.close("rude")
    assert not is_running(first)
    assert supervisor.states() == {}
    assert await pid_of(supervisor, spec) != first


async def test_shutdown_ends_all_in_parallel_even_the_stubborn() -> None:
    specs = [rude_spec(mode, name=f"{mode}{n}") for mode in ("deaf", "stubborn") for n in (1, 2)]
    async with Supervisor() as supervisor:
        pids = [await pid_of(supervisor, spec) for spec in specs]
        began = time.monotonic()
    assert time.monotonic() - began < 15, "one after the other takes 16 s"
    assert not any(is_running(pid) for pid in pids)


async def test_unused_upstreams_are_not_started(supervisor: Supervisor) -> None:
    assert supervisor.states() == {}
    assert supervisor.stderr_tail("unheard-of") == ""
    await supervisor.close("unheard-of")


def test_specs_without_target_are_refused() -> None:
    with pytest.raises(QmError, match="needs a command"):
        OriginSpec(id=1, name="x", transport="stdio")
    with pytest.raises(QmError, match="needs a URL"):
        OriginSpec(id=1, name="x", transport="http")


def test_tls_settings_are_strict() -> None:
    assert TlsSettings.from_mapping({"verify": False}) == TlsSettings(verify=False)
    with pytest.raises(QmError) as raised:
        TlsSettings.from_mapping({"verfy": False})
    assert raised.value.slug == "origin_tls_invalid"


async def test_an_idle_server_is_stopped_and_the_next_call_starts_one(
    supervisor: Supervisor,
) -> None:
    spec = rude_spec(idle_stop_s=0.3)
    first = await pid_of(supervisor, spec)
    # While it works it is not idle, however long that takes: else the call would end as died.
    await supervisor.call(spec, "sleep", {"s": 0.9})
    await until(lambda: not is_running(first))
    assert await pid_of(supervisor, spec) != first


async def test_a_server_that_holds_too_much_memory_is_stopped_and_says_so(
    supervisor: Supervisor,
) -> None:
    spec = rude_spec(max_memory_mb=150)
    first = await pid_of(supervisor, spec)
    await supervisor.call(spec, "eat", {"bytes": 50 * 2**20})
    with pytest.raises(UpstreamError) as raised:
        await supervisor.call(spec, "eat", {"bytes": 200 * 2**20, "then_s": 20})
    assert raised.value.kind == "died"
    assert "the limit is 150" in (raised.value.detail or "")
    assert await pid_of(supervisor, spec) != first
