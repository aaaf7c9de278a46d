"""Clients that call one tool over and over, and what a running service holds meanwhile."""

from __future__ import annotations

import os
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Any

import anyio
from mcp import Client, MCPError

from quartermaster.calls.call_record import PROVENANCE_KEY
from quartermaster.core.errors import QmError
from quartermaster.core.paths import RunFile
from quartermaster.doors.mcp.own_client import connect
from quartermaster.outage import copy_files
from quartermaster.snapshots.artifact import states_of
from tests.support.instance import Instance, descendants
from tests.support.waiting import wait_until


@dataclass
class Tally:
    """What became of calls, as their clients saw it.

    Attributes:
        outcomes: how many ended how: ok, the slug of an error, or unanswered.
        durations_ms: of those that were answered.
        ids: numbers of their rows, of those that say so.
    """

    outcomes: Counter[str] = field(default_factory=Counter[str])
    durations_ms: list[float] = field(default_factory=list[float])
    ids: list[object] = field(default_factory=list[object])

    @property
    def calls(self) -> int:
        """All of them."""
        return self.outcomes.total()

    def quantile_ms(self, percent: int) -> float:
        """Of the durations, linear between neighbours; a single one is every quantile."""
        if len(self.durations_ms) < 2:
            return self.durations_ms[0] if self.durations_ms else 0.0
        return quantiles(self.durations_ms, n=100, method="inclusive")[percent - 1]

    def __str__(self) -> str:
        report = ", ".join(f"{count} {outcome}" for outcome, count in self.outcomes.most_common())
        return f"{report}; p50 {self.quantile_ms(50):.0f} ms, p95 {self.quantile_ms(95):.0f} ms"


@dataclass
class Load:
    """So many calls by so many clients, all in all; made once.

    Attributes:
        run: the service.
        tool: callable name.
        arguments: the same each time.
        calls: how many are left to be made.
        clients: how many make them, one call after the other each.
        pause_s: between two calls of a client.
        is_over: asked before each call; true ends it early.
    """

    run: RunFile
    tool: str
    arguments: Mapping[str, Any]
    calls: int
    clients: int = 4
    pause_s: float = 0
    is_over: Callable[[], bool] = lambda: False
    tally: Tally = field(default_factory=Tally)

    async def make(self) -> Tally:
        """Returns all of them; a client that loses its service connects again."""
        async with anyio.create_task_group() as tasks:
            for _ in range(self.clients):
                tasks.start_soon(self._client)
        return self.tally

    async def _client(self) -> None:
        while self._has_more():
            try:
                async with connect(self.run) as client:
                    while self._has_more():
                        self.calls -= 1
                        if not await self._call(client):
                            break
                        await anyio.sleep(self.pause_s)
            except QmError:
                # Nothing was sent: a call that was is counted where it was made.
                await anyio.sleep(0.05)

    def _has_more(self) -> bool:
        return self.calls > 0 and not self.is_over()

    async def _call(self, client: Client) -> bool:
        started = time.perf_counter()
        outcome = "unanswered"
        try:
            asked = {"name": self.tool, "arguments": dict(self.arguments)}
            reply = await client.call_tool("call_tool", asked)
        except MCPError:
            return False
        else:
            self.tally.durations_ms.append((time.perf_counter() - started) * 1000)
            body: dict[str, Any] = reply.structured_content or {}
            outcome = body["error"]["slug"] if reply.is_error and "error" in body else "ok"
            if provenance := (reply.meta or {}).get(PROVENANCE_KEY):
                self.tally.ids.append(provenance["id"])
            return True
        finally:
            self.tally.outcomes[outcome] += 1


def call_many(run: RunFile, tool: str, calls: int, clients: int = 4, **arguments: Any) -> Tally:
    """Returns the load made and awaited; see `Load`."""
    return anyio.run(Load(run, tool, arguments, calls, clients).make)


def beside(
    steady: Load, tool: str, calls: int, clients: int = 4, **arguments: Any
) -> tuple[Tally, Tally]:
    """Calls of a tool in trouble, and those that go on beside them until those have ended.

    Returns:
        Of the tool in trouble, and of the steady one.
    """
    return anyio.run(partial(_beside, steady, Load(steady.run, tool, arguments, calls, clients)))


async def _beside(steady: Load, trouble: Load) -> tuple[Tally, Tally]:
    done = False
    steady.is_over = lambda: done
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(steady.make)
        await trouble.make()
        done = True
    return trouble.tally, steady.tally


@dataclass(frozen=True)
class Held:
    """What a service holds at one moment.

    Attributes:
        processes: its own and its upstreams', without its database server's.
        descriptors: open files, sockets and pipes.
        connections: of its login at the database.
        rss_mb: resident memory in MiB.
    """

    processes: int
    descriptors: int
    connections: int
    rss_mb: float

    @classmethod
    def now(cls, instance: Instance) -> Held:
        """Of a running one."""
        pid = instance.run_file.pid
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        used = "select count(*) from pg_stat_activity where usename = 'qm_service'"
        return cls(
            processes=1 + len(descendants(pid) - instance.server_pids()),
            descriptors=len(list(Path(f"/proc/{pid}/fd").iterdir())),
            connections=instance.rows(used)[0][0],
            rss_mb=pages * os.sysconf("SC_PAGE_SIZE") / 2**20,
        )

    def __str__(self) -> str:
        return (
            f"{self.processes} processes, {self.descriptors} descriptors,"
            f" {self.connections} connections, {self.rss_mb:.0f} MiB"
        )


def outcomes_in_log(instance: Instance, origin: str) -> Counter[str]:
    """Returns how many calls of an origin the log has, by outcome; those that went well end after
    their reply, so that is waited for.
    """
    wait_until(lambda: not instance.rows("select from calls.call where outcome = 'pending'"))
    rows = instance.rows(
        "select c.outcome, count(*) from calls.call as c"
        " inner join catalog.origin as o on o.id = c.origin_id where o.name = %s group by 1",
        origin,
    )
    return Counter(dict(rows))


def gaps(instance: Instance) -> list[tuple[Any, ...]]:
    """Returns what in the log contradicts that each call is there once, with its end."""
    return instance.rows("select * from api.call_gaps()")


def has_outage_copy(instance: Instance) -> bool:
    """Returns whether everything that is offered is kept for when the database is away."""
    try:
        states = states_of(copy_files.read(instance.data_dir).path)
    except (QmError, sqlite3.OperationalError):
        return False
    offered = instance.rows(
        "select id, (extract(epoch from updated_at) * 1000000)::bigint from search.card"
    )
    return dict(offered) == states
