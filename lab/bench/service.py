"""The service in front of the measured database: latency over MCP, and memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import anyio
import httpx2
import psycopg
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from lab.bench.searching import EmbeddedGoal
from lab.bench.server import BenchDatabase
from lab.bench.timing import Latency
from lab.bench.vectors import literal
from tests.support.instance import Instance, new_instance
from tests.support.load import has_outage_copy
from tests.support.waiting import wait_until

CONNECTIONS = 8
_WARM_UP = 10
_SETTLES_S = 120
_TIMEOUT_S = 60
_SEARCH = "select * from api.select_tools(%s, 'balanced', query_vector => %s::ext.vector)"


@dataclass(frozen=True)
class MemoryUsage:
    """What the running service takes.

    Attributes:
        rss_mb, pss_mb: of the service's process with all models loaded, after the goals.
        connection_pss_mb: of one more client connection, in the service.
        backend_pss_mb: of one more database connection that has searched.
    """

    rss_mb: float
    pss_mb: float
    connection_pss_mb: float
    backend_pss_mb: float


def measure(
    bench: BenchDatabase, questions: Sequence[EmbeddedGoal], modes: Sequence[str]
) -> tuple[dict[str, Latency], MemoryUsage]:
    """Starts `qm up` on the bench's database, asks, and stops it.

    Returns:
        What a client waits for search_tools in each mode, over loopback, with the goal embedded;
        and the memory.
    """
    environment = {"QM_DATABASE__DSN": bench.dsn, "QM_EMBEDDING__QUERY_CACHE": "0"}
    with new_instance(environment=environment) as instance:
        run = instance.start().run_file
        _settle(instance)
        seconds = anyio.run(_ask, run.url, run.token, questions, modes)
        latency = {mode: Latency.of(taken) for mode, taken in seconds.items()}
        before = _memory_mb(run.pid)
        after = anyio.run(_connected_mb, run.url, run.token, run.pid)
        return latency, MemoryUsage(
            rss_mb=before["Rss"],
            pss_mb=before["Pss"],
            connection_pss_mb=round((after - before["Pss"]) / CONNECTIONS, 2),
            backend_pss_mb=_backend_mb(bench, questions[0]),
        )


def _settle(instance: Instance) -> None:
    """Waits until what is kept for an outage is written: a large catalog takes a core for that."""
    wait_until(lambda: has_outage_copy(instance), _SETTLES_S)


async def _ask(
    url: str, token: str, questions: Sequence[EmbeddedGoal], modes: Sequence[str]
) -> dict[str, list[float]]:
    """Returns each goal in one mode after the other, so that what a service does when it has just
    started meets all of them alike.
    """
    seconds: dict[str, list[float]] = {mode: [] for mode in modes}
    async with _http(token) as http, Client(_transport(url, http)) as client:
        for question in [*questions[:_WARM_UP], *questions]:
            for mode in modes:
                asked = {"query": question.goal, "mode": mode}
                begun = perf_counter()
                found = await client.call_tool("search_tools", asked)
                seconds[mode].append(perf_counter() - begun)
                assert not found.is_error, found
    return {mode: taken[min(_WARM_UP, len(questions)) :] for mode, taken in seconds.items()}


async def _connected_mb(url: str, token: str, pid: int) -> float:
    """Returns PSS of the service while clients of the session era stay connected."""
    found = 0.0
    async with anyio.create_task_group() as tasks:
        connected = [anyio.Event() for _ in range(CONNECTIONS)]
        for event in connected:
            tasks.start_soon(_stay, url, token, event)
        for event in connected:
            await event.wait()
        found = _memory_mb(pid)["Pss"]
        tasks.cancel_scope.cancel()
    return found


async def _stay(url: str, token: str, connected: anyio.Event) -> None:
    async with _http(token) as http, Client(_transport(url, http), mode="legacy") as client:
        await client.call_tool("search_tools", {"query": "what time is it", "mode": "fast"})
        connected.set()
        await anyio.sleep_forever()


def _http(token: str) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        headers={"authorization": f"Bearer {token}"}, timeout=_TIMEOUT_S, trust_env=False
    )


def _transport(url: str, http: httpx2.AsyncClient):
    return streamable_http_client(f"{url}/mcp", http_client=http)


def _backend_mb(bench: BenchDatabase, question: EmbeddedGoal) -> float:
    """Of the mean of several: shared pages are divided among those that use them."""
    connections = [psycopg.connect(bench.dsn, autocommit=True) for _ in range(CONNECTIONS)]
    try:
        for connection in connections:
            connection.execute(_SEARCH, (question.goal, literal(question.vector)))
        used = [_memory_mb(connection.info.backend_pid)["Pss"] for connection in connections]
    finally:
        for connection in connections:
            connection.close()
    return round(sum(used) / len(used), 2)


def _memory_mb(pid: int) -> dict[str, float]:
    """Returns Rss and Pss of a process, in 1e6 bytes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    pairs = (line.split() for line in lines if line.endswith("kB"))
    return {name.rstrip(":"): round(int(size) * 1024 / 1e6, 1) for name, size, _ in pairs}
