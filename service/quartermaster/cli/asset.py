"""``qm asset``: resources, prompts and instructions: what waits, what the scan found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, Limit, Reason, Status, Yes
from quartermaster.cli.output import err, print_facts, print_json
from quartermaster.cli.review import (
    PREVIEW,
    How,
    Row,
    carry_out,
    print_diff,
    print_findings,
    print_list,
    print_scan,
    print_versions,
)
from quartermaster.cli.session import Session, open_session

Kinds = Literal["resource", "resource_template", "prompt", "instructions"]
Becomes = Literal["approved", "quarantined", "deprecated"]
Name = Annotated[
    str, typer.Argument(help="URI of a resource, or name of a prompt (origin__prompt).")
]
Names = Annotated[list[str], typer.Argument(help="URIs of resources, or names of prompts.")]
Kind = Annotated[Kinds | None, typer.Option(help="Kind, if several kinds share the name.")]

_MOST: Final = 10_000
_PARTS: Final = ("versions", "findings", "definition")


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    asset = typer.Typer(
        no_args_is_help=True, help="Review the resources, prompts and instructions of servers."
    )
    asset.command("list")(list_command)
    asset.command("show")(show_command)
    asset.command("approve")(approve_command)
    asset.command("quarantine")(quarantine_command)
    asset.command("deprecate")(deprecate_command)
    asset.command("scan")(scan_command)
    app.add_typer(asset, name="asset")


def list_command(
    origin: Annotated[str | None, typer.Option(help="Only assets of this origin.")] = None,
    status: Annotated[Status | None, typer.Option(help="Only assets with this status.")] = None,
    kind: Annotated[Kinds | None, typer.Option(help="Only assets of this kind.")] = None,
    limit: Limit = 100,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List resources, prompts and instructions; those that wait for approval come first."""
    with open_session(data_dir, dsn) as session:
        asked: dict[str, Any] = {"of_origin": origin, "with_status": status, "of_kind": kind}
        rows = session.call("review_assets", **asked, maximum=limit)
    if json:
        print_json(rows)
        return
    columns = ("name", "kind", "status", "reason", "findings")
    print_list(rows, columns, "No resources, prompts or instructions.")


def show_command(
    name: Name, kind: Kind = None, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """Show an asset: its definition, versions, changes and findings."""
    with open_session(data_dir, dsn) as session:
        asset: dict[str, Any] = session.call_value("get_asset", name=name, kind=kind)
        changes = session.call("diff_asset", name=name, kind=kind)
    if json:
        print_json(asset | {"changes": changes})
        return
    facts = {k: v for k, v in asset.items() if k not in _PARTS} | asset["definition"]
    print_facts("asset", name, facts)
    print_versions(asset["versions"])
    print_diff(name, changes)
    print_findings(asset["findings"])


def approve_command(
    names: Annotated[
        list[str] | None, typer.Argument(help="URIs of resources, or names of prompts.")
    ] = None,
    origin: Annotated[
        str | None, typer.Option(help="Approve all waiting assets of this origin.")
    ] = None,
    kind: Kind = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Offer assets in their present version.

    Shows what changed since the last approval, and asks.
    """
    with open_session(data_dir, dsn) as session:
        chosen: list[dict[str, Any]] = [{"name": name, "kind": kind} for name in names or []]
        seen = [_preview(session, "approved", one) for one in chosen + _waiting(session, origin)]
        if not json:
            for row in seen:
                one = {"name": row["name"], "kind": row["kind"]}
                print_diff(row["name"], session.call("diff_asset", **one))
                print_findings(session.call_value("get_asset", **one)["findings"])
        _decide(session, "approved", seen, How(reason, dry_run, yes, json))


def quarantine_command(
    names: Names,
    kind: Kind = None,
    reason: Reason = "",
    retire: Annotated[bool, typer.Option("--retire", hidden=True)] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Stop offering assets until somebody approves them again."""
    how = How(reason, dry_run, yes, json)
    # `qm asset withhold --retire` is how release 0.1 deprecated.
    _withhold(names, kind, "deprecated" if retire else "quarantined", how, data_dir, dsn)


def deprecate_command(
    names: Names,
    kind: Kind = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Retire assets, even if their origin still offers them."""
    _withhold(names, kind, "deprecated", How(reason, dry_run, yes, json), data_dir, dsn)


def scan_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Scan all definitions for poisoning, and quarantine dangerous ones.

    Exit status 1: something was quarantined.
    """
    found: dict[str, Any] = {"assets": 0, "findings": 0, "quarantined": []}
    with open_session(data_dir, dsn) as session, err.status("scanning"):
        after = 0
        while rows := session.call("scan_assets", after_id=after):
            [row] = rows
            after = row["last_id"]
            found = {key: found[key] + row[key] for key in found}
    if json:
        print_json(found)
    else:
        print_scan(found, "asset")
    if found["quarantined"]:
        raise typer.Exit(1)


def _withhold(
    names: list[str],
    kind: str | None,
    becomes: Becomes,
    how: How,
    data_dir: Path | None,
    dsn: str | None,
) -> None:
    with open_session(data_dir, dsn) as session:
        seen = [_preview(session, becomes, {"name": name, "kind": kind}) for name in names]
        _decide(session, becomes, seen, how)


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
        # Only the version that was shown, not one that arrived in between.
        decided = {"name": row["name"], "kind": row["kind"], "version": row["current_version"]}
        session.call("decide_asset", **decided, becomes=becomes, reason=how.reason)

    undo = "qm asset quarantine NAME" if becomes == "approved" else "qm asset approve NAME"
    carry_out(seen, becomes, PREVIEW, decide, undo, how)
