"""Waits for work that the service does in the background: refreshes and embeddings."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from quartermaster import api
from quartermaster.cli.command import Command
from quartermaster.cli.output import Columns, counted, err, harmless, minute, note, print_rows, say
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    # It is imported where bars are shown, because it takes 25 ms.
    from rich.progress import Progress as Bars
    from rich.progress import ProgressColumn, TaskID

_POLL_S: Final = 0.3
_EMBEDDING_POLL_S: Final = 1.0
# Maximum wait for a service that makes no progress.
_PATIENCE_S: Final = 90.0
# Without a terminal there is no bar that says what is waited for.
_TELL_S: Final = 5.0
_MAX_NAMES: Final = 3
_AFTER_FAILURE: Final = (
    "Next: To see how the server is reached: qm origin show NAME. To see what a local server wrote:"
    " qm origin log NAME. To correct it: qm origin add NAME --replace, with --command COMMAND or"
    " --url URL. To retry: qm origin refresh NAME."
)
_UNFINISHED_NOTE: Final = (
    "The service goes on. To see how far it is: qm origin show NAME. To see what the server wrote:"
    " qm origin log NAME. To wait again: qm origin refresh NAME."
)
_FINAL_STATUSES: Final = ("done", "failed")
_OUTCOMES: Final = ("added", "changed", "unchanged", "deprecated")


def progress_bar(*columns: ProgressColumn) -> Bars:
    """Returns a progress bar, which prints nothing if stderr is not a terminal."""
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    return Bars(
        SpinnerColumn(),
        TextColumn("[progress.description]{task.description}"),
        BarColumn(),
        *columns,
        TimeElapsedColumn(),
        console=err,
        disable=not err.is_terminal,
    )


class Progress(ExitStack):
    """Shows a bar for each step of a measurement, or one line for each step if stderr is not a
    terminal.

    Args:
        title: title to print above the bars.
    """

    def __init__(self, title: str = "") -> None:
        from rich.progress import MofNCompleteColumn, TimeRemainingColumn

        super().__init__()
        if title:
            err.print(title, markup=False, highlight=False)
        self._bars = self.enter_context(progress_bar(MofNCompleteColumn(), TimeRemainingColumn()))
        self._tasks: dict[str, TaskID] = {}

    def update(self, what: str, done: int, total: int) -> None:
        """Shows the progress of a step."""
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(what, total=total)
            if not err.is_terminal:
                err.print(f"{what}: {total:,}", markup=False, highlight=False)
        self._bars.update(self._tasks[what], completed=done, total=total)


def finish_refreshes(qm: Command, requested: Sequence[Row], *, wait: bool = True) -> Sequence[Row]:
    """Waits for requested refreshes, and shows their results. If a refresh fails, the command
    fails. If a refresh does not end in time, the command prints which one, and ends with the exit
    status for unfinished work.

    Args:
        qm: command whose service reads the tools.
        requested: rows of api.request_refresh or api.renew_credential.
        wait: whether to wait at all.

    Returns:
        A row of api.get_refresh for each refresh, or the requested rows if it did not wait.
    """
    refreshes = {row["origin"]: row["refresh_id"] for row in requested}
    if not qm.is_served:
        note("No service is running. The tools are read when you next run: qm up.")
    elif wait and refreshes:
        rows = wait_for_refreshes(qm, refreshes)
        qm.failed = any(row["status"] == "failed" for row in rows)
        if unfinished := [row for row in rows if row["status"] not in _FINAL_STATUSES]:
            qm.unfinished = True
            _note_unfinished(qm, unfinished)
        return rows
    return requested


def wait_for_refreshes(qm: Command, refreshes: Mapping[str, int]) -> Sequence[Row]:
    """Waits until these refreshes have succeeded or failed, and shows their results.

    Returns early if the refreshes make no more progress.

    Args:
        qm: command whose service reads the tools.
        refreshes: maps the name of each origin to the id of its refresh.

    Returns:
        A row of api.get_refresh for each refresh, in the given order.
    """
    rows: list[Row] = []
    moved = time.monotonic()
    awaited: list[str] = []
    with progress_bar() as bar:
        task = bar.add_task("Reading tools", total=len(refreshes))
        while True:
            before = [row["status"] for row in rows]
            rows = [qm.call(api.get_refresh(refresh_id=each))[0] for each in refreshes.values()]
            if [row["status"] for row in rows] != before:
                moved = time.monotonic()
            names = [row["origin"] for row in rows if row["status"] not in _FINAL_STATUSES]
            waited_s = time.monotonic() - moved
            starts = starts_of(qm) if names and waited_s > _TELL_S else {}
            unfinished = [
                f"{name} ({start_text(starts[name])})" if name in starts else name for name in names
            ]
            bar.update(task, completed=len(rows) - len(names), description=_reading(unfinished))
            if not err.is_terminal and waited_s > _TELL_S and names != awaited:
                awaited = names
                note(f"Waiting for {_some(unfinished)}.")
            if any(starts[name]["doing"] == "downloading" for name in starts.keys() & set(names)):
                # The service ends a download that takes too long.
                waited_s = 0.0
            if not names or waited_s > _PATIENCE_S:
                break
            time.sleep(_POLL_S)
    if not qm.json:
        print_refreshes(rows)
    return rows


def starts_of(qm: Command) -> dict[str, Row]:
    """Returns the state (`UpstreamState.start`) of each server that is starting now; empty if the
    service does not answer.
    """
    if qm.dsn is not None:
        return {}
    try:
        states: dict[str, Row] = qm.service.get("/status").get("upstreams", {})
    except QmError:
        return {}
    return {name: state["start"] for name, state in states.items() if state.get("start")}


def start_text(start: Row) -> str:
    """Describes for people what a server that is starting is doing now."""
    doing = start["doing"] if start["doing"] == "starting" else f"starting ({start['doing']})"
    said = f"; it wrote: {harmless(start['said'])}" if start["said"] else ""
    return f"{doing}, {start['seconds']:.0f} s{said}"


def _reading(names: Sequence[str]) -> str:
    return f"Reading tools of {_some(names)}" if names else "Reading tools"


def _some(names: Sequence[str]) -> str:
    more = (
        f" and {counted(len(names) - _MAX_NAMES, 'more', 'more')}"
        if len(names) > _MAX_NAMES
        else ""
    )
    return ", ".join(names[:_MAX_NAMES]) + more


def _note_unfinished(qm: Command, rows: Sequence[Row]) -> None:
    """Prints the current work of the service on servers that are not ready, and the next step for
    the user.
    """
    listed = {row["name"]: row for row in qm.call(api.list_origins())}
    for row in rows:
        name = row["origin"]
        state = "the service has not begun to read its tools, because it reads others first"
        if row["started_at"] is not None:
            since = minute(row["started_at"])
            state = f"the service has been reading its tools since {since}"
        problem = problem_of(listed[name]) if name in listed else ""
        note(
            f"{name} is not ready: {state}. {f'Last failure: {problem}' if problem else ''}".strip()
        )
    note(_UNFINISHED_NOTE.replace("NAME", _one_of([row["origin"] for row in rows])))


def _one_of(names: Sequence[str]) -> str:
    """Returns the only name, quoted for a shell. If there are several names, returns the
    placeholder NAME.
    """
    return shlex.quote(names[0]) if len(names) == 1 else "NAME"


def problem_of(origin: Row) -> str:
    """Returns the reason why a server cannot be read or called, and what to do; empty if there is
    none. Details, such as the last lines that the program printed, are only in `qm origin show`.

    Args:
        origin: row of api.list_origins.
    """
    problems = [(origin["failure"] or "").partition(" Details: ")[0]]
    if origin["unavailable_until"] is not None:
        until = minute(origin["unavailable_until"])
        problems.append(f"paused until {until}: {origin['unavailable_because']}")
    return "; ".join(filter(None, problems))


def print_refreshes(rows: Sequence[Row]) -> None:
    """Prints the results of refreshes, how to approve withheld items, and rejected items."""
    columns: Columns = (
        "origin",
        "status",
        ("tools", _outcomes),
        (
            "failure",
            lambda r: f"{r['failure_class']}: {r['failure']}" if r["failure_class"] else "",
        ),
    )
    print_rows(rows, columns)
    for row in rows:
        if number := row["withheld"]:
            name = row["origin"]
            say(
                f"{name}: {number} withheld. To see which and why: qm card list --origin"
                f" {shlex.quote(name)}. To approve one: qm card approve ITEM."
            )
    rejected = [tool | {"origin": row["origin"]} for row in rows for tool in row["rejected"]]
    print_rows(rejected, (("rejected tool", "name"), "origin", "reason"))
    for row in rows:
        for warning in row["warnings"]:
            say(f"{row['origin']}: {warning}")
    failed = [row["origin"] for row in rows if row["status"] == "failed"]
    if failed:
        note(_AFTER_FAILURE.replace("NAME", _one_of(failed)))


def _outcomes(row: Row) -> str:
    counts = [f"{row[name]} {name}" for name in _OUTCOMES if row[name]]
    return ", ".join(counts) + (f", {len(row['rejected'])} rejected" if row["rejected"] else "")


def finish_embedding(qm: Command, *, wait: bool) -> int:
    """Waits for vectors if a service is running, and reports how many are missing.

    Returns:
        The number of texts that have no vector yet.
    """
    if qm.is_served:
        waiting = _wait_for_embeddings(qm) if wait else _unembedded(qm)
        if waiting:
            note(
                f"{counted(waiting, 'text')} still without a vector; the service is creating the"
                " missing vectors."
            )
        return waiting
    note("Vectors are created when you next run qm up. Until then, search uses keywords only.")
    return _unembedded(qm)


def _wait_for_embeddings(qm: Command) -> int:
    """Waits until all texts have vectors or progress stops; returns the number of texts without a
    vector.
    """
    waiting = _unembedded(qm)
    total, moved = waiting, time.monotonic()
    from rich.progress import TextColumn

    rate = TextColumn("{task.completed:,.0f} of {task.total:,.0f} · {task.fields[rate]:.0f}/s")
    with progress_bar(rate) as bar:
        task = bar.add_task("Embedding", total=total, rate=0.0)
        started = time.monotonic()
        while waiting and time.monotonic() - moved < _PATIENCE_S:
            time.sleep(_EMBEDDING_POLL_S)
            before, waiting = waiting, _unembedded(qm)
            total = max(total, waiting)
            if waiting < before:
                moved = time.monotonic()
            done = total - waiting
            elapsed = time.monotonic() - started
            bar.update(task, total=total, completed=done, rate=done / elapsed)
    return waiting


def _unembedded(qm: Command) -> int:
    return int(qm.call_value(api.status())["unembedded"])
