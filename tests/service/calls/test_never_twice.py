"""No call that could do something twice is ever sent twice, wherever things break."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import anyio
import anyio.to_thread
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client, MCPError

from quartermaster import api
from quartermaster.calls.call_record import IDEMPOTENCY_KEY
from quartermaster.core.errors import QmError
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.outage.spool import replay
from quartermaster.service import Service, open_service
from quartermaster.settings.sections import UpstreamSettings
from quartermaster.settings.settings import Settings
from tests.support.database import Database, Server
from tests.support.fault_upstream import FaultUpstream
from tests.support.model import cached_model_dir
from tests.support.offers import OBJECT, leaf_tool, offer
from tests.support.upstreams import SUPPORT
from tests.support.waiting import LONGEST_S

pytestmark = pytest.mark.anyio

ANSWERS = ["none", "error", "http_404", "http_429", "http_500", "http_503", "http_504"]
HTTP_FAULTS = [*ANSWERS, "drop", "half", "hang", "garbage", "down"]
PIPE_FAULTS = ["none", "die", "half", "garbage", "hang"]
MOST_ATTEMPTS = 3


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def log(embedded_server: Server) -> Generator[Database]:
    with embedded_server.clone() as clone, clone.connect() as connection:
        # An origin that fails on purpose would be left alone after a few calls.
        connection.execute("update core.setting set value = '0' where name = 'breaker.failures'")
        yield clone


@pytest.fixture(scope="module")
async def upstream(anyio_backend: str) -> AsyncGenerator[FaultUpstream]:
    async with FaultUpstream.open() as upstream:
        yield upstream


@pytest.fixture(scope="module")
def effects_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("effects") / "effects"
    # The server, which is a user of its own, writes there.
    file.touch()
    file.chmod(0o666)
    return file


@pytest.fixture(scope="module")
async def service(
    anyio_backend: str,
    log: Database,
    upstream: FaultUpstream,
    effects_file: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Service]:
    """Over both upstreams, each with a tool that only reads and one that nobody vouches for."""
    config = Settings(upstream=UpstreamSettings(call_timeout_s=0.3))
    folder, runtime_dir = tmp_path_factory.mktemp("twice"), cached_model_dir().parents[1]
    tools = [
        leaf_tool("write", OBJECT),
        leaf_tool("read", OBJECT) | {"annotations": {"readOnlyHint": True}},
    ]
    async with open_service(config, folder, runtime_dir, log.service_dsn, "up", uuid4()) as service:
        url = f"http://127.0.0.1:{upstream.port}/mcp"
        await offer(service, "http", tools, transport="http", url=url)
        script = str(SUPPORT / "fault_server.py")
        await offer(service, "pipe", tools, sys.executable, script, str(effects_file))
        yield service


@st.composite
def cases(draw: st.DrawFn) -> dict[str, Any]:
    """Returns a call, the faults of each of its arrivals, and what else goes wrong."""
    origin = draw(st.sampled_from(["http", "http", "pipe"]))
    faults = st.sampled_from(HTTP_FAULTS if origin == "http" else PIPE_FAULTS)
    return {
        "origin": origin,
        "tool": draw(st.sampled_from(["write", "write", "read"])),
        "faults": draw(st.lists(faults, min_size=1, max_size=3)),
        "era": draw(st.sampled_from(["legacy", "2026-07-28"])),
        "is_keyed": draw(st.booleans()),
        "is_cancelled": origin == "http" and draw(st.integers(0, 5)) == 0,
        "is_database_away": origin == "http" and draw(st.integers(0, 5)) == 0,
    }


async def test_an_unsafe_call_takes_effect_at_most_once_at_each_point(
    service: Service, upstream: FaultUpstream, effects_file: Path, log: Database
):
    calm = {"tool": "write", "is_keyed": True, "is_cancelled": False, "is_database_away": False}
    points = [("http", fault) for fault in HTTP_FAULTS] + [("pipe", fault) for fault in PIPE_FAULTS]
    for origin, fault in points:
        case = calm | {"origin": origin, "faults": [fault], "era": "2026-07-28"}
        await check(case, service, upstream, effects_file, log)
    at_running = calm | {"origin": "http", "faults": ["hang"], "era": "2026-07-28"}
    await check(at_running | {"is_cancelled": True}, service, upstream, effects_file, log)
    await check(at_running | {"is_database_away": True}, service, upstream, effects_file, log)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(case=cases())
async def test_an_unsafe_call_takes_effect_at_most_once_whatever_breaks(
    case: dict[str, Any],
    service: Service,
    upstream: FaultUpstream,
    effects_file: Path,
    log: Database,
):
    await check(case, service, upstream, effects_file, log)


@pytest.mark.parametrize("fault", ["drop", "http_503", "down"])
async def test_a_call_that_only_reads_is_sent_again_until_it_succeeds(
    fault: str, service: Service, upstream: FaultUpstream
):
    name = uuid4().hex
    case = {"origin": "http", "tool": "read", "era": "2026-07-28", "is_keyed": False}
    result = await make(service, upstream, case | {"is_cancelled": False, "faults": [fault]}, name)
    assert result is not None
    assert not result.is_error, result
    assert result.meta["quartermaster/call"]["attempts"] == 2


async def make(service: Service, upstream: FaultUpstream, case: dict[str, Any], name: str) -> Any:
    """Makes the call as a client; whatever comes of it."""
    upstream.arrived = anyio.Event()
    asked = {
        "name": f"{case['origin']}__{case['tool']}",
        "arguments": {"id": name, "faults": case["faults"]},
    }
    meta: Any = {IDEMPOTENCY_KEY: name} if case["is_keyed"] else None
    result = None
    async with (
        Client(McpFront(service).server, mode=case["era"]) as client,
        anyio.create_task_group() as tasks,
    ):
        if case["is_cancelled"]:

            async def cancel() -> None:
                await upstream.arrived.wait()
                tasks.cancel_scope.cancel()

            tasks.start_soon(cancel)
        with suppress(MCPError):
            result = await client.call_tool("call_tool", asked, meta=meta)
        tasks.cancel_scope.cancel()
    return result


async def settle(service: Service, upstream: FaultUpstream, log: Database) -> None:
    """Until the database is back and has what was written down while it was away."""
    upstream.on_run = None
    with anyio.fail_after(LONGEST_S):
        while service.outage.since is not None:
            with suppress(QmError):
                await service.database.call(api.list_origins(), service.worker)
    await replay(service.database, service.spool)
    await log.ends_are_written()


async def effects_of(file: Path) -> list[str]:
    """Returns ids of calls of the stdio server, once for each time that its tool ran."""
    path = anyio.Path(file)
    return (await path.read_text()).split() if await path.exists() else []


def cut_off(log: Database) -> Callable[[], Awaitable[None]]:
    """Makes the service's connections to the database break when a tool has run."""

    def cut() -> None:
        with log.connect() as connection:
            connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = %s and usename = 'qm_service'",
                [log.name],
            )

    return partial(anyio.to_thread.run_sync, cut)


