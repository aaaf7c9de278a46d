"""``qm job``: what is done again and again, and the log of it."""

from __future__ import annotations

from typing import Annotated

import typer

from quartermaster.cli.output import out, print_json, print_rows
from quartermaster.cli.session import DataDir, Dsn, Json, open_session

_LISTED = ("name", "every", "enabled", "next_at", "last_started_at", "last_result", "last_failure")
_LOGGED = ("run", "job", "started_at", "duration_ms", "late_by", "result", "failure")
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
        print_rows(session.call("list_jobs"), _LISTED, json)


def run_command(name: Name, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Run a job now, though it is not due or not enabled; exit status 1 when it fails."""
    with open_session(data_dir, dsn) as session:
        [row] = session.call("run_job", name=name)
    if json:
        print_json(row)
    elif row["failure"] is None:
        done = ", ".join(f"{key} {value}" for key, value in row["result"].items())
        out.print(f"{name}: {done} ({row['duration_ms']:.0f} ms)", markup=False, highlight=False)
    else:
        out.print(f"{name} failed: {row['failure']}", markup=False, highlight=False)
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
    print_rows(rows, _LISTED[:4], json)


def log_command(
    name: Annotated[str | None, typer.Argument(help="Only this job's runs.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many at most, the newest first.")] = 20,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show what the jobs did, or why they failed."""
    with open_session(data_dir, dsn) as session:
        print_rows(session.call("list_job_runs", name=name, maximum=limit), _LOGGED, json)
