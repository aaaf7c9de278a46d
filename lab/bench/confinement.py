"""What each sandbox adds to the start of a local server, and to a call: arms in turn.

Run as ``python -m lab.bench.confinement [STARTS] [CALLS]``.
"""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path

import anyio

from quartermaster.upstream import confinement, stdio_transport, supervisor
from quartermaster.upstream.confinement import (
    RUNGS,
    Folder,
    Network,
    SandboxProfile,
    Tried,
    home_of,
    try_rung,
    user_of,
)
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.supervisor import Supervisor
from tests.support.place import new_place
from tests.support.upstreams import SUPPORT

_SERVER = SUPPORT / "trespassing_server.py"
_CODE = {"code": "found = 1"}
NETWORKS: tuple[Network, ...] = ("none", "internet")


def arms(data_dir: Path) -> dict[str, tuple[Tried | None, OriginSpec]]:
    """Returns the same server as the service itself, and on each rung."""
    # One interpreter that all rungs can run.
    command = ("/usr/bin/python3", str(_SERVER))
    plain = OriginSpec(id=1, name="s", transport="stdio", command=command)
    profile = SandboxProfile(data_dir, home_of(data_dir, "s"), user_of(1), (Folder(str(_SERVER)),))
    found: dict[str, tuple[Tried | None, OriginSpec]] = {"unconfined": (None, plain)}
    for rung in filter(lambda rung: try_rung(rung).works, RUNGS):
        networks = NETWORKS if try_rung(rung).offers.has_own_network else NETWORKS[:1]
        for network in networks:
            spec = replace(plain, profile=replace(profile, network=network))
            found[f"{rung}, {network}"] = (try_rung(rung), spec)
    return found


async def measure(tried: Tried | None, spec: OriginSpec, calls: int) -> tuple[float, list[float]]:
    """Returns milliseconds from the start to the first answer, and those of each later call."""
    if tried is not None:
        for module in (confinement, stdio_transport, supervisor):
            vars(module)["confinement"] = lambda: tried.offers
    async with Supervisor() as running:
        took: list[float] = []
        for _ in range(calls + 1):
            begun = time.perf_counter()
            await running.call(spec, "attempt", _CODE)
            took.append((time.perf_counter() - begun) * 1000)
        return took[0], took[1:]


async def compare(starts: int, calls: int) -> None:
    """Prints a row for each arm: medians, and the median of the paired differences."""
    with new_place("qm-bench-") as folder:
        specs = arms(folder)
        first: dict[str, list[float]] = {name: [] for name in specs}
        later: dict[str, list[float]] = {name: [] for name in specs}
        for _ in range(starts):
            for name, (tried, spec) in specs.items():
                start, rest = await measure(tried, spec, calls)
                first[name].append(start)
                later[name] += rest
    print(f"{starts} starts, {calls} calls after each, in ms")  # noqa: T201
    for name in specs:
        added = [a - b for a, b in zip(first[name], first["unconfined"], strict=True)]
        most = sorted(added)[int(0.95 * (len(added) - 1))]
        print(  # noqa: T201
            f"{name:26} start {statistics.median(first[name]):6.1f}"
            f"  added {statistics.median(added):6.1f} (p95 {most:6.1f})"
            f"  call {statistics.median(later[name]):5.2f}"
        )


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    anyio.run(compare, *(given or [20, 50])[:2])
