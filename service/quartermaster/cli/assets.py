"""``qm asset``: resources, prompts, instructions of servers: what waits, what the scan found."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import typer

from quartermaster.cli.deciding import SHOWN, How, Row, carry_out
from quartermaster.cli.options import DryRun, Limit, Status, Yes
from quartermaster.cli.output import out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, Session, open_session
from quartermaster.cli.tool_report import print_diff, print_findings

Kinds = Literal["resource", "resource_template", "prompt", "instructions"]
Becomes = Literal["approved", "quarantined", "deprecated"]
Name = Annotated[str, typer.Argument(help="As clients know it: a URI, or origin__prompt.")]
Names = Annotated[list[str] | None, typer.Argument(help="URIs, or names of prompts.")]
Kind = Annotated[Kinds | None, typer.Option(help="Where several kinds have the name.")]
Origin = Annotated[str | None, typer.Option(help="All that wait of this origin.")]
Reason = Annotated[str, typer.Option(help="Why; kept with it.")]

_MOST: Final = 10_000
_PARTS: Final = ("versions", "findings", "definition")


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    asset = typer.Typer(no_args_is_help=True, help="Resources, prompts, instructions: trust.")
    asset.command("list")(list_command)
    asset.command("show")(show_command)
    asset.command("approve")(approve_command)
    asset.command("withhold")(withhold_command)
    asset.command("scan")(scan_command)
    app.add_typer(asset, name="asset")


def list_command(
    origin: Annotated[str | None, typer.Option(help="Only of this origin.")] = None,
    status: Annotated[Status | None, typer.Option(help="Only with this status.")] = None,
    kind: Annotated[Kinds | None, typer.Option(help="Only of this kind.")] = None,
    limit: Limit = 100,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List resources and prompts; those that wait for somebody come first."""
    with open_session(data_dir, dsn) as session:
        asked: dict[str, Any] = {"of_origin": origin, "with_status": status, "of_kind": kind}
        rows = session.call("review_assets", **asked, maximum=limit)
    if json:
        print_json(rows)
        return
    shown = [row | {"findings": ", ".join(row["findings"] or [])} for row in rows]
    columns = ("name", "kind", "status", "reason", "findings")
    print_table(columns, [[row[column] for column in columns] for row in shown])


def show_command(
    name: Name, kind: Kind = None, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """Show one: what it says of itself, what changed since it was approved, what was found."""
    with open_session(data_dir, dsn) as session:
        asset: dict[str, Any] = session.call_value("get_asset", name=name, kind=kind)
        changes = session.call("diff_asset", name=name, kind=kind)
    if json:
        print_json(asset | {"changes": changes})
        return
    facts = {k: v for k, v in asset.items() if k not in _PARTS} | asset["definition"]
    print_table(("asset", name), [(k, v) for k, v in facts.items() if v not in (None, "")])
    columns = ("version", "valid_from", "valid_to", "approved_at", "approved_by")
    print_table(columns, [[row[column] for column in columns] for row in asset["versions"]])
    print_diff(name, changes)
    print_findings(asset["findings"])


def approve_command(
    names: Names = None,
    origin: Origin = None,
    kind: Kind = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Let them in, or bring them back, as they are now; what changed is shown first."""
    with open_session(data_dir, dsn) as session:
        chosen: list[dict[str, Any]] = [{"name": name, "kind": kind} for name in names or []]
        seen = [_preview(session, "approved", one) for one in chosen + _waiting(session, origin)]
        if not json:
            for row in seen:
                one = {"name": row["name"], "kind": row["kind"]}
                print_diff(row["name"], session.call("diff_asset", **one))
                print_findings(session.call_value("get_asset", **one)["findings"])
        _decide(session, "approved", seen, How(reason, dry_run, yes, json))


def withhold_command(
    names: Annotated[list[str], typer.Argument(help="URIs, or names of prompts.")],
    kind: Kind = None,
    retire: Annotated[
        bool, typer.Option("--retire", help="Deprecate: not there, rather than in quarantine.")
    ] = False,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Put them out of reach until somebody approves them."""
    becomes: Becomes = "deprecated" if retire else "quarantined"
    with open_session(data_dir, dsn) as session:
        seen = [_preview(session, becomes, {"name": name, "kind": kind}) for name in names]
        _decide(session, becomes, seen, How(reason, dry_run, yes, json))


def scan_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Look at all again for poisoned definitions. Status 1: some went into quarantine."""
    found: dict[str, Any] = {"assets": 0, "findings": 0, "quarantined": []}
    with open_session(data_dir, dsn) as session:
        after = 0
        while rows := session.call("scan_assets", after_id=after):
            [row] = rows
            after = row["last_id"]
            found = {key: found[key] + row[key] for key in found}
    if json:
        print_json(found)
    else:
        out.print(f"{found['assets']:,} resources and prompts, {found['findings']:,} findings.")
        for name in found["quarantined"]:
            out.print(f"  in quarantine now: {name}", markup=False)
    if found["quarantined"]:
        raise typer.Exit(1)


def _waiting(session: Session, origin: str | None) -> list[dict[str, Any]]:
    if origin is None:
        return []
    asked = {"of_origin": origin, "with_status": "pending"}
    rows = session.call("review_assets", **asked, maximum=_MOST)
    return [{"name": row["name"], "kind": row["kind"]} for row in rows]


def _preview(session: Session, becomes: Becomes, one: dict[str, Any]) -> dict[str, Any]:
    return session.call("decide_asset", **one, becomes=becomes, dry_run=True)[0] | one


def _decide(session: Session, becomes: Becomes, seen: list[Row], how: How) -> None:
    def decide(row: Row) -> None:
        # What was just shown, and nothing that came in between.
        decided = {"name": row["name"], "kind": row["kind"], "version": row["current_version"]}
        session.call("decide_asset", **decided, becomes=becomes, reason=how.reason)

    carry_out(seen, becomes, SHOWN, decide, how)
