"""``qm job``: what is done again and again, and the log of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Final

import typer

from quartermaster.cli.output import minute, out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, Row, open_session

Name = Annotated[str, typer.Argument(help="Name of the job, as listed.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    job = typer.Typer(no_args_is_help=True, help="What is done again and again.")
    job.command("list")(list_command)
    job.command("run")(run_command)
    job.command("set")(set_command)
    job.command("log")(log_command)
    app.add_typer(job, name="job")


def list_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the jobs: how often, when next, and how it went last."""
    with open_session(data_dir, dsn) as session:
        _print_jobs(session.call("list_jobs"), json)


def run_command(name: Name, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Run a job now, though it is not due or not enabled; exit status 1 when it fails."""
    with open_session(data_dir, dsn) as session:
        [row] = session.call("run_job", name=name)
    if json:
        print_json(row)
    else:
        said = f"{name}: {_did(row)} ({row['duration_ms']:.0f} ms)"
        out.print(said, markup=False, highlight=False)
    if row["failure"] is not None:
        raise typer.Exit(1)


def set_command(
    name: Name,
    every: Annotated[
        str | None, typer.Option(help="From one start to the next: '5 minutes', '24 hours'.")
    ] = None,
    enabled: Annotated[
        bool | None, typer.Option("--on/--off", help="Whether it runs by itself.")
    ] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Change how often a job runs, or whether it does."""
    with open_session(data_dir, dsn) as session:
        session.call("configure_job", name=name, every=every, enabled=enabled)
        rows = [row for row in session.call("list_jobs") if row["name"] == name]
    _print_jobs(rows, json)


def log_command(
    name: Annotated[str | None, typer.Argument(help="Only this job's runs.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many at most, the newest first.")] = 20,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show what the jobs did, or why they failed."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_job_runs", name=name, maximum=limit)
    if json:
        print_json(rows)
        return
    shown = [
        (row["run"], row["job"], minute(row["started_at"]), f"{row['duration_ms']:.0f}", _did(row))
        for row in rows
    ]
    print_table(("run", "job", "started", "ms", "did"), shown)


def _print_jobs(rows: list[Row], as_json: bool) -> None:
    if as_json:
        print_json(rows)
        return
    print_table(
        ("name", "every", "next", "last", "did"),
        [
            (
                row["name"],
                _interval(row["every"]),
                minute(row["next_at"]) if row["enabled"] else "off",
                minute(row["last_started_at"]),
                _did({key: row[f"last_{key}"] for key in ("result", "failure")}),
            )
            for row in rows
        ],
    )


def _interval(every: timedelta) -> str:
    """In the largest unit that fits a whole number of times."""
    seconds = round(every.total_seconds())
    size, unit = next((size, unit) for size, unit in _UNITS if seconds % size == 0)
    return f"{seconds // size} {unit}"


_UNITS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def _did(run: Row) -> str:
    if run["failure"] is not None:
        return f"failed: {run['failure']}"
    done: Row = run["result"] or {}
    return ", ".join(f"{key} {'-' if value is None else value}" for key, value in done.items())
