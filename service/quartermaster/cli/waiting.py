"""Waiting for what the service does in the background: refreshes and embeddings."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from quartermaster.cli.output import err, print_table
from quartermaster.cli.session import Row, Session
from quartermaster.core import paths

_POLL_S: Final = 0.3
_EMBEDDING_POLL_S: Final = 1.0
# The service has to be at work within this time, else nobody waits for it.
_PATIENCE_S: Final = 90.0
_AFTER_FAILURE: Final = (
    "[bold]Next:[/] qm origin log NAME shows what it wrote, qm origin show NAME how it is reached."
    " Correct it with qm origin add NAME --replace, or try again: qm origin refresh NAME."
)


def is_service_running(data_dir: Path | None) -> bool:
    """Whether a service of this data directory is there to do the work."""
    run = paths.RunFile.read(paths.data_dir(data_dir))
    return run is not None and run.is_alive()


def progress_bar(*columns: ProgressColumn) -> Progress:
    """A progress bar on stderr, gone where stderr is no terminal."""
    return Progress(
        SpinnerColumn(),
        TextColumn("[progress.description]{task.description}"),
        BarColumn(),
        *columns,
        TimeElapsedColumn(),
        console=err,
        disable=not err.is_terminal,
    )


def wait_for_refreshes(session: Session, refreshes: Mapping[str, int]) -> list[Row]:
    """Waits until these refreshes are done or failed; gives up when nothing happens any more.

    Args:
        session: of the caller.
        refreshes: id of each, by the name of its origin.

    Returns:
        A row of api.get_refresh for each, in their order.
    """
    rows: dict[str, Row] = {}
    moved = time.monotonic()
    with progress_bar() as bar:
        task = bar.add_task("Reading tools", total=len(refreshes))
        while True:
            before = {name: row["status"] for name, row in rows.items()}
            rows = {
                name: session.call("get_refresh", refresh_id=number)[0]
                for name, number in refreshes.items()
            }
            if {name: row["status"] for name, row in rows.items()} != before:
                moved = time.monotonic()
            done = sum(row["status"] in {"done", "failed"} for row in rows.values())
            bar.update(task, completed=done)
            if done == len(rows) or time.monotonic() - moved > _PATIENCE_S:
                return list(rows.values())
            time.sleep(_POLL_S)


def print_refreshes(rows: Sequence[Row]) -> None:
    """A table of what refreshes did, and the definitions they rejected."""
    print_table(
        (
            "origin",
            "status",
            "added",
            "changed",
            "withheld",
            "unchanged",
            "deprecated",
            "rejected",
            "failure",
        ),
        [
            (
                row["origin"],
                row["status"],
                row["added"],
                row["changed"],
                row["withheld"],
                row["unchanged"],
                row["deprecated"],
                len(row["rejected"]),
                f"{row['failure_class']}: {row['failure']}" if row["failure_class"] else "",
            )
            for row in rows
        ],
    )
    rejected = [
        (tool["name"], row["origin"], tool["reason"]) for row in rows for tool in row["rejected"]
    ]
    if rejected:
        print_table(("rejected tool", "origin", "reason"), rejected)
    if any(row["status"] == "failed" for row in rows):
        err.print(_AFTER_FAILURE, highlight=False)


def wait_for_embeddings(session: Session) -> int:
    """Waits until every text has its vector, or until nobody makes any; returns how many wait."""
    waiting = _unembedded(session)
    total, moved = waiting, time.monotonic()
    rate = TextColumn("{task.completed:,.0f} of {task.total:,.0f} · {task.fields[rate]:.0f}/s")
    with progress_bar(rate) as bar:
        task = bar.add_task("Embedding", total=total, rate=0.0)
        started = time.monotonic()
        while waiting and time.monotonic() - moved < _PATIENCE_S:
            time.sleep(_EMBEDDING_POLL_S)
            before, waiting = waiting, _unembedded(session)
            total = max(total, waiting)
            if waiting < before:
                moved = time.monotonic()
            done = total - waiting
            elapsed = time.monotonic() - started
            bar.update(task, total=total, completed=done, rate=done / elapsed)
    return waiting


def finish_embedding(session: Session, wait: bool, data_dir: Path | None) -> int:
    """Waits for vectors where somebody makes them, and says so where not.

    Returns:
        How many texts have none yet.
    """
    if is_service_running(data_dir):
        waiting = wait_for_embeddings(session) if wait else _unembedded(session)
        if waiting:
            err.print(f"{waiting:,} texts have no vector yet; the running service makes them.")
        return waiting
    err.print("Vectors are made when `qm up` runs next; until then search goes by words.")
    return _unembedded(session)


def _unembedded(session: Session) -> int:
    return int(session.call_value("status")["unembedded"])
