"""All arms of one path side by side: rounds in turn, so that a slow moment meets every arm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from statistics import median
from subprocess import CalledProcessError
from typing import cast

import httpx2
from mcp import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from lab.bench.overhead.arms import Arm, is_here
from lab.bench.overhead.calling import at_once, one_by_one
from lab.bench.overhead.doors import ArmEndpoint, Era, Transport, Visitor, visit
from lab.bench.overhead.process_usage import between, cpu_s, memory_mb
from lab.bench.overhead.upstreams import SCRIPT, UpstreamAddress
from lab.bench.timing import Latency

CLIENTS = (1, 8, 32)
# What a gateway that cannot do it ends with; anything else is a fault of this bench.
FAILURES = (
    AssertionError,
    BaseExceptionGroup,
    CalledProcessError,
    MCPError,
    OSError,
    httpx2.HTTPError,
)
_WARM_UP = 20
_ROUNDS = 5


@dataclass(frozen=True)
class Size:
    """How much is measured.

    Attributes:
        calls: one after the other, of each arm.
        seconds: that several clients call.
        clients: how many clients.
    """

    calls: int = 500
    seconds: float = 2.0
    clients: Sequence[int] = CLIENTS


@dataclass(frozen=True)
class Path:
    """One way through a gateway.

    Attributes:
        client: transport before it.
        upstream: transport behind it.
        era: of the client.
    """

    client: Transport
    upstream: Transport
    era: Era

    @property
    def text(self) -> str:
        """For people."""
        era = "session" if self.era == "legacy" else "stateless"
        return f"{self.client} to {self.upstream}, {era} client"


@dataclass
class ArmResult:
    """One arm on one path.

    Attributes:
        arm: its name.
        latency: of calls one after the other.
        cpu_ms: CPU of what stands between, a call; the database is in it.
        memory_mb: PSS of what stands between, after the calls.
        is_modern: whether client and gateway agreed on a stateless revision.
        per_second: calls a second by the number of clients.
        failure: why it was not measured; empty where it was.
    """

    arm: str
    latency: Latency | None = None
    cpu_ms: float = 0.0
    memory_mb: float = 0.0
    is_modern: bool = False
    per_second: dict[int, float] = field(default_factory=dict[int, float])
    failure: str = ""


async def measure(
    arms: Sequence[Arm],
    upstream: UpstreamAddress,
    path: Path,
    size: Size,
    say: Callable[[str], None],
) -> list[ArmResult]:
    """Returns every arm that has such a path, in their order."""
    measured: list[ArmResult] = []
    with ExitStack() as opened:
        here: list[tuple[Arm, ArmEndpoint]] = []
        for arm in arms:
            if not _is_on(arm, path):
                continue
            try:
                door = arm.opened(upstream, path.client, path.upstream)
                here.append((arm, opened.enter_context(door)))
            except FAILURES as error:
                measured.append(ArmResult(arm.name, failure=_first_line(error)))
        for arm, door in here:
            say(f"{path.text}: {arm.name}")
            measured.append(await _throughput(arm, door, path.era, size))
        say(f"{path.text}: one call after the other, in turn")
        await _in_turn(here, measured, path.era, size)
    order = [arm.name for arm in arms]
    return sorted(measured, key=lambda of: order.index(of.arm))


def _is_on(arm: Arm, path: Path) -> bool:
    if arm.name == "direct":
        return path.client == path.upstream
    return is_here(arm, path.client, path.upstream)


async def _throughput(arm: Arm, door: ArmEndpoint, era: Era, size: Size) -> ArmResult:
    measured = ArmResult(arm.name)
    try:
        for clients in size.clients:
            measured.per_second[clients] = await at_once(door, era, clients, size.seconds)
    except FAILURES as error:
        measured.failure = _first_line(error)
    return measured


async def _in_turn(
    here: Sequence[tuple[Arm, ArmEndpoint]], measured: Sequence[ArmResult], era: Era, size: Size
) -> None:
    """Latency, CPU and memory, a round of each arm after the other."""
    of = {one.arm: one for one in measured if not one.failure}
    seconds: dict[str, list[float]] = {name: [] for name in of}
    spent: dict[str, list[float]] = {name: [] for name in of}
    each = max(1, size.calls // _ROUNDS)
    async with AsyncExitStack() as connected:
        visitors: dict[str, Visitor] = {}
        for arm, door in here:
            if arm.name in of:
                visitor = await connected.enter_async_context(visit(door, era))
                visitors[arm.name] = visitor
                await one_by_one(visitor, min(_WARM_UP, each))
        for _ in range(_ROUNDS):
            for name, visitor in visitors.items():
                before = cpu_s(_between(visitor))
                seconds[name] += await one_by_one(visitor, each)
                spent[name].append((cpu_s(_between(visitor)) - before) / each * 1000)
        for name, visitor in visitors.items():
            of[name].latency = Latency.of(seconds[name])
            of[name].cpu_ms = round(median(spent[name]), 2)
            of[name].memory_mb = memory_mb(_between(visitor))
            of[name].is_modern = visitor.client.protocol_version in MODERN_PROTOCOL_VERSIONS


def _between(visitor: Visitor) -> set[int]:
    return between(visitor.roots, SCRIPT)


def _first_line(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return f"{type(error).__name__}: {error}".splitlines()[0][:100]
