"""``qm tool approve`` and the other decisions of an operator; each can be previewed."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Final

import typer

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, Reason, ToolName, Yes
from quartermaster.cli.output import print_json, say
from quartermaster.cli.review import PREVIEW, How, Row, carry_out, print_diff, print_findings
from quartermaster.cli.session import Session, open_session

Names = Annotated[list[str], typer.Argument(help="Names of tools.")]

_MOST: Final = 10_000
_WITHHELD: Final = {
    "name": "name",
    "was": "status",
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
    names: Annotated[list[str] | None, typer.Argument(help="Names of tools.")] = None,
    origin: Annotated[
        str | None, typer.Option(help="Approve all waiting tools of this origin.")
    ] = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Offer tools in their present version.

    Shows what changed since the last approval, and asks.
    """
    with open_session(data_dir, dsn) as session:
        chosen = [*(names or []), *_waiting(session, origin)]
        seen = [_preview(session, "approve_tool", name) for name in chosen]
        if not json:
            for row in seen:
                print_diff(row["name"], session.call("diff_tool", name=row["name"]))
                print_findings(session.call_value("get_tool", name=row["name"])["findings"])

        def approve(row: Row) -> None:
            version = row["current_version"]
            # Only the version that was shown, not one that arrived in between.
            session.call("approve_tool", name=row["name"], version=version, reason=reason)

        how = How(reason, dry_run, yes, json)
        carry_out(seen, "approved", PREVIEW, approve, "qm tool quarantine NAME", how)


def quarantine_command(
    names: Names,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Stop offering tools until somebody approves them again."""
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
    """Retire tools, even if their origin still offers them."""
    how = How(reason, dry_run, yes, json)
    _withhold("deprecate_tool", "deprecated", names, how, data_dir, dsn)


def downrank_command(
    name: ToolName,
    by: Annotated[float, typer.Argument(min=0, max=1, help="0: normal rank; 1: ranked last.")],
    reason: Reason = "",
    dry_run: DryRun = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Rank a tool below others."""
    with open_session(data_dir, dsn) as session:
        # The function takes a decimal; psycopg sends a float as double precision.
        given = {"name": name, "downrank": Decimal(str(by)), "reason": reason, "dry_run": dry_run}
        [row] = session.call("downrank_tool", **given)
    if json:
        print_json(row | {"name": name, "done": not dry_run})
        return
    undo = "" if dry_run else f" To undo: qm tool downrank {name} {row['was']:g}."
    becomes = "would become" if dry_run else "is now"
    say(f"The downrank of {name} {becomes} {row['becomes']:g} (was {row['was']:g}).{undo}")


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

        carry_out(seen, becomes, _WITHHELD, withhold, "qm tool approve NAME", how)


def _waiting(session: Session, origin: str | None) -> list[str]:
    if origin is None:
        return []
    rows = session.call("list_tools", of_origin=origin, with_status="pending", maximum=_MOST)
    return [row["name"] for row in rows]


def _preview(session: Session, operation: str, name: str) -> Row:
    return session.call(operation, name=name, dry_run=True)[0] | {"name": name}
