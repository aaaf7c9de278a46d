"""Waiting for work that the service does in the background: refreshes and embeddings."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import typer
from rich.progress import TextColumn

from quartermaster.cli.output import counted, err, note, print_json, print_table
from quartermaster.cli.progress import progress_bar
from quartermaster.cli.session import Row, Session
from quartermaster.core import paths

_POLL_S: Final = 0.3
_EMBEDDING_POLL_S: Final = 1.0
# Nobody waits longer than this for a service that makes no progress.
_PATIENCE_S: Final = 90.0
_AFTER_FAILURE: Final = (
    "[bold]Next:[/] qm origin log NAME shows what the server wrote, qm origin show NAME how it is"
    " reached. Correct it with qm origin add NAME --replace, or retry: qm origin refresh NAME."
)
_OUTCOMES: Final = ("added", "changed", "withheld", "unchanged", "deprecated")


def is_service_running(data_dir: Path | None) -> bool:
    """Whether a service of this data directory is there to do the work."""
    run = paths.RunFile.read(paths.data_dir(data_dir))
    return run is not None and run.is_alive()


def report_refreshes(
    session: Session,
    requested: Sequence[Row],
    data_dir: Path | None,
    *,
    wait: bool = True,
    as_json: bool = False,
) -> None:
    """Waits for requested refreshes and prints what they did; status 1 if one failed.

    Args:
        session: of the caller.
        requested: rows of api.request_refresh or api.renew_credential.
        data_dir: of the service that reads the tools.
        wait: whether to wait at all.
        as_json: print for programs.

    Raises:
        typer.Exit: a refresh failed.
    """
    refreshes = {row["origin"]: row["refresh_id"] for row in requested}
    is_running = is_service_running(data_dir)
    if not is_running:
        note("No service is running. The tools are read when you next run: qm up.")
    rows: Sequence[Row] = requested
    if is_running and wait and refreshes:
        rows = wait_for_refreshes(session, refreshes)
        if not as_json:
            print_refreshes(rows)
    if as_json:
        print_json(rows)
    if any(row.get("status") == "failed" for row in rows):
        raise typer.Exit(1)


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
        ("origin", "status", "tools", "failure"),
        [
            (
                row["origin"],
                row["status"],
                ", ".join(f"{row[name]} {name}" for name in _OUTCOMES if row[name])
                + (f", {len(row['rejected'])} rejected" if row["rejected"] else ""),
                f"{row['failure_class']}: {row['failure']}" if row["failure_class"] else "",
            )
            for row in rows
        ],
    )
    rejected = [
        (tool["name"], row["origin"], tool["reason"]) for row in rows for tool in row["rejected"]
    ]
    print_table(("rejected tool", "origin", "reason"), rejected)
    if any(row["status"] == "failed" for row in rows):
        err.print(_AFTER_FAILURE, highlight=False)


def finish_embedding(session: Session, wait: bool, data_dir: Path | None) -> int:
    """Waits for vectors where a service makes them, and says how many are missing.

    Returns:
        How many texts have no vector yet.
    """
    if is_service_running(data_dir):
        waiting = _wait_for_embeddings(session) if wait else _unembedded(session)
        if waiting:
            note(f"{counted(waiting, 'text')} still without a vector; the service is embedding.")
        return waiting
    note("Vectors are made when you next run qm up; until then, search uses keywords only.")
    return _unembedded(session)


def _wait_for_embeddings(session: Session) -> int:
    """Waits until every text has its vector, or until nobody makes any; returns how many lack."""
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


def _unembedded(session: Session) -> int:
    return int(session.call_value("status")["unembedded"])
