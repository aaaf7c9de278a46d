"""Imports a file with tools."""

from __future__ import annotations

import time
from pathlib import Path

from rich.progress import TextColumn

from quartermaster.catalog.importers.tools_jsonl import ImportProgress, StoreBatch, import_tools
from quartermaster.cli.command import Command
from quartermaster.cli.output import counted
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import finish_embedding, progress_bar


def import_tools_file(qm: Command, file: Path, *, wait: bool) -> Row:
    """Imports JSON Lines or a JSON array of tools and reports the outcome.

    Returns:
        ``{file, format, tools: {outcome: number}, problems, seconds, tools_per_s, all_rejected}``
        and ``unembedded`` unless it is a dry run.

    Raises:
        QmError: see `importers.tools_jsonl.import_tools`.
    """

    def store(batch: list[Row]) -> list[Row]:
        if qm.dry_run:
            return [{"outcome": "valid"} for _ in batch]
        return qm.call("import_items", kind="tool", items=batch)

    started = time.monotonic()
    progress = _stored(file, qm.settings().upstream.max_tool_bytes, store)
    report = _tools_report(progress, started)
    for problem in report["problems"]:
        qm.note(problem)
    hidden = report["tools"].get("rejected", 0) - len(report["problems"])
    if hidden > 0:
        qm.note(f"and {counted(hidden, 'more problem')}")
    rows = [{"outcome": name, "tools": f"{n:,}"} for name, n in sorted(report["tools"].items())]
    qm.table(rows, ("outcome", "tools"))
    qm.say(f"{report['seconds']:.1f} s, {report['tools_per_s']:,.0f} tools/s")
    return report if qm.dry_run else report | {"unembedded": finish_embedding(qm, wait=wait)}


def _stored(file: Path, max_tool_bytes: int, store: StoreBatch) -> ImportProgress:
    tools = TextColumn("{task.fields[tools]:,} tools · {task.fields[rate]:,.0f}/s")
    with progress_bar(tools) as bar:
        started = time.monotonic()
        task = bar.add_task("Importing", total=None, tools=0, rate=0.0)
        progress = None
        for progress in import_tools(file, store, max_tool_bytes=max_tool_bytes):
            bar.update(
                task,
                total=progress.bytes_total,
                completed=progress.bytes_read,
                tools=progress.tools,
                rate=progress.tools / (time.monotonic() - started),
            )
    assert progress is not None, "an import yields at least once"
    return progress


def _tools_report(progress: ImportProgress, started: float) -> Row:
    seconds = time.monotonic() - started
    rejected = progress.counts["rejected"]
    return {
        "file": str(progress.file),
        "format": "jsonl",
        "tools": dict(progress.counts),
        "problems": progress.problems,
        "seconds": round(seconds, 3),
        "tools_per_s": round(progress.tools / seconds, 1),
        "all_rejected": 0 < rejected == progress.tools,
    }
