"""Snapshots of the measured catalog, by the commands that people use."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lab.bench import catalog
from lab.bench.server import BenchDatabase
from lab.bench.timing import timed
from lab.comparisons.retrieval_sets import Tool

CHANGES = 1_500
_NAME = "bench"


@dataclass(frozen=True)
class SnapshotCost:
    """What one snapshot takes.

    Attributes:
        tools: in it.
        create_s, verify_s, activate_s: seconds of the whole command.
        changes: tools that were others when it was activated.
        artifact_mb: its signed file, in 1e6 bytes.
    """

    tools: int
    create_s: float
    verify_s: float
    activate_s: float
    changes: int
    artifact_mb: float


def measure(bench: BenchDatabase, tools: Sequence[Tool]) -> SnapshotCost:
    """Keeps the catalog, changes some of its tools, and takes it back."""
    with tempfile.TemporaryDirectory(prefix="qm-bench-") as folder:
        create_s = _qm(bench, folder, "create", _NAME)
        [(retained,)] = bench.owner.execute("select count(*) from snapshots.member").fetchall()
        verify_s = _qm(bench, folder, "verify", _NAME)
        changed = [tool | {"description": "Changed to be taken back."} for tool in tools[:CHANGES]]
        catalog.import_tools(bench, changed, lambda _: None)
        activate_s = _qm(bench, folder, "activate", _NAME, "--yes")
        [artifact] = Path(folder).rglob(f"{_NAME}.sqlite")
        return SnapshotCost(
            tools=int(str(retained)),
            create_s=create_s,
            verify_s=verify_s,
            activate_s=activate_s,
            changes=len(changed),
            artifact_mb=round(artifact.stat().st_size / 1e6, 1),
        )


def _qm(bench: BenchDatabase, folder: str, *arguments: str) -> float:
    """Returns seconds of one command."""
    qm = Path(sys.executable).with_name("qm")
    command = [qm, "snapshot", *arguments, "--data-dir", folder, "--dsn", bench.dsn]
    _, seconds = timed(lambda: subprocess.run(command, check=True, capture_output=True))
    return round(seconds, 2)
