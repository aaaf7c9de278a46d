"""``qm job``: the scheduled jobs, and the log of their runs."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Final

import typer

from quartermaster.cli.options import DataDir, Dsn, Json, Limit
from quartermaster.cli.output import err, minute, print_json, print_table, say
from quartermaster.cli.session import Row, open_session

Name = Annotated[str, typer.Argument(help="Name of the job; see qm job list.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    job = typer.Typer(no_args_is_help=True, help="Manage the scheduled jobs.")
    job.command("list")(list_command)
    job.command("run")(run_command)
    job.command("set")(set_command)
    job.command("log")(log_command)
    app.add_typer(job, name="job")


def list_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the jobs: their interval, next start and last result."""
    with open_session(data_dir, dsn) as session:
        _print_jobs(session.call("list_jobs"), json)


def run_command(name: Name, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Run a job now, even if it is disabled or not due.

    Exit status 1: the job failed.
    """
    with open_session(data_dir, dsn) as session, err.status(f"running {name}"):
        [row] = session.call("run_job", name=name)
    if json:
        print_json(row)
    else:
        say(f"{name}: {_result(row)} ({row['duration_ms']:.0f} ms)")
    if row["failure"] is not None:
        raise typer.Exit(1)


def set_command(
    name: Name,
    every: Annotated[
        str | None, typer.Option(help="Interval between starts, such as '5 minutes'.")
    ] = None,
    enabled: Annotated[
        bool | None, typer.Option("--on/--off", help="Whether the job is scheduled.")
    ] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Change the interval of a job, or switch it on or off."""
    with open_session(data_dir, dsn) as session:
        session.call("configure_job", name=name, every=every, enabled=enabled)
        rows = [row for row in session.call("list_jobs") if row["name"] == name]
    _print_jobs(rows, json)


def log_command(
    name: Annotated[str | None, typer.Argument(help="Only runs of this job.")] = None,
    limit: Limit = 20,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List the runs of jobs with their result, the newest first."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_job_runs", name=name, maximum=limit)
    if json:
        print_json(rows)
        return
    shown = [
        (
            row["run"],
            row["job"],
            minute(row["started_at"]),
            f"{row['duration_ms']:.0f}",
            _result(row),
        )
        for row in rows
    ]
    print_table(("run", "job", "started", "ms", "result"), shown, empty="No job has run yet.")


def _print_jobs(rows: list[Row], as_json: bool) -> None:
    if as_json:
        print_json(rows)
        return
    print_table(
        ("name", "every", "next", "last", "result"),
        [
            (
                row["name"],
                _interval(row["every"]),
                minute(row["next_at"]) if row["enabled"] else "off",
                minute(row["last_started_at"]),
                _result({key: row[f"last_{key}"] for key in ("result", "failure")}),
            )
            for row in rows
        ],
    )


def _interval(every: timedelta) -> str:
    """An interval in its largest whole unit."""
    seconds = round(every.total_seconds())
    size, unit = next((size, unit) for size, unit in _UNITS if seconds % size == 0)
    return f"{seconds // size} {unit}"


_UNITS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def _result(run: Row) -> str:
    if run["failure"] is not None:
        return f"failed: {run['failure']}"
    done: Row = run["result"] or {}
    return ", ".join(f"{key} {'-' if value is None else value}" for key, value in done.items())
