"""The figures of overhead, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path as File

from rich.console import Console
from rich.table import Table

from lab.bench.host_facts import HostFacts
from lab.bench.overhead.rounds import ArmResult, Path

# Of the issue that asked for it: against the bare forwarder, in the same run.
LARGEST_ADDED, SMALLEST_SHARE = 2.0, 0.5
JUDGED_ARMS = ("ours", "ours, reading")


class OverheadReport:
    """One run.

    Args:
        machine: what it was measured on.
    """

    def __init__(self, machine: HostFacts) -> None:
        self.machine = machine
        self.paths: list[tuple[Path, list[ArmResult]]] = []

    def added_ms(self, path: Path, one: ArmResult) -> tuple[float, float] | None:
        """p50 and p95 above those of no gateway over the client's transport; None without one."""
        direct = next(
            (
                found[0].latency
                for of, found in self.paths
                if (of.client, of.upstream, of.era) == (path.client, path.client, path.era)
            ),
            None,
        )
        if direct is None or one.latency is None:
            return None
        return round(one.latency.p50 - direct.p50, 2), round(one.latency.p95 - direct.p95, 2)

    def write(self, file: File) -> None:
        """As JSON."""
        paths = [
            {
                **asdict(path),
                "arms": [{**asdict(one), "added_ms": self.added_ms(path, one)} for one in found],
            }
            for path, found in self.paths
        ]
        document = {"machine": asdict(self.machine), "paths": paths}
        file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")

    def print(self, console: Console) -> None:
        """As a table for each path."""
        machine = self.machine
        console.print(
            f"{machine.cores} cores, {machine.processor}, load before {machine.load}; the clients"
            " run on the same cores. CPU and memory are of what stands between client and"
            " upstream, ours with PostgreSQL; under 1 cl. and so on, calls a second of so many"
            " clients.",
        )
        for path, found in self.paths:
            console.print(self._table(path, found))

    def _table(self, path: Path, found: Sequence[ArmResult]) -> Table:
        floor = next((one for one in found if one.arm == "floor" and not one.failure), None)
        clients = sorted({count for one in found for count in one.per_second})
        verdicts = [self._verdict(path, one, floor) for one in found if one.arm in JUDGED_ARMS]
        table = Table(title=path.text, caption="\n".join(filter(None, verdicts)))
        for name in ("", "p50 / p95, ms", "added, ms", "of floor"):
            table.add_column(name, justify="left" if not name else "right", no_wrap=bool(name))
        for name in (*(f"{count} cl." for count in clients), "CPU, ms", "PSS, MB"):
            table.add_column(name, justify="right", no_wrap=True)
        for one in found:
            table.add_row(*self._row(path, one, floor, clients))
        return table

    def _row(
        self, path: Path, one: ArmResult, floor: ArmResult | None, clients: Sequence[int]
    ) -> Sequence[str]:
        if one.failure or one.latency is None:
            return (one.arm, one.failure)
        added = self.added_ms(path, one)
        ratio = self._ratio(path, one, floor)
        return (
            one.arm + ("" if one.is_modern or path.era == "legacy" else " (session)"),
            f"{one.latency.p50:.2f} / {one.latency.p95:.2f}",
            "" if added is None or one.arm == "direct" else f"{added[0]:+.2f} / {added[1]:+.2f}",
            "" if ratio is None else f"{ratio:.2f}",
            *(f"{one.per_second[count]:.0f}" for count in clients),
            "" if one.arm == "direct" else f"{one.cpu_ms:.2f}",
            "" if one.arm == "direct" else f"{one.memory_mb:.0f}",
        )

    def _ratio(self, path: Path, one: ArmResult, floor: ArmResult | None) -> float | None:
        """Of what it adds to p50, to what the floor adds."""
        ours, least = self.added_ms(path, one), floor and self.added_ms(path, floor)
        if ours is None or not least or least[0] <= 0 or one.arm in ("direct", "floor"):
            return None
        return ours[0] / least[0]

    def _verdict(self, path: Path, ours: ArmResult, floor: ArmResult | None) -> str | None:
        ratio = self._ratio(path, ours, floor)
        if ours.failure or not floor or ratio is None:
            return None
        most = max(ours.per_second)
        share = _share(ours.per_second, floor.per_second, most)
        is_met = ratio <= LARGEST_ADDED and share >= SMALLEST_SHARE
        return (
            f"{ours.arm} adds {ratio:.2f} times what the floor adds"
            f" (wanted: at most {LARGEST_ADDED:g}) and does {share:.2f} of its calls at {most}"
            f" (wanted: {SMALLEST_SHARE:g}): {'met' if is_met else 'MISSED'}"
        )


def _share(ours: Mapping[int, float], floor: Mapping[int, float], clients: int) -> float:
    return ours[clients] / floor[clients] if floor.get(clients) else 0.0
