"""The figures, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bench.catalog import Import, Unchanged
from tests.bench.machine import Machine
from tests.bench.rights import RULES, RightsCost
from tests.bench.searching import ModeResult
from tests.bench.service import Served
from tests.bench.snapshots import Snapshots
from tests.bench.timing import Latency
from tests.bench.vectors import Embedding

LARGEST_RATIO, SMALLEST_RECALL = 1.3, 0.98
_WANTED = f"p95 ratio at most {LARGEST_RATIO}, recall at least {SMALLEST_RECALL}"


@dataclass(frozen=True)
class Point:
    """Search over a catalog of so many cards; building the index of bm25s took `bm25s_build_s`."""

    cards: int
    bm25s_build_s: float
    modes: list[ModeResult]


@dataclass
class Report:
    """Everything one run has measured.

    Attributes:
        tools: where they came from.
        questions: how many goals were asked, and from where.
        unchanged: the first tools imported a second time.
        bulk: vectors stored without the index, which is then built at once.
        served: over MCP; None where it was left out.
        sizes_mb: tables and indexes, in 1e6 bytes.
        rebuild_s: seconds to build each index anew.
        rights: what a thousand rules cost, at the largest catalog.
        snapshots: what keeping that catalog takes, and taking it back.
    """

    machine: Machine
    tools: str
    questions: str
    imported: Import
    unchanged: Unchanged
    embedding: Embedding
    bulk: Embedding
    query_embedding: Latency
    sizes_mb: dict[str, float]
    rebuild_s: dict[str, float]
    served: Served | None
    rights: RightsCost | None = None
    snapshots: Snapshots | None = None
    points: list[Point] = field(default_factory=list[Point])

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
        file.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")

    def print(self, console: Console) -> None:
        """As tables."""
        console.print(self._facts())
        console.print(self._disk())
        console.print(_searches(self.points))
        console.print(_side_by_side(self.points))
        if self.rights is not None:
            console.print(_rights(self.rights, self.points[-1]))
        if self.served is not None:
            console.print(_served(self.served))
        if self.snapshots is not None:
            console.print(_snapshots(self.snapshots))

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
        table.add_row("embedding a goal", _ms(self.query_embedding))
        return table

    def _disk(self) -> Table:
        table = Table("on disk", "MB", "built anew, s", title="Indexes and tables")
        for name, size in self.sizes_mb.items():
            table.add_row(name, f"{size:.1f}", "")
        for name, seconds in self.rebuild_s.items():
            table.add_row(name, "", f"{seconds:.2f}")
        return table


def _searches(points: list[Point]) -> Table:
    table = Table(
        "cards",
        "mode",
        "select_tools",
        "bm25",
        "dense",
        "fuzzy",
        "rest",
        "recall",
        "of 1 %",
        title="Search in the database: p50 / p95 in ms; recall of HNSW, also where 1 % may be seen",
    )
    for point in points:
        for mode in point.modes:
            stages = [_short(latency) for latency in mode.stages.values()]
            recall = (f"{mode.recall:.3f}", f"{mode.narrow_recall:.3f}")
            table.add_row(f"{point.cards:,}", mode.name, _short(mode.total), *stages, *recall)
    return table


def _side_by_side(points: list[Point]) -> Table:
    columns = ("cards", "mode", "dense", "numpy", "ratio", "bm25", "bm25s", "ratio")
    table = Table(*columns, title="Side by side: p50 / p95 in ms, ratio of the medians")
    for point in points:
        for mode in point.modes:
            dense, bm25 = mode.ratios.values()
            table.add_row(
                f"{point.cards:,}",
                mode.name,
                _short(mode.stages["dense"]),
                _short(mode.in_process["numpy"]),
                f"{dense:.2f}",
                _short(mode.stages["bm25"]),
                _short(mode.in_process["bm25s"]),
                f"{bm25:.2f}",
            )
    return table


def _rights(rights: RightsCost, point: Point) -> Table:
    title = (
        f"Cost of rights at {point.cards:,} tools: {RULES:,} rules ({rights.classes} classes,"
        f" {rights.apply_s:.1f} s to apply) beside none, and HNSW where 1 % may be seen"
    )
    columns = ("mode", "without, ms", "under rules, ms", "p95 ratio", "recall of 1 %", "as wanted")
    table = Table(*columns, title=title, caption=f"p50 / p95; wanted: {_WANTED}")
    recalls = {mode.name: mode.narrow_recall for mode in point.modes}
    for mode, ratio in rights.ratios.items():
        latencies = (_short(rights.without[mode]), _short(rights.under[mode]))
        is_met = ratio <= LARGEST_RATIO and recalls[mode] >= SMALLEST_RECALL
        figures = (f"{ratio:.2f}", f"{recalls[mode]:.3f}", "yes" if is_met else "NO")
        table.add_row(mode, *latencies, *figures)
    return table


def _served(served: Served) -> Table:
    table = Table("", "", title="The service", show_header=False)
    for mode, latency in served.latency.items():
        table.add_row(f"search_tools over MCP, {mode}, with embedding", _ms(latency))
    table.add_row("memory, models loaded", f"{served.rss_mb} MB RSS, {served.pss_mb} MB PSS")
    table.add_row("each further MCP connection", f"{served.connection_pss_mb} MB PSS")
    table.add_row("each further database connection", f"{served.backend_pss_mb} MB PSS")
    return table


def _snapshots(found: Snapshots) -> Table:
    title = f"A snapshot of {found.tools:,} tools, {found.artifact_mb} MB: seconds of the command"
    table = Table("create", "verify", f"activate, {found.changes:,} changed", title=title)
    table.add_row(f"{found.create_s:.1f}", f"{found.verify_s:.1f}", f"{found.activate_s:.1f}")
    return table


def _ms(latency: Latency) -> str:
    return f"{latency.p50:.1f} ms p50, {latency.p95:.1f} ms p95"


def _short(latency: Latency) -> str:
    return f"{latency.p50:.2f} / {latency.p95:.2f}"
