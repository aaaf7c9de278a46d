"""How long the scanners take: ``python -m lab.bench.scanning FILE [--rounds N]``.

The file is scanned as a project of its own, by warm workers, quickly (ruff) and in full.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

import anyio
from rich.console import Console

from quartermaster.core.findings import Scan
from quartermaster.projects.guard import ProjectFileAccess, real_folder
from quartermaster_quality.scanners.concurrent_scan import QUICK_SCANNERS, SECURITY, Scanners, full
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile
from quartermaster_quality.scanners.mirror import Mirror

CONSOLE = Console(markup=False, highlight=False, soft_wrap=True)


def shown(name: str, times: list[float]) -> str:
    """Returns the median and the 95th percentile of some times in milliseconds."""
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return f"{name:12} median {statistics.median(ordered):6.0f} ms  p95 {p95:6.0f} ms"


async def measure(path: Path, rounds: int) -> None:
    """Prints the times."""
    with tempfile.TemporaryDirectory() as folder:
        guard = ProjectFileAccess(real_folder(path.parent))
        content = guard.read(path)
        mirror = Mirror(guard, Path(folder) / "mirror")
        mirror.update([content.path])
        settings = ScanOptions(mirror=mirror.folder, secret_key=b"measure")
        source = SourceFile(content.path, content.data)
        scanners = Scanners()
        try:
            await scanners.warm()
            start = time.perf_counter()
            await scanners.scan(source, settings, full())
            CONSOLE.print(f"first full scan {(time.perf_counter() - start) * 1000:.0f} ms")
            groups = (("quick", QUICK_SCANNERS), ("security", SECURITY), ("full", full()))
            for name, names in groups:
                times: list[float] = []
                scans: tuple[Scan, ...] = ()
                for _ in range(rounds):
                    start = time.perf_counter()
                    scans = await scanners.scan(source, settings, names)
                    times.append((time.perf_counter() - start) * 1000)
                CONSOLE.print(shown(name, times))
                parts = (f"{s.tool} {s.status} {s.elapsed_ms:.0f}" for s in scans)
                CONSOLE.print("  the last: " + ", ".join(parts))
        finally:
            await scanners.aclose()


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.scanning")
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    CONSOLE.print(f"load before {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    anyio.run(measure, options.file.resolve(), options.rounds)
    CONSOLE.print(f"load after {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
