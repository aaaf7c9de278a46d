"""``qm tool approve`` and its like: what an operator decides; each shows first what it does."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Final

import typer

from quartermaster.cli.deciding import SHOWN, How, Row, carry_out
from quartermaster.cli.options import DryRun, Yes
from quartermaster.cli.output import out, print_json
from quartermaster.cli.session import DataDir, Dsn, Json, Session, open_session
from quartermaster.cli.tool_report import print_diff, print_findings

Name = Annotated[str, typer.Argument(help="Callable name, such as time__convert_time.")]
Names = Annotated[list[str], typer.Argument(help="Callable names.")]
Reason = Annotated[str, typer.Option(help="Why; kept with the tool.")]

_MOST: Final = 10_000
_WITHHELD: Final = {
    "name": "name",
    "was": "was",
    "version": "version",
    "calls": "calls in 30 days",
}


def register(tool: typer.Typer) -> None:
    """Adds the commands."""
    tool.command("approve")(approve_command)
    tool.command("quarantine")(quarantine_command)
    tool.command("deprecate")(deprecate_command)
    tool.command("downrank")(downrank_command)


def approve_command(
    names: Annotated[list[str] | None, typer.Argument(help="Callable names.")] = None,
    origin: Annotated[str | None, typer.Option(help="All that wait of this origin.")] = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Let tools in, or bring them back, as they are now; what changed is shown first."""
    with open_session(data_dir, dsn) as session:
        chosen = [*(names or []), *_waiting(session, origin)]
        seen = [_preview(session, "approve_tool", name) for name in chosen]
        if not json:
            for row in seen:
                print_diff(row["name"], session.call("diff_tool", name=row["name"]))
                print_findings(session.call_value("get_tool", name=row["name"])["findings"])

        def approve(row: Row) -> None:
            version = row["current_version"]
            # What was just shown, and nothing that came in between.
            session.call("approve_tool", name=row["name"], version=version, reason=reason)

        carry_out(seen, "approved", SHOWN, approve, How(reason, dry_run, yes, json))


def quarantine_command(
    names: Names,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Put tools out of reach until somebody approves them."""
    how = How(reason, dry_run, yes, json)
    _withhold("quarantine_tool", "quarantined", names, how, data_dir, dsn)


def deprecate_command(
    names: Names,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Retire tools, though their origin still offers them."""
    how = How(reason, dry_run, yes, json)
    _withhold("deprecate_tool", "deprecated", names, how, data_dir, dsn)


def downrank_command(
    name: Name,
    by: Annotated[
        float, typer.Argument(min=0, max=1, help="0: not at all; 1: all others come first.")
    ],
    reason: Reason = "",
    dry_run: DryRun = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Let other tools come before this one."""
    with open_session(data_dir, dsn) as session:
        # A decimal becomes what the function takes; a float would stay one of twice the size.
        given = {"name": name, "downrank": Decimal(str(by)), "reason": reason, "dry_run": dry_run}
        [row] = session.call("downrank_tool", **given)
    if json:
        print_json(row | {"name": name, "done": not dry_run})
    else:
        becomes = "would become" if dry_run else "becomes"
        out.print(f"{name}: {row['was']:g} {becomes} {row['becomes']:g}.", markup=False)


def approval_command(
    name: Annotated[str, typer.Argument(help="Name of the origin.")],
    approval: Annotated[
        str | None,
        typer.Argument(help="none, changes or all; without: as the settings of the database say."),
    ] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Say which of a server's tools wait for approval: changed ones, new ones too, or none."""
    with open_session(data_dir, dsn) as session:
        holds: str = session.call_value("set_approval", origin=name, approval=approval)
    if json:
        print_json({"name": name, "approval": holds})
    else:
        waits = {"none": "No tool waits", "changes": "Changed tools wait", "all": "All tools wait"}
        out.print(f"{waits[holds]} for approval.")


def _withhold(
    operation: str,
    becomes: str,
    names: list[str],
    how: How,
    data_dir: Path | None,
    dsn: str | None,
) -> None:
    with open_session(data_dir, dsn) as session:
        seen = [_preview(session, operation, name) for name in names]

        def withhold(row: Row) -> None:
            session.call(operation, name=row["name"], reason=how.reason)

        carry_out(seen, becomes, _WITHHELD, withhold, how)


def _waiting(session: Session, origin: str | None) -> list[str]:
    if origin is None:
        return []
    rows = session.call("list_tools", of_origin=origin, with_status="pending", maximum=_MOST)
    return [row["name"] for row in rows]


def _preview(session: Session, operation: str, name: str) -> Row:
    return session.call(operation, name=name, dry_run=True)[0] | {"name": name}
