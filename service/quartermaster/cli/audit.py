"""``qm audit``: who changed what, and the proof that nobody changed the record of it."""

from __future__ import annotations

import json as json_text
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quartermaster.cli.exporting import written
from quartermaster.cli.options import DryRun, Yes
from quartermaster.cli.output import err, out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, Row, open_session
from quartermaster.core import paths
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    from quartermaster.audit.faults import Fault

_PAGE = 1000
_LONGEST_CHANGE = 120


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    audit = typer.Typer(no_args_is_help=True, help="The record of every change of rights.")
    audit.command("list")(list_command)
    audit.command("verify")(verify_command)
    audit.command("export")(export_command)
    audit.command("keep")(keep_command)
    app.add_typer(audit, name="audit")


def list_command(
    limit: Annotated[int, typer.Option(help="How many.")] = 50,
    table: Annotated[str | None, typer.Option(help="Only this, such as policy.principal.")] = None,
    name: Annotated[str | None, typer.Option(help="Only rows of this name.")] = None,
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
    print_table(columns, map(_cells, rows))


def verify_command(
    file: Annotated[
        Path | None, typer.Option(help="An export, verified without the database.")
    ] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Read the whole chain and name every record that is not as it was written; then status 1."""
    from quartermaster.audit.faults import signature_faults

    if file is not None:
        found: Row = {"faults": [asdict(fault) for fault in _faults_of(file)]}
    else:
        with open_session(data_dir, dsn) as session:
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
    file: Annotated[Path, typer.Argument(help="To write, - for standard output.")],
    after: Annotated[int, typer.Option(help="Only records after this id.")] = 0,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Write the records as lines of JSON, which `qm audit verify --file` can verify anywhere."""
    count, to = 0, None if str(file) == "-" else file
    with open_session(data_dir, dsn) as session, written(to) as write:
        while rows := session.call("export_audit", after_id=after, limit_to=_PAGE):
            write("".join(row["line"] + "\n" for row in rows))
            after, count = rows[-1]["id"], count + len(rows)
    err.print(f"{count} records.")


def keep_command(
    months: Annotated[int, typer.Argument(help="Whole months before this one; 0: all.")],
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Set how long records are kept; what is older goes now, by whole months."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("keep_audit", months=months, dry_run=True)
        if not json:
            gone = sum(row["records"] for row in rows)
            out.print(f"{gone} records of {len(rows)} months go.")
        if not dry_run:
            if not yes:
                typer.confirm("Keep no more than that?", abort=True, err=True)
            session.call("keep_audit", months=months)
    if json:
        print_json({"months": months, "cut": rows, "done": not dry_run})


def _faults_of(file: Path) -> list[Fault]:
    from quartermaster.audit.faults import line_faults

    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            return list(line_faults(lines))
    except OSError as error:
        raise QmError(
            404, "file_not_found", f"{file} cannot be read: {error.strerror}", "Check the path."
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
        out.print(f"{fault['fault']} {fault['record']}: {fault['why']}", markup=False)
    whole = "whole" if not found["faults"] else f"NOT whole: {len(found['faults'])} faults"
    if "records" in found:
        signed = f", signed to {found['signed_to']}" if found["signed_to"] else ", not signed yet"
        out.print(f"{found['records']} records to {found['last_id'] or 0}{signed}: {whole}.")
    else:
        out.print(f"The file is {whole}.")
