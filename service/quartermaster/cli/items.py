"""``qm tool``, ``qm asset``, ``qm card``: review items of the catalog and decide on them."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Final

import typer
from rich.progress import TextColumn

from quartermaster.cli.options import AsOf, DataDir, DryRun, Dsn, Json, Limit, Reason, Status, Yes
from quartermaster.cli.output import counted, print_facts, print_json, print_table, say
from quartermaster.cli.progress import progress_bar
from quartermaster.cli.review import (
    How,
    Row,
    carry_out,
    print_diff,
    print_findings,
    print_list,
    print_versions,
)
from quartermaster.cli.session import Session, open_session

_KINDS: Final[dict[str | None, list[str]]] = {
    "tool": ["tool"],
    "asset": ["resource", "resource_template", "prompt", "instructions"],
}
"""The kinds that a noun reviews; any other noun reviews all."""

_MOST: Final = 10_000
_PARTS: Final = ("versions", "findings", "probes", "definition")
_LONG: Final = ("input_schema", "output_schema")

Name = Annotated[str, typer.Argument(help="Public name: origin__name, or a URI.")]
Names = Annotated[list[str], typer.Argument(help="Public names: origin__name, or a URI.")]
SomeNames = Annotated[
    list[str] | None, typer.Argument(help="Public names: origin__name, or a URI.")
]
Kind = Annotated[str | None, typer.Option(help="Kind, if several kinds share the name.")]


def add_commands(noun: typer.Typer) -> None:
    """Adds the commands that review and decide to a noun."""
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
    origin: Annotated[str | None, typer.Option(help="Only items of this origin.")] = None,
    status: Annotated[Status | None, typer.Option(help="Only items with this status.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only items of this kind.")] = None,
    limit: Limit = 100,
    as_of: AsOf = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List the items; those that wait for approval come first."""
    asked: dict[str, Any] = {"kinds": _kinds(context, kind), "of_origin": origin}
    with open_session(data_dir, dsn) as session:
        rows = session.call("review_items", **asked, with_status=status, maximum=limit, as_of=as_of)
    if json:
        print_json(rows)
        return
    columns = ["name", "kind", "status", "reason", "findings", "brief"]
    if as_of is not None:
        columns[2:4] = ["version"]
    if len(asked["kinds"] or []) == 1:
        columns.remove("kind")
    print_list(rows, columns, "Nothing is listed. Add servers with: qm import FILE.")


