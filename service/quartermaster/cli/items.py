"""Items of the catalog as operators review them: the commands of ``qm tool``, ``asset``, ``card``.

Each noun has its own kinds; all nouns have the same commands.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Final

import typer
from rich.progress import TextColumn

from quartermaster.cli.options import AsOf, DataDir, DryRun, Dsn, Json, Limit, Reason, Status, Yes
from quartermaster.cli.output import print_facts, print_json, print_table, say
from quartermaster.cli.progress import progress_bar
from quartermaster.cli.review import (
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

Name = Annotated[str, typer.Argument(help="Name, such as origin__name, or URI of a resource.")]
Names = Annotated[list[str], typer.Argument(help="Names, such as origin__name, or URIs.")]
SomeNames = Annotated[
    list[str] | None, typer.Argument(help="Names, such as origin__name, or URIs.")
]
Kind = Annotated[str | None, typer.Option(help="Kind, if several kinds share the name.")]
OnlyKind = Annotated[str | None, typer.Option(help="Only this kind.")]

_KINDS: Final[dict[str | None, list[str]]] = {
    "tool": ["tool"],
    "asset": ["resource", "resource_template", "prompt", "instructions"],
}
"""Kinds of a noun; any other noun has all."""

_MOST: Final = 10_000
_PARTS: Final = ("versions", "findings", "probes", "definition")
_LONG: Final = ("input_schema", "output_schema")


def add_commands(noun: typer.Typer) -> None:
    """Adds the commands that look at items, and those that decide on them."""
    noun.command("list")(list_command)
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
    kind: OnlyKind = None,
    limit: Limit = 100,
    as_of: AsOf = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List them; those that wait for approval come first."""
    kinds = _kinds(context, kind)
    with open_session(data_dir, dsn) as session:
        rows = session.call(
            "review_items",
            kinds=kinds,
            of_origin=origin,
            with_status=status,
            maximum=limit,
            as_of=as_of,
        )
    if json:
        print_json(rows)
        return
    kind_column = () if kinds and len(kinds) == 1 else ("kind",)
    columns = ("status", "reason", "findings") if as_of is None else ("version", "findings")
    print_list(
        rows, ("name", *kind_column, *columns, "brief"), "None. Add servers with: qm import FILE."
    )


def show_command(
    context: typer.Context,
    name: Name,
    kind: Kind = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show one: its definition, versions, changes, findings and probes."""
    which: dict[str, Any] = {"kinds": _kinds(context, kind), "name": name}
    with open_session(data_dir, dsn) as session:
        item: dict[str, Any] = session.call_value("get_item", **which)
        changes = session.call("diff_item", **which)
    if json:
        print_json(item | {"changes": changes})
        return
    facts = {key: value for key, value in item.items() if key not in _PARTS}
    facts |= {key: value for key, value in item["definition"].items() if key not in _LONG}
    print_facts(item["kind"], name, facts)
    print_versions(item["versions"])
    if item["status"] == "pending":
        print_diff(name, changes)
    print_findings(item["findings"])
    columns = ("probed_at", "tool_version", "example", "is_honest", "sandbox", "problem")
    print_table(
        ("probed", "version", "example", "honest", "sandbox", "problem"),
        [[row[column] for column in columns] for row in item["probes"]],
    )


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
    origin: Annotated[
        str | None, typer.Option(help="Approve all that wait of this origin.")
    ] = None,
    kind: Kind = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Offer them in their present version.

    Shows what changed since the last approval, and asks.
    """
    kinds = _kinds(context, kind)
    with open_session(data_dir, dsn) as session:
        chosen: list[Row] = [{"name": name, "kinds": kinds} for name in names or []]
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
    reason: Reason = "",
    retire: Annotated[bool, typer.Option("--retire", hidden=True)] = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Stop offering them until somebody approves them again."""
    # `qm asset withhold --retire` is how release 0.1 deprecated.
    becomes = "deprecated" if retire else "quarantined"
    chosen: list[Row] = [{"name": name, "kinds": _kinds(context, kind)} for name in names]
    with open_session(data_dir, dsn) as session:
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
    """Retire them, even if their origin still offers them."""
    quarantine_command(
        context,
        names,
        kind,
        reason,
        retire=True,
        dry_run=dry_run,
        yes=yes,
        json=json,
        data_dir=data_dir,
        dsn=dsn,
    )


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
    """Lower the rank of one in every search."""
    with open_session(data_dir, dsn) as session:
        # The function takes a decimal; psycopg sends a float as double precision.
        given = {"name": name, "downrank": Decimal(str(by)), "reason": reason, "dry_run": dry_run}
        [row] = session.call("downrank_item", kinds=_kinds(context, kind), **given)
    if json:
        print_json(row | {"name": name, "done": not dry_run})
        return
    undo = "" if dry_run else f" To undo: qm {_noun(context)} downrank {name} {row['was']:g}."
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
    kind: OnlyKind = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Scan definitions for poisoning, and quarantine dangerous ones.

    Exit status 1: something was quarantined.
    """
    noun = _noun(context)
    found: dict[str, Any] = {"items": 0, "findings": 0, "quarantined": []}
    asked: dict[str, Any] = {"kinds": _kinds(context, kind), "names": names or None}
    progress = progress_bar(TextColumn(f"{{task.completed:,.0f}} {noun}s"))
    with open_session(data_dir, dsn) as session, progress as bar:
        task = bar.add_task("Scanning", total=len(names) if names else None)
        after = 0
        while rows := session.call("scan_items", **asked, after_id=after, duplicates=duplicates):
            [row] = rows
            after = row["last_id"]
            found = {key: found[key] + row[key] for key in found}
            bar.update(task, completed=found["items"])
    found[f"{noun}s"] = found.pop("items")
    if json:
        print_json(found)
    else:
        print_scan(found, noun)
    if found["quarantined"]:
        raise typer.Exit(1)


def _noun(context: typer.Context) -> str:
    return str(context.parent.info_name) if context.parent else "card"


def _kinds(context: typer.Context, kind: str | None) -> list[str] | None:
    return _KINDS.get(_noun(context)) if kind is None else [kind]


def _preview(session: Session, becomes: str, one: Row) -> Row:
    row = session.call("decide_item", **one, becomes=becomes, dry_run=True)[0]
    return row | {"name": one["name"]}


def _decide(
    context: typer.Context, session: Session, becomes: str, seen: list[Row], how: How
) -> None:
    def decide(row: Row) -> None:
        # Only the version that was shown, not one that arrived in between.
        which = {"kinds": [row["kind"]], "name": row["name"], "version": row["current_version"]}
        session.call("decide_item", **which, becomes=becomes, reason=how.reason)

    undo = "quarantine" if becomes == "approved" else "approve"
    carry_out(seen, becomes, decide, f"qm {_noun(context)} {undo} NAME", how)
