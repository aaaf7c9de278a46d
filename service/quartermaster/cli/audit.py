"""``qm audit``: shows who changed what, and verifies that the records are unchanged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from quartermaster import api
from quartermaster.cli.command import Decision, PlainCommand, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Limit
from quartermaster.cli.output import Columns, counted, err, note, written
from quartermaster.cli.session import Row
from quartermaster.core.errors import unreadable

if TYPE_CHECKING:
    from quartermaster.audit.faults import AuditFault

_PAGE: Final = 1000

noun = Noun("Read and verify the records of all changes to rights.")


@noun.verb()
def list_command(
    qm: Qm,
    limit: Limit = 50,
    table: Annotated[str | None, "Only changes to this table, such as policy.principal."] = None,
    name: Annotated[str | None, "Only changes to rows with this name."] = None,
    by: Annotated[str | None, "Only changes by this principal."] = None,
) -> Sequence[Row]:
    """List the changes, newest first."""
    rows = qm.read(api.list_audit(limit_to=limit, of_table=table, of_object=name, by_principal=by))
    columns: Columns = (
        "id",
        "at",
        ("by", lambda row: row["principal"] or row["login"]),
        ("what", "{action} {table_name}"),
        ("name", "object"),
        ("change", _change),
    )
    what = "No such changes" if table or name or by else "No changes"
    return qm.table(rows, columns, empty=f"{what} are recorded.")


@noun.verb()
def verify_command(
    qm: Qm,
    file: Annotated[Path | None, "Verify this exported file without the database."] = None,
    against: Annotated[
        Path | None,
        "Also compare the records with the signatures in this file, such as a file that the"
        " setting audit.heads_to names.",
    ] = None,
) -> Row:
    """Verify all records, and report each one that was altered.

    Exits with status 1 if a record was altered.
    """
    from quartermaster.audit.faults import Head, head_faults, read_heads, signature_faults
    from quartermaster.secrets.signing_key import SigningKey

    if file is not None:
        found: dict[str, Any] = {
            "file": str(file),
            "faults": [asdict(fault) for fault in _faults_of(file)],
        }
    else:
        retained = [] if against is None else list(read_heads(against))
        with err.status("verifying the records"):
            found = qm.call_value(api.verify_audit())
        # What is compared is read later than the records: the service goes on signing.
        ours, key = Head.read_all(qm.folder), SigningKey.find(qm.folder)
        ids = [head.record for head in (*ours, *retained)]
        hashes = {
            row["record_id"]: row["hash"] for row in qm.call(api.audit_hashes(record_ids=ids))
        }
        first = found["first_id"] or 0
        compared = (
            *signature_faults(found, ours[-1] if ours else None, key and key.public_key.hex()),
            *head_faults(ours, hashes, first),
            *head_faults(retained, hashes, first),
        )
        # The database and the file can tell the same of a record.
        every = (*found["faults"], *map(asdict, compared))
        found["faults"] = list({(one["fault"], one["record"]): one for one in every}.values())
        signatures = found.pop("signatures")
        found["signed_to"] = signatures[-1]["record"] if signatures else None
        found["public_keys"] = sorted({signature["public_key"] for signature in signatures})
    for fault in found["faults"]:
        qm.say(f"{fault['fault']} {fault['record']}: {fault['why']}")
    qm.say(_verdict(found))
    qm.failed = bool(found["faults"])
    return found


@noun.verb()
def export_command(
    qm: PlainCommand,
    file: Annotated[Path, "File to write, or - for standard output."],
    after: Annotated[int, "Only records with an id greater than this."] = 0,
) -> None:
    """Export the records as JSON Lines.

    `qm audit verify --file` verifies an export without the database.
    """
    count, to = 0, None if str(file) == "-" else file
    session = qm.session
    with err.status("exporting the records"), written(to) as write:
        while rows := session.call(api.export_audit(after_id=after, limit_to=_PAGE)):
            write("".join(row["line"] + "\n" for row in rows))
            after, count = rows[-1]["id"], count + len(rows)
    note(f"{counted(count, 'record')} exported.")


@noun.verb()
def keep_command(
    qm: Decision,
    months: Annotated[
        int, "Number of months to keep in addition to this month; 0 keeps all records."
    ],
) -> Row:
    """Set the number of months for which records are kept.

    Older records are deleted immediately and cannot be restored.
    """
    rows = qm.call(api.keep_audit(months=months, dry_run=True))
    gone = sum(row["records"] for row in rows)
    qm.say(
        f"This permanently deletes {counted(gone, 'record')} from {counted(len(rows), 'month')}."
    )
    if qm.confirmed("Delete them?" if gone else "Change how long records are kept?"):
        qm.call(api.keep_audit(months=months))
        retained = f"the last {counted(months, 'month')}" if months else "all months"
        qm.say(f"Records from {retained} are kept. To change this: qm audit keep MONTHS.")
    return {"months": months, "cut": rows, "done": not qm.dry_run}


def _faults_of(file: Path) -> list[AuditFault]:
    from quartermaster.audit.faults import line_faults

    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            return list(line_faults(lines))
    except OSError as error:
        raise unreadable(file, error) from error


def _change(row: Row) -> str:
    before: dict[str, Any] = row["before"] or {}
    after: dict[str, Any] = row["after"] or {}
    # For an insert, a record may also contain details of the row, such as the pins of a toolset.
    # Such details have no earlier value.
    was = before if row["action"] == "update" else {}
    return ", ".join(
        f"{name}: {_value(was[name])} → {_value(value)}"
        if name in was
        else f"{name}: {_value(value)}"
        for name, value in (after or before).items()
        if name in was or value is not None
    )


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _verdict(found: Row) -> str:
    faults = counted(len(found["faults"]), "fault")
    verdict = (
        "All records are unchanged" if not found["faults"] else f"RECORDS WERE ALTERED ({faults})"
    )
    if "file" in found:
        return f"{verdict} in {found['file']}."
    signed = f"signed up to id {found['signed_to']}" if found["signed_to"] else "not signed yet"
    records = counted(found["records"], "record")
    return f"{verdict}: {records} up to id {found['last_id'] or 0}, {signed}."
