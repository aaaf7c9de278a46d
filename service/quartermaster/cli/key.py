"""``qm key``: the bearer keys by which principals authenticate."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, Yes
from quartermaster.cli.output import confirm, minute, note, print_json, print_rows, say
from quartermaster.cli.session import Row, Session, open_session
from quartermaster.core.errors import QmError

_DURATION = re.compile(r"(\d{1,5})([hdw])")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
_LISTED = ("id", "principal", "label", "prefix", "state", "last_used_at", "expires_at")


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    key = typer.Typer(no_args_is_help=True, help="Manage the bearer keys of principals.")
    key.command("create")(create_command)
    key.command("list")(list_command)
    key.command("revoke")(revoke_command)
    app.add_typer(key, name="key")


def create_command(
    principal: Annotated[str, typer.Argument(help="Owner of the key; see qm principal list.")],
    label: Annotated[
        str, typer.Option(help="Purpose of the key; one live key for each label.")
    ] = "default",
    expires: Annotated[
        str | None, typer.Option(help="Lifetime (12h, 90d, 52w) or end as an ISO 8601 moment.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the present key of that label.")
    ] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Create a key and show it once; the database keeps only its digest."""
    from quartermaster.identity.new_key import NewKey

    key = NewKey()
    expires_at = None if expires is None else _moment(expires)
    with open_session(data_dir, dsn) as session:
        key_id: int = session.call_value(
            "put_key",
            principal=principal,
            label=label,
            prefix=key.prefix,
            key_hash=key.digest,
            expires_at=expires_at,
            replaces=replace,
        )
    if json:
        made = {"id": key_id, "principal": principal, "label": label, "prefix": key.prefix}
        print_json(made | {"expires_at": expires_at, "key": key.text})
        return
    until = f", valid until {expires_at:%Y-%m-%d %H:%M} UTC" if expires_at else ""
    note(f"Key {key_id} of {principal}{until}; it is not shown again:")
    # Standard output has only the key, for: TOKEN=$(qm key create NAME)
    typer.echo(key.text)


def list_command(
    principal: Annotated[str | None, typer.Argument(help="Only keys of this principal.")] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List the keys with their prefix, state and last use."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_keys", of_principal=principal)
    print_rows(rows, _LISTED, json, empty="No keys. Create one with: qm key create PRINCIPAL.")


def revoke_command(
    key: Annotated[str, typer.Argument(help="Id or prefix as listed, or the key itself.")],
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Revoke a key: its next request is refused. This cannot be undone."""
    with open_session(data_dir, dsn) as session:
        row = _find(session, key)
        if not json:
            used = (
                f"last used {minute(row['last_used_at'])}" if row["last_used_at"] else "never used"
            )
            say(
                f"Key {row['id']} ({row['prefix']}…), {row['label']} of {row['principal']}: "
                f"{row['state']}, {used}."
            )
        if not dry_run:
            confirm("This cannot be undone. Revoke the key?", yes=yes)
            row["revoked_at"] = session.call_value("revoke_key", key_id=row["id"])
    if json:
        print_json(row | {"revoked": not dry_run})
    elif not dry_run:
        say(f"Revoked. To create a new key: qm key create {row['principal']}.")


def _find(session: Session, key: str) -> Row:
    rows = session.call("list_keys")
    # A key starts with its prefix, so whoever finds a key can revoke it.
    found = [row for row in rows if str(row["id"]) == key or key.startswith(row["prefix"])]
    live = [row for row in found if row["state"] == "live"] or found
    if len(live) != 1:
        raise QmError(
            404 if not live else 409,
            "key_not_found" if not live else "key_ambiguous",
            "There is no such key." if not live else f"{len(live)} keys match.",
            "Give the id of one key; see qm key list.",
        )
    return live[0]


def _moment(text: str) -> datetime:
    if found := _DURATION.fullmatch(text):
        return datetime.now(UTC) + timedelta(**{_UNITS[found[2]]: int(found[1])})
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(
            f"--expires must be like 90d or 2027-01-31T12:00:00Z, got {text[:80]!r}."
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
