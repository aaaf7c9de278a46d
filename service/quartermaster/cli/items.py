"""``qm tool``, ``qm asset``: items of the catalog, what waits, what was found, what is decided."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Final

import typer
from rich.progress import TextColumn

from quartermaster.cli.deciding import How, Row, carry_out
from quartermaster.cli.options import AsOf, DryRun, Limit, Status, Yes
from quartermaster.cli.output import out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, Session, open_session
from quartermaster.cli.tool_report import print_diff, print_findings, print_item
from quartermaster.cli.waiting import progress_bar

_KINDS: Final[dict[str | None, list[str]]] = {
    "tool": ["tool"],
    "asset": ["resource", "resource_template", "prompt", "instructions"],
}
"""Kinds of each noun; those of any other noun are all."""

_MOST: Final = 10_000

Name = Annotated[str, typer.Argument(help="As clients know it: origin__name, or a URI.")]
Names = Annotated[list[str], typer.Argument(help="As clients know them.")]
SomeNames = Annotated[list[str] | None, typer.Argument(help="As clients know them.")]
Kind = Annotated[str | None, typer.Option(help="Where several kinds have the name.")]
Origin = Annotated[str | None, typer.Option(help="All that wait of this origin.")]
Reason = Annotated[str, typer.Option(help="Why; kept with it.")]


def add_commands(noun: typer.Typer) -> None:
    """Adds list, show, diff, approve, quarantine, deprecate, downrank and scan to a noun."""
    noun.command("list")(list_command)
    noun.command("show")(show_command)
    noun.command("diff")(diff_command)
    noun.command("approve")(approve_command)
    noun.command("quarantine")(quarantine_command)
    noun.command("deprecate")(deprecate_command)
    noun.command("downrank")(downrank_command)
    noun.command("scan")(scan_command)


def list_command(
    context: typer.Context,
    origin: Annotated[str | None, typer.Option(help="Only of this origin.")] = None,
    status: Annotated[Status | None, typer.Option(help="Only with this status.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only of this kind.")] = None,
    limit: Limit = 100,
    as_of: AsOf = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List them; those that wait for somebody come first."""
    asked: dict[str, Any] = {"kinds": _kinds(context, kind), "of_origin": origin}
    with open_session(data_dir, dsn) as session:
        rows = session.call("review_items", **asked, with_status=status, maximum=limit, as_of=as_of)
    if json:
        print_json(rows)
        return
    shown = [row | {"findings": ", ".join(row["findings"] or [])} for row in rows]
    columns = ["name", "kind", "status", "reason", "findings", "brief"]
    if as_of is not None:
        columns[2:4] = ["version"]
    if len(asked["kinds"] or []) == 1:
        columns.remove("kind")
    print_table(tuple(columns), [[row[column] for column in columns] for row in shown])


