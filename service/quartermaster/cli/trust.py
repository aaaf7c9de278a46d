"""``qm tool``: what waits for approval, what the scan found, what changed."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from quartermaster.cli import decisions, scanning, terms
from quartermaster.cli.options import AsOf, Limit, Status
from quartermaster.cli.output import print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, open_session
from quartermaster.cli.tool_report import print_diff, print_tool

Name = Annotated[str, typer.Argument(help="Callable name, such as time__convert_time.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    tool = typer.Typer(no_args_is_help=True, help="Tools: approval, quarantine, scan, probes.")
    tool.command("list")(list_command)
    tool.command("show")(show_command)
    tool.command("diff")(diff_command)
    decisions.register(tool)
    scanning.register(tool)
    terms.register(tool)
    app.add_typer(tool, name="tool")


def list_command(
    origin: Annotated[str | None, typer.Option(help="Only of this origin.")] = None,
    status: Annotated[Status | None, typer.Option(help="Only with this status.")] = None,
    limit: Limit = 100,
    as_of: AsOf = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List tools; those that wait for somebody come first."""
    with open_session(data_dir, dsn) as session:
        rows = session.call(
            "list_tools", of_origin=origin, with_status=status, maximum=limit, as_of=as_of
        )
    if json:
        print_json(rows)
        return
    shown = [row | {"findings": ", ".join(row["findings"] or [])} for row in rows]
    columns = (
        ("name", "status", "reason", "findings", "brief")
        if as_of is None
        else ("name", "version", "findings", "brief")
    )
    print_table(columns, [[row[column] for column in columns] for row in shown])


def show_command(name: Name, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Show a tool: its definition, versions, findings and probes."""
    with open_session(data_dir, dsn) as session:
        tool: dict[str, Any] = session.call_value("get_tool", name=name)
    if json:
        print_json(tool)
    else:
        print_tool(tool)


def diff_command(
    name: Name,
    before: Annotated[
        int | None, typer.Option("--from", help="Version; by default the one approved last.")
    ] = None,
    after: Annotated[
        int | None, typer.Option("--to", help="Version; by default the newest.")
    ] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show what changed in a tool, member by member."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("diff_tool", name=name, from_version=before, to_version=after)
    if json:
        print_json(rows)
    else:
        print_diff(name, rows)
