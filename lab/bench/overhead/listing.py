"""Measures `tools/list`: the usual list and that of all tools, beside a bare server with the same
tools, with a small and a large catalog.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

import anyio
import httpx2
import numpy as np
import psycopg
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from psycopg.types.json import Jsonb
from rich.console import Console
from rich.table import Table

from lab.bench.overhead.doors import Era
from lab.bench.overhead.rivals import listening
from lab.bench.timing import Latency
from lab.comparisons.retrieval_sets import Tool, make_tools, read_tools, skip_reason
from tests.support.instance import Instance, new_instance
from tests.support.model_server import KEY, ModelServer, running
from tests.support.ports import free_port
from tests.support.waiting import wait_until

SIZES: Final = (200, 10_000)
ERAS: Final[tuple[Era, ...]] = ("auto", "legacy")
BARE, USUAL, ALL = "bare server, the same tools", "/mcp", "/mcp?list=all"
_SERVER: Final = Path(__file__).with_name("list_server.py")
_BATCH: Final = 250
_SET: Final = "mcpcatalog"
_EMBEDS_S: Final = 300


class _Embedder:
    """Vectors play no part in lists, and real ones would take the cores that are measured."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return np.random.default_rng(len(texts)).normal(size=(len(texts), 8))


@dataclass(frozen=True)
class ListedArm:
    """What one way of listing takes.

    Attributes:
        catalog: tools in the catalog.
        era: of the client.
        arm: which list.
        tools, kilobytes: in the answer.
        latency: of a request.
    """

    catalog: int
    era: str
    arm: str
    tools: int
    kilobytes: float
    latency: Latency


def measure(requests: int, sizes: Sequence[int] = SIZES) -> list[ListedArm]:
    """Starts everything and returns what was found.

    Args:
        requests: of each arm.
        sizes: of the catalog, growing.
    """
    tools = make_tools(2 * max(sizes)) if skip_reason(_SET) else read_tools(_SET, 2 * max(sizes))
    found: list[ListedArm] = []
    with ExitStack() as stack:
        models = stack.enter_context(running(ModelServer(_Embedder())))
        environment = {
            "QM_EMBEDDING__PROVIDER": "api_remote",
            "QM_EMBEDDING__URL": models.url,
            "QM_EMBEDDING__API_KEY": "env:BENCH_KEY",
            "BENCH_KEY": KEY,
            "QM_LIMITS__REQUESTS_PER_S": "0",
        }
        instance = stack.enter_context(new_instance(environment=environment, forked=False))
        instance.start()
        for size in sizes:
            _fill(instance, tools, size)
            for era in ERAS:
                found += anyio.run(_compare, instance, era, size, requests)
    return found


def _fill(instance: Instance, tools: list[Tool], size: int) -> None:
    """Imports tools until so many are offered; those that are imported are taken out."""
    with psycopg.connect(instance.admin_dsn, autocommit=True) as connection:
        while True:
            [(live,)] = connection.execute(
                "select count(*) from catalog.item where kind = 'tool' and is_live"
            ).fetchall()
            batch = [tools.pop() for _ in range(min(_BATCH, size - int(live), len(tools)))]
            if not batch:
                break
            connection.execute("select from api.import_items('tool', %s)", (Jsonb(batch),))
        with instance.http() as http:
            assert wait_until(lambda: not http.get("/status").json()["unembedded"], _EMBEDS_S)
        connection.execute("vacuum analyze")


async def _compare(instance: Instance, era: Era, catalog: int, requests: int) -> list[ListedArm]:
    run = instance.run_file
    headers = {"authorization": f"Bearer {run.token}"}
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        clients = {
            path: await enter(_client(f"{run.url}{path}", era, headers)) for path in (USUAL, ALL)
        }
        listed = await clients[ALL].list_tools(cache_mode="bypass")
        tools = [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed.tools]
        port = stack.enter_context(_bare(tools))
        clients = {BARE: await enter(_client(f"http://127.0.0.1:{port}/mcp", era, {})), **clients}
        taken: dict[str, list[float]] = {arm: [] for arm in clients}
        answers: dict[str, Any] = {}
        for number in range(requests + 3):
            for arm, client in clients.items():
                begun = perf_counter()
                answers[arm] = await client.list_tools(cache_mode="bypass")
                if number >= 3:
                    taken[arm].append(perf_counter() - begun)
    return [
        ListedArm(
            catalog=catalog,
            era=era,
            arm=arm,
            tools=len(answers[arm].tools),
            kilobytes=round(len(answers[arm].model_dump_json(exclude_none=True)) / 1000, 1),
            latency=Latency.of(seconds),
        )
        for arm, seconds in taken.items()
    ]


@asynccontextmanager
async def _client(url: str, era: Era, headers: Mapping[str, str]) -> AsyncGenerator[Client]:
    async with (
        httpx2.AsyncClient(headers=dict(headers), timeout=60, trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http), mode=era) as client,
    ):
        yield client


@contextmanager
def _bare(tools: Sequence[Mapping[str, Any]]) -> Generator[int]:
    port = free_port()
    with TemporaryDirectory(prefix="qm-bench-") as folder:
        file = Path(folder) / "tools.json"
        file.write_text(json.dumps(tools), encoding="utf-8")
        with listening([sys.executable, str(_SERVER), str(port), str(file)], port):
            yield port


def print_lists(found: Sequence[ListedArm], console: Console) -> None:
    """Prints a table; ratios are those to the bare server and to the usual list, in one run."""
    table = Table(
        "catalog", "client", "list", "tools", "kB", "p50 ms", "p95 ms", "× bare", "× usual"
    )
    for one in found:
        beside = {
            other.arm: other.latency.p50
            for other in found
            if (other.catalog, other.era) == (one.catalog, one.era)
        }
        table.add_row(
            f"{one.catalog:,}",
            "stateless" if one.era == "auto" else "session",
            one.arm,
            str(one.tools),
            str(one.kilobytes),
            f"{one.latency.p50:.1f}",
            f"{one.latency.p95:.1f}",
            f"{one.latency.p50 / beside[BARE]:.2f}",
            f"{one.latency.p50 / beside[USUAL]:.2f}",
        )
    console.print(table)