def show_command(
    context: typer.Context,
    name: Name,
    kind: Kind = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show one: its definition, versions, changes since it was approved, findings and probes."""
    which: dict[str, Any] = {"kinds": _kinds(context, kind), "name": name}
    with open_session(data_dir, dsn) as session:
        item: dict[str, Any] = session.call_value("get_item", **which)
        changes = session.call("diff_item", **which)
    if json:
        print_json(item | {"changes": changes})
        return
    print_item(item)
    if item["status"] == "pending":
        print_diff(name, changes)


def diff_command(
    context: typer.Context,
    name: Name,
    before: Annotated[
        int | None, typer.Option("--from", help="Version; by default the one approved last.")
    ] = None,
    after: Annotated[
        int | None, typer.Option("--to", help="Version; by default the newest.")
    ] = None,
    kind: Kind = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show what changed in one, member by member."""
    which: dict[str, Any] = {"kinds": _kinds(context, kind), "name": name}
    with open_session(data_dir, dsn) as session:
        rows = session.call("diff_item", **which, from_version=before, to_version=after)
    if json:
        print_json(rows)
    else:
        print_diff(name, rows)


def approve_command(
    context: typer.Context,
    names: SomeNames = None,
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
    kinds = _kinds(context, kind)
    with open_session(data_dir, dsn) as session:
        chosen: list[dict[str, Any]] = [{"name": name, "kinds": kinds} for name in names or []]
        if origin is not None:
            waiting = {"kinds": kinds, "of_origin": origin, "with_status": "pending"}
            rows = session.call("review_items", **waiting, maximum=_MOST)
            chosen += [{"name": row["name"], "kinds": [row["kind"]]} for row in rows]
        seen = [_preview(session, "approved", one) for one in chosen]
        if not json:
            for row in seen:
                which = {"kinds": [row["kind"]], "name": row["name"]}
                print_diff(row["name"], session.call("diff_item", **which))
                print_findings(session.call_value("get_item", **which)["findings"])
        _decide(session, "approved", seen, How(reason, dry_run, yes, json))


def quarantine_command(
    context: typer.Context,
    names: Names,
    kind: Kind = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Put them out of reach until somebody approves them."""
    chosen = [{"name": name, "kinds": _kinds(context, kind)} for name in names]
    with open_session(data_dir, dsn) as session:
        seen = [_preview(session, "quarantined", one) for one in chosen]
        _decide(session, "quarantined", seen, How(reason, dry_run, yes, json))


def deprecate_command(
    context: typer.Context,
    names: Names,
    kind: Kind = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Retire them, though their origin still offers them."""
    chosen = [{"name": name, "kinds": _kinds(context, kind)} for name in names]
    with open_session(data_dir, dsn) as session:
        seen = [_preview(session, "deprecated", one) for one in chosen]
        _decide(session, "deprecated", seen, How(reason, dry_run, yes, json))


def withhold_command(
    context: typer.Context,
    names: Names,
    kind: Kind = None,
    retire: Annotated[bool, typer.Option("--retire", help="Deprecate them.")] = False,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """The old name of quarantine, with --retire of deprecate."""
    decide = deprecate_command if retire else quarantine_command
    decide(context, names, kind, reason, dry_run, yes, json, data_dir, dsn)


def downrank_command(
    context: typer.Context,
    name: Name,
    by: Annotated[
        float, typer.Argument(min=0, max=1, help="0: not at all; 1: all others come first.")
    ],
    kind: Kind = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Let others come before this one."""
    with open_session(data_dir, dsn) as session:
        # A decimal becomes what the function takes; a float would stay one of twice the size.
        given = {"name": name, "downrank": Decimal(str(by)), "reason": reason, "dry_run": dry_run}
        [row] = session.call("downrank_item", kinds=_kinds(context, kind), **given)
    if json:
        print_json(row | {"name": name, "done": not dry_run})
    else:
        becomes = "would become" if dry_run else "becomes"
        out.print(f"{name}: {row['was']:g} {becomes} {row['becomes']:g}.", markup=False)


def scan_command(
    context: typer.Context,
    names: SomeNames = None,
    duplicates: Annotated[
        bool, typer.Option("--duplicates", help="Compare vectors, too: near duplicates elsewhere.")
    ] = False,
    kind: Annotated[str | None, typer.Option(help="Only of this kind.")] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Look for poisoned definitions; what is dangerous goes into quarantine. Status 1: some did."""
    found: dict[str, Any] = {"items": 0, "findings": 0, "quarantined": []}
    asked: dict[str, Any] = {"kinds": _kinds(context, kind), "names": names or None}
    noun = "tools" if asked["kinds"] == ["tool"] else "items"
    with open_session(data_dir, dsn) as session:
        with progress_bar(TextColumn(f"{{task.completed:,.0f}} {noun}")) as bar:
            task = bar.add_task("Scanning", total=len(names) if names else None)
            after = 0
            while rows := session.call(
                "scan_items", **asked, after_id=after, duplicates=duplicates
            ):
                [row] = rows
                after = row["last_id"]
                found = {key: found[key] + row[key] for key in found}
                bar.update(task, completed=found["items"])
    if json:
        print_json(found)
    else:
        out.print(f"{found['items']:,} {noun}, {found['findings']:,} findings.")
        for name in found["quarantined"]:
            out.print(f"  in quarantine now: {name}", markup=False)
    if found["quarantined"]:
        raise typer.Exit(1)


def _kinds(context: typer.Context, kind: str | None) -> list[str] | None:
    noun = context.parent.info_name if context.parent else None
    return _KINDS.get(noun) if kind is None else [kind]


def _preview(session: Session, becomes: str, one: dict[str, Any]) -> Row:
    row = session.call("decide_item", **one, becomes=becomes, dry_run=True)[0]
    return row | {"name": one["name"]}


def _decide(session: Session, becomes: str, seen: list[Row], how: How) -> None:
    def decide(row: Row) -> None:
        # What was just shown, and nothing that came in between.
        which = {"kinds": [row["kind"]], "name": row["name"], "version": row["current_version"]}
        session.call("decide_item", **which, becomes=becomes, reason=how.reason)

    carry_out(seen, becomes, decide, how)
