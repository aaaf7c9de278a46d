"""``qm audit``: who changed what, and a check that the records are unchanged."""

from __future__ import annotations

import json as json_text
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, Limit, Yes
from quartermaster.cli.output import (
    confirm,
    counted,
    err,
    note,
    print_json,
    print_table,
    say,
    written,
)
from quartermaster.cli.session import Row, open_session
from quartermaster.core import paths
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    from quartermaster.audit.faults import Fault

_PAGE = 1000
_LONGEST_CHANGE = 120


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    audit = typer.Typer(
        no_args_is_help=True, help="Read and verify the record of every change of rights."
    )
    audit.command("list")(list_command)
    audit.command("verify")(verify_command)
    audit.command("export")(export_command)
    audit.command("keep")(keep_command)
    app.add_typer(audit, name="audit")


def list_command(
    limit: Limit = 50,
    table: Annotated[
        str | None, typer.Option(help="Only this table, such as policy.principal.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Only rows with this name.")] = None,
    by: Annotated[str | None, typer.Option(help="Only changes by this principal.")] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List the changes, the newest first."""
    with open_session(data_dir, dsn) as session:
        rows = session.call(
            "list_audit", limit_to=limit, of_table=table, of_object=name, by_principal=by
        )
    if json:
        print_json(rows)
        return
    columns = ("id", "at", "by", "action", "table", "name", "change")
    print_table(columns, map(_cells, rows), empty="No changes are recorded.")


def verify_command(
    file: Annotated[
        Path | None, typer.Option(help="Verify this export, without the database.")
    ] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Verify all records, and name each one that was altered.

    Exit status 1: a record was altered.
    """
    from quartermaster.audit.faults import signature_faults

    if file is not None:
        faults = [asdict(fault) for fault in _faults_of(file)]
        found: Row = {"file": str(file), "faults": faults}
    else:
        with open_session(data_dir, dsn) as session, err.status("verifying the records"):
            found = session.call_value("verify_audit")
        folder = paths.data_dir(data_dir)
        found["faults"] += [asdict(fault) for fault in signature_faults(found, folder)]
        signatures = found.pop("signatures")
        found["signed_to"] = signatures[-1]["record"] if signatures else None
        found["public_keys"] = sorted({signature["public_key"] for signature in signatures})
    if json:
        print_json(found)
    else:
        _print_verdict(found)
    if found["faults"]:
        raise typer.Exit(1)


def export_command(
    file: Annotated[Path, typer.Argument(help="File to write; -: standard output.")],
    after: Annotated[int, typer.Option(help="Only records with a larger id.")] = 0,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Export the records as JSON Lines.

    `qm audit verify --file` verifies an export without the database.
    """
    count, to = 0, None if str(file) == "-" else file
    with (
        open_session(data_dir, dsn) as session,
        err.status("exporting the records"),
        written(to) as write,
    ):
        while rows := session.call("export_audit", after_id=after, limit_to=_PAGE):
            write("".join(row["line"] + "\n" for row in rows))
            after, count = rows[-1]["id"], count + len(rows)
    note(f"{counted(count, 'record')} exported.")


def keep_command(
    months: Annotated[
        int, typer.Argument(help="Number of months to keep besides this one; 0: keep all.")
    ],
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Set how many months of records are kept.

    Older records are deleted now, and cannot be restored.
    """
    with open_session(data_dir, dsn) as session:
        rows = session.call("keep_audit", months=months, dry_run=True)
        gone = sum(row["records"] for row in rows)
        if not json:
            records, of = counted(gone, "record"), counted(len(rows), "month")
            say(f"This deletes {records} of {of} for good.")
        if not dry_run:
            confirm("Delete them?" if gone else "Set this limit?", yes=yes)
            session.call("keep_audit", months=months)
    if json:
        print_json({"months": months, "cut": rows, "done": not dry_run})
    elif not dry_run:
        kept = f"the last {counted(months, 'month')}" if months else "all months"
        say(f"Records of {kept} are kept. To change: qm audit keep MONTHS.")


def _faults_of(file: Path) -> list[Fault]:
    from quartermaster.audit.faults import line_faults

    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            return list(line_faults(lines))
    except OSError as error:
        raise QmError(
            404, "file_not_found", f"{file} cannot be read: {error.strerror}.", "Check the path."
        ) from error


def _cells(row: Row) -> tuple[object, ...]:
    who = row["principal"] or row["login"]
    at = f"{row['at']:%Y-%m-%d %H:%M:%S}"
    return row["id"], at, who, row["action"], row["table_name"], row["object"], _change(row)


def _change(row: Row) -> str:
    before: Row = row["before"] or {}
    after: Row = row["after"] or {}
    if row["action"] == "update":
        parts = [f"{name}: {_value(before[name])} → {_value(after[name])}" for name in after]
    else:
        values = (after or before).items()
        parts = [f"{name}: {_value(value)}" for name, value in values if value is not None]
    text = ", ".join(parts)
    return text if len(text) <= _LONGEST_CHANGE else text[: _LONGEST_CHANGE - 1] + "…"


def _value(value: object) -> str:
    return json_text.dumps(value, ensure_ascii=False)


def _print_verdict(found: Row) -> None:
    for fault in found["faults"]:
        say(f"{fault['fault']} {fault['record']}: {fault['why']}")
    faults = counted(len(found["faults"]), "fault")
    verdict = "All are unchanged" if not found["faults"] else f"NOT UNCHANGED: {faults}"
    if "records" in found:
        signed = f"signed up to {found['signed_to']}" if found["signed_to"] else "not signed yet"
        records = counted(found["records"], "record")
        say(f"{verdict}: {records} up to {found['last_id'] or 0}, {signed}.")
    else:
        say(f"{verdict} in {found['file']}.")
