"""``qm tool``: what waits for approval, what the scan found, what changed."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from quartermaster.cli.options import AsOf, DataDir, Dsn, Json, Limit, Status, ToolName
from quartermaster.cli.output import print_facts, print_json, print_table
from quartermaster.cli.review import print_diff, print_findings, print_list, print_versions
from quartermaster.cli.session import open_session
from quartermaster.cli.tool import decide, scan, terms

_PARTS: Final = ("versions", "findings", "probes", "input_schema", "output_schema")


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    tool = typer.Typer(no_args_is_help=True, help="Review tools: approve, quarantine, scan, probe.")
    tool.command("list")(list_command)
    tool.command("show")(show_command)
    tool.command("diff")(diff_command)
    decide.register(tool)
    scan.register(tool)
    terms.register(tool)
    app.add_typer(tool, name="tool")


def list_command(
    origin: Annotated[str | None, typer.Option(help="Only tools of this origin.")] = None,
    status: Annotated[Status | None, typer.Option(help="Only tools with this status.")] = None,
    limit: Limit = 100,
    as_of: AsOf = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List the tools; those that wait for approval come first."""
    with open_session(data_dir, dsn) as session:
        rows = session.call(
            "list_tools", of_origin=origin, with_status=status, maximum=limit, as_of=as_of
        )
    if json:
        print_json(rows)
        return
    columns = (
        ("name", "status", "reason", "findings", "brief")
        if as_of is None
        else ("name", "version", "findings", "brief")
    )
    print_list(rows, columns, "No tools. Add servers with: qm import FILE.")


def show_command(
    name: ToolName, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """Show a tool: its definition, versions, findings and probes."""
    with open_session(data_dir, dsn) as session:
        tool: dict[str, Any] = session.call_value("get_tool", name=name)
    if json:
        print_json(tool)
        return
    facts = {key: value for key, value in tool.items() if key not in _PARTS}
    print_facts("tool", tool["callable_name"], facts)
    print_versions(tool["versions"])
    print_findings(tool["findings"])
    columns = ("probed_at", "tool_version", "example", "is_honest", "sandbox", "problem")
    print_table(
        ("probed", "version", "example", "honest", "sandbox", "problem"),
        [[row[column] for column in columns] for row in tool["probes"]],
    )


def diff_command(
    name: ToolName,
    before: Annotated[
        int | None, typer.Option("--from", help="Version; default: the last approved one.")
    ] = None,
    after: Annotated[
        int | None, typer.Option("--to", help="Version; default: the newest one.")
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
