"""Imports a file of tools."""

from __future__ import annotations

import time
from pathlib import Path

from rich.progress import TextColumn

from quartermaster import settings
from quartermaster.catalog.importers.tools_jsonl import ImportProgress, StoreBatch, import_tools
from quartermaster.cli.output import counted, note, print_table, say
from quartermaster.cli.progress import progress_bar
from quartermaster.cli.session import Row, open_session
from quartermaster.cli.waiting import finish_embedding
from quartermaster.core import paths


def import_tools_file(
    file: Path, dry_run: bool, wait: bool, as_json: bool, data_dir: Path | None, dsn: str | None
) -> Row:
    """Imports JSON Lines or a JSON array of tools and reports the outcome.

    Returns:
        ``{file, format, tools: {outcome: number}, problems, seconds, tools_per_s, all_rejected}``
        and ``unembedded`` unless it is a dry run.

    Raises:
        QmError: see `importers.tools_jsonl.import_tools`.
    """
    limit = settings.load(paths.data_dir(data_dir)).upstream.max_tool_bytes
    started = time.monotonic()
    if dry_run:
        progress = _stored(file, limit, lambda batch: [{"outcome": "valid"} for _ in batch])
        report = _tools_report(progress, started)
    else:
        with open_session(data_dir, dsn) as session:
            progress = _stored(
                file, limit, lambda b: session.call("import_items", kind="tool", items=b)
            )
            report = _tools_report(progress, started)
            if not as_json:
                _print_tools(report)
            report["unembedded"] = finish_embedding(session, wait, data_dir)
        return report
    if not as_json:
        _print_tools(report)
    return report


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


def _print_tools(report: Row) -> None:
    for problem in report["problems"]:
        note(problem)
    hidden = report["tools"].get("rejected", 0) - len(report["problems"])
    if hidden > 0:
        note(f"and {counted(hidden, 'more problem')}")
    rows = [(outcome, f"{number:,}") for outcome, number in sorted(report["tools"].items())]
    print_table(("outcome", "tools"), rows)
    say(f"{report['seconds']:.1f} s, {report['tools_per_s']:,.0f} tools/s")