async def check(
    case: dict[str, Any],
    service: Service,
    upstream: FaultUpstream,
    effects_file: Path,
    log: Database,
) -> None:
    """Makes a call and looks at what it did: at the upstream, and in the log."""
    name = uuid4().hex
    with log.connect() as connection:
        (first,) = connection.execute("select now()").fetchone() or (None,)
        upstream.on_run = cut_off(log) if case["is_database_away"] else None
        await make(service, upstream, case, name)
        if case["is_keyed"]:
            # Whoever does not know how it went asks again with the same key.
            await make(service, upstream, case | {"is_cancelled": False}, name)
        effects = upstream.effects[name] + (await effects_of(effects_file)).count(name)
        await settle(service, upstream, log)
        found = connection.execute(
            "select outcome, attempts from calls.call where started_at >= %s order by id", [first]
        )
        rows = cast("list[tuple[str, int]]", found.fetchall())
        gaps = connection.execute("select * from api.call_gaps()").fetchall()
    assert gaps == []
    if case["tool"] == "write":
        assert effects <= (1 if case["is_keyed"] else len(rows)), rows
        assert all(attempts <= 1 for _, attempts in rows), rows
        # What is counted as sent is never less than what was done.
        assert effects <= sum(attempts for _, attempts in rows), rows
    else:
        assert all(attempts <= MOST_ATTEMPTS for _, attempts in rows), rows
    assert all(outcome != "pending" for outcome, _ in rows), rows