def show_command(
    context: typer.Context,
    name: Name,
    kind: Kind = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show an item: its definition, versions, changes, findings and probes."""
    which: dict[str, Any] = {"kinds": _kinds(context, kind), "name": name}
    with open_session(data_dir, dsn) as session:
        item: dict[str, Any] = session.call_value("get_item", **which)
        changes = session.call("diff_item", **which)
    if json:
        print_json(item | {"changes": changes})
        return
    facts = {key: value for key, value in item.items() if key not in _PARTS}
    facts |= {key: value for key, value in item["definition"].items() if key not in _LONG}
    print_facts(item["kind"], item["public_name"], facts)
    print_versions(item["versions"])
    print_findings(item["findings"])
    if item["probes"]:
        columns = ("probed_at", "version", "example", "is_honest", "sandbox", "problem")
        print_table(
            ("probed", "version", "example", "honest", "sandbox", "problem"),
            [[row[column] for column in columns] for row in item["probes"]],
        )
    if item["status"] == "pending":
        print_diff(name, changes)


def diff_command(
    context: typer.Context,
    name: Name,
    before: Annotated[
        int | None, typer.Option("--from", help="Version; default: the last approved one.")
    ] = None,
    after: Annotated[
        int | None, typer.Option("--to", help="Version; default: the newest one.")
    ] = None,
    kind: Kind = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show what changed in an item, member by member."""
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
    origin: Annotated[
        str | None, typer.Option(help="Approve all waiting items of this origin.")
    ] = None,
    kind: Kind = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Offer items in their present version.

    Shows what changed since the last approval, and asks.
    """
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
        _decide(context, session, "approved", seen, How(reason, dry_run, yes, json))


def quarantine_command(
    context: typer.Context,
    names: Names,
    kind: Kind = None,
    retire: Annotated[bool, typer.Option("--retire", hidden=True)] = False,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Stop offering items until somebody approves them again."""
    chosen = [{"name": name, "kinds": _kinds(context, kind)} for name in names]
    with open_session(data_dir, dsn) as session:
        # `qm asset withhold --retire` is how release 0.1 deprecated.
        becomes = "deprecated" if retire else "quarantined"
        seen = [_preview(session, becomes, one) for one in chosen]
        _decide(context, session, becomes, seen, How(reason, dry_run, yes, json))


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
    """Retire items, even if their origin still offers them."""
    chosen = [{"name": name, "kinds": _kinds(context, kind)} for name in names]
    with open_session(data_dir, dsn) as session:
        seen = [_preview(session, "deprecated", one) for one in chosen]
        _decide(context, session, "deprecated", seen, How(reason, dry_run, yes, json))


def downrank_command(
    context: typer.Context,
    name: Name,
    by: Annotated[float, typer.Argument(min=0, max=1, help="0: normal rank; 1: ranked last.")],
    kind: Kind = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Lower the rank of an item in every search."""
    with open_session(data_dir, dsn) as session:
        # The function takes a decimal; psycopg sends a float as double precision.
        given = {"name": name, "downrank": Decimal(str(by)), "reason": reason, "dry_run": dry_run}
        [row] = session.call("downrank_item", kinds=_kinds(context, kind), **given)
    if json:
        print_json(row | {"name": name, "done": not dry_run})
        return
    undo = "" if dry_run else f" To undo: {context.command_path} {name} {row['was']:g}."
    becomes = "would become" if dry_run else "is now"
    say(f"The downrank of {name} {becomes} {row['becomes']:g} (was {row['was']:g}).{undo}")


def scan_command(
    context: typer.Context,
    names: SomeNames = None,
    duplicates: Annotated[
        bool,
        typer.Option(
            "--duplicates", help="Also find near duplicates in other origins, by vectors."
        ),
    ] = False,
    kind: Annotated[str | None, typer.Option(help="Only items of this kind.")] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Scan definitions for poisoning, and quarantine dangerous items.

    Exit status 1: an item was quarantined.
    """
    found: dict[str, Any] = {"items": 0, "findings": 0, "quarantined": []}
    asked: dict[str, Any] = {"kinds": _kinds(context, kind), "names": names or None}
    with (
        open_session(data_dir, dsn) as session,
        progress_bar(TextColumn("{task.completed:,.0f} items")) as bar,
    ):
        task = bar.add_task("Scanning", total=len(names) if names else None)
        after = 0
        while rows := session.call("scan_items", **asked, after_id=after, duplicates=duplicates):
            [row] = rows
            after = row["last_id"]
            found = {key: found[key] + row[key] for key in found}
            bar.update(task, completed=found["items"])
    if json:
        print_json(found)
    else:
        findings = counted(found["findings"], "finding")
        say(f"{counted(found['items'], 'item')} scanned: {findings}.")
        for name in found["quarantined"]:
            say(f"  put into quarantine: {name}")
    if found["quarantined"]:
        raise typer.Exit(1)


def _kinds(context: typer.Context, kind: str | None) -> list[str] | None:
    noun = context.parent.info_name if context.parent else None
    return _KINDS.get(noun) if kind is None else [kind]


def _preview(session: Session, becomes: str, one: dict[str, Any]) -> Row:
    row = session.call("decide_item", **one, becomes=becomes, dry_run=True)[0]
    return row | {"name": one["name"]}


def _decide(
    context: typer.Context, session: Session, becomes: str, seen: list[Row], how: How
) -> None:
    def decide(row: Row) -> None:
        # Only the version that was shown, not one that arrived in between.
        which = {"kinds": [row["kind"]], "name": row["name"], "version": row["current_version"]}
        session.call("decide_item", **which, becomes=becomes, reason=how.reason)

    noun = context.parent.command_path if context.parent else ""
    undo = "quarantine" if becomes == "approved" else "approve"
    carry_out(seen, becomes, decide, f"{noun} {undo} NAME", how)
