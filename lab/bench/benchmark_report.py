"""The figures, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from lab.bench import tables
from lab.bench.catalog import CatalogImport, Unchanged
from lab.bench.host_facts import HostFacts
from lab.bench.rights import RightsCost
from lab.bench.searching import Point
from lab.bench.service import MemoryUsage
from lab.bench.snapshots import SnapshotCost
from lab.bench.targets import TargetVerdict, verdicts
from lab.bench.timing import Latency
from lab.bench.vectors import EmbeddingCost


@dataclass
class BenchmarkReport:
    """Everything one run has measured.

    Attributes:
        tools: where they came from.
        questions: how many goals were asked, and from where.
        unchanged: the first tools imported a second time.
        bulk: vectors stored without the index, which is then built at once.
        memory: of the service, at the largest catalog; None where it was left out.
        sizes_mb: tables and indexes, in 1e6 bytes.
        rebuild_s: seconds to build each index anew.
        rights: what a thousand rules cost, at the largest catalog.
        snapshots: what keeping that catalog takes, and taking it back.
    """

    machine: HostFacts
    tools: str
    questions: str
    imported: CatalogImport
    unchanged: Unchanged
    embedding: EmbeddingCost
    bulk: EmbeddingCost
    query_embedding: Latency
    sizes_mb: dict[str, float]
    rebuild_s: dict[str, float]
    memory: MemoryUsage | None
    rights: RightsCost | None = None
    snapshots: SnapshotCost | None = None
    points: list[Point] = field(default_factory=list[Point])

    @property
    def verdicts(self) -> list[TargetVerdict]:
        """What was to be reached, and whether it is."""
        return verdicts(self.points)

    def write(self, file: Path) -> None:
        """As JSON."""
        found = asdict(self)
        found["imported"]["tools_per_s"] = self.imported.tools_per_s
        found["unchanged"]["imported"]["tools_per_s"] = self.unchanged.imported.tools_per_s
        found["embedding"]["texts_per_s"] = self.embedding.texts_per_s
        found["embedding"]["stored_per_s"] = self.embedding.stored_per_s
        for point, written in zip(self.points, found["points"], strict=True):
            for mode, of_mode in zip(point.modes, written["modes"], strict=True):
                of_mode["ratios"] = mode.ratios
        if self.rights is not None:
            found["rights"]["ratios"] = self.rights.ratios
        found["targets"] = [asdict(one) | {"verdict": str(one)} for one in self.verdicts]
        file.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")

    def print(self, console: Console) -> None:
        """As tables."""
        console.print(self._facts())
        console.print(self._disk())
        console.print(tables.latency(self.points))
        console.print(tables.searches(self.points))
        console.print(tables.side_by_side(self.points))
        if self.rights is not None:
            console.print(tables.rights(self.rights, self.points[-1]))
        if self.memory is not None:
            console.print(tables.memory(self.memory))
        if self.snapshots is not None:
            console.print(tables.snapshots(self.snapshots))
        console.print(tables.targets(self.verdicts))

    def _facts(self) -> Table:
        machine, embedding = self.machine, self.embedding
        table = Table("", "", title="Run", show_header=False)
        table.add_row("processor", f"{machine.cores} cores, {machine.processor}")
        table.add_row("memory", f"{machine.memory_gb} GB")
        table.add_row("load before", f"{machine.load}")
        table.add_row("versions", f"PostgreSQL {machine.postgresql}, Python {machine.python}")
        table.add_row("tools", self.tools)
        table.add_row("questions", self.questions)
        table.add_row(
            "import",
            f"{self.imported.tools_per_s} tools/s: {self.imported.tools} stored, "
            f"{self.imported.rejected} rejected, {self.imported.seconds:.1f} s",
        )
        table.add_row(
            "the same again",
            f"{self.unchanged.imported.tools_per_s} tools/s, {self.unchanged.texts} texts to embed",
        )
        of = "a sample, the others were remembered" if embedding.is_sample else "all of them"
        table.add_row(
            "embedding", f"{embedding.texts_per_s} texts/s, {embedding.texts} texts: {of}"
        )
        table.add_row(
            "storing vectors",
            f"{embedding.stored_per_s} vectors/s with the HNSW index kept: {embedding.stored}, "
            f"{embedding.store_seconds:.1f} s to store, {embedding.claim_seconds:.1f} s to claim",
        )
        if self.bulk.stored:
            table.add_row(
                "vectors in bulk",
                f"{self.bulk.stored_per_s} vectors/s without the index, "
                f"then {self.bulk.build_seconds:.1f} s to build it for all",
            )
        table.add_row("embedding a goal", tables.milliseconds(self.query_embedding))
        return table

    def _disk(self) -> Table:
        table = Table("on disk", "MB", "built anew, s", title="Indexes and tables")
        for name, size in self.sizes_mb.items():
            table.add_row(name, f"{size:.1f}", "")
        for name, seconds in self.rebuild_s.items():
            table.add_row(name, "", f"{seconds:.2f}")
        return table
