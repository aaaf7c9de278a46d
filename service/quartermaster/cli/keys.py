"""``qm key``: the bearer keys with which principals come in."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from quartermaster.cli.options import DryRun, Yes
from quartermaster.cli.output import err, out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, Row, Session, open_session
from quartermaster.core.errors import QmError

_DURATION = re.compile(r"(\d{1,5})([hdw])")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
_LISTED = ("id", "principal", "label", "prefix", "state", "last_used_at", "expires_at")


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    key = typer.Typer(no_args_is_help=True, help="Bearer keys of principals.")
    key.command("create")(create_command)
    key.command("list")(list_command)
    key.command("revoke")(revoke_command)
    app.add_typer(key, name="key")


def create_command(
    principal: Annotated[str, typer.Argument(help="Whose key: see qm principal list.")],
    label: Annotated[str, typer.Option(help="What it is for; one live key a label.")] = "default",
    expires: Annotated[
        str | None, typer.Option(help="When: 12h, 90d, 52w, or a moment in ISO 8601.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Instead of the key of that label.")
    ] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Make a key; it is shown this once, the database keeps its digest only."""
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
    until = f", until {expires_at:%Y-%m-%d %H:%M} UTC" if expires_at else ""
    err.print(f"Key {key_id} of {principal}{until}; it is not shown again:", markup=False)
    # Alone on standard output, for: TOKEN=$(qm key create NAME)
    typer.echo(key.text)


def list_command(
    principal: Annotated[str | None, typer.Argument(help="Only this one's.")] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """List the keys: by what they begin with, and whether they let anybody in."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_keys", of_principal=principal)
    if json:
        print_json(rows)
        return
    print_table(_LISTED, [[row[column] for column in _LISTED] for row in rows])


def revoke_command(
    key: Annotated[str, typer.Argument(help="Id or prefix, as listed; or the key itself.")],
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Revoke a key: its next request is refused."""
    with open_session(data_dir, dsn) as session:
        row = _find(session, key)
        if not json:
            used = f"last used {row['last_used_at']:%Y-%m-%d %H:%M}" if row["last_used_at"] else ""
            out.print(
                f"Key {row['id']} ({row['prefix']}…), {row['label']} of {row['principal']}: "
                f"{row['state']}, {used or 'never used'}.",
                markup=False,
            )
        if not dry_run:
            if not yes:
                typer.confirm("Really revoke it?", abort=True, err=True)
            row["revoked_at"] = session.call_value("revoke_key", key_id=row["id"])
    if json:
        print_json(row | {"revoked": not dry_run})
    elif not dry_run:
        out.print("Revoked.")


def _find(session: Session, key: str) -> Row:
    rows = session.call("list_keys")
    # A whole key begins with its prefix: who finds one can revoke it.
    found = [row for row in rows if str(row["id"]) == key or key.startswith(row["prefix"])]
    live = [row for row in found if row["state"] == "live"] or found
    if len(live) != 1:
        raise QmError(
            404 if not live else 409,
            "key_not_found" if not live else "key_ambiguous",
            "There is no such key." if not live else f"{len(live)} keys begin like this.",
            "List keys with: qm key list. Name one by its id.",
        )
    return live[0]


def _moment(text: str) -> datetime:
    if found := _DURATION.fullmatch(text):
        return datetime.now(UTC) + timedelta(**{_UNITS[found[2]]: int(found[1])})
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(
            f"--expires is {text[:80]!r}: write 90d or 2027-01-31T12:00:00Z"
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
