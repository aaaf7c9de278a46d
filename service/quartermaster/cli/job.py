"""``qm job``: manages the scheduled jobs, and shows the log of their runs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Any, Final

from typer import Argument, Option

from quartermaster import api
from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Limit
from quartermaster.cli.output import Columns, err, minute
from quartermaster.cli.session import Row

Name = Annotated[str, "Name of the job; see qm job list."]

noun = Noun("Manage the scheduled jobs.")


@noun.verb()
def list_command(qm: Qm) -> Sequence[Row]:
    """List the jobs with their interval, next start and last result."""
    return _shown(qm, qm.read(api.list_jobs()))


@noun.verb()
def run_command(qm: Qm, name: Name) -> Row:
    """Run a job now, even if it is disabled or not due.

    Exits with status 1 if the job fails.
    """
    with err.status(f"running {name}"):
        [row] = qm.call(api.run_job(name=name))
    qm.say(f"{name}: {_result(row)} ({row['duration_ms']:.0f} ms)")
    qm.failed = row["failure"] is not None
    return row


@noun.verb()
def set_command(
    qm: Qm,
    name: Name,
    every: Annotated[str | None, "Interval between starts, such as '5 minutes'."] = None,
    enabled: Annotated[bool | None, "Switch the job on or off.", Option("--on/--off")] = None,
) -> Sequence[Row]:
    """Change the interval of a job, or switch the job on or off."""
    qm.call(api.configure_job(name=name, every=every, enabled=enabled))
    return _shown(qm, [row for row in qm.call(api.list_jobs()) if row["name"] == name])


@noun.verb()
def log_command(
    qm: Qm,
    name: Annotated[str | None, "Only runs of this job.", Argument()] = None,
    limit: Limit = 20,
) -> Sequence[Row]:
    """List the job runs with their results, newest first."""
    rows = qm.read(api.list_job_runs(name=name, maximum=limit))
    columns = (
        "run",
        "job",
        ("started", "started_at"),
        ("ms", "{duration_ms:.0f}"),
        ("result", _result),
    )
    return qm.table(rows, columns, empty="No job has run yet.")


def _shown(qm: Qm, rows: Sequence[Row]) -> Sequence[Row]:
    columns: Columns = (
        "name",
        ("every", lambda row: _interval(row["every"])),
        ("next", lambda row: minute(row["next_at"]) if row["enabled"] else "off"),
        ("last", "last_started_at"),
        ("result", lambda row: _result(row, "last_")),
    )
    return qm.table(rows, columns)


def _interval(every: timedelta) -> str:
    """Returns an interval in its largest whole unit."""
    seconds = round(every.total_seconds())
    size, unit = next((size, unit) for size, unit in _UNITS if seconds % size == 0)
    return f"{seconds // size} {unit}"


_UNITS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def _result(run: Row, of: str = "") -> str:
    if run[f"{of}failure"] is not None:
        return f"failed: {run[f'{of}failure']}"
    done: dict[str, Any] = run[f"{of}result"] or {}
    return ", ".join(f"{key} {'-' if value is None else value}" for key, value in done.items())
