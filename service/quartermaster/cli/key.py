"""``qm key``: manages the bearer keys with which principals authenticate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer
from typer import Argument

from quartermaster import api
from quartermaster.cli.command import Command, Decision, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import minute
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError

_DURATION = re.compile(r"(\d{1,5})([hdw])")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
_LISTED_COLUMNS = ("id", "principal", "label", "prefix", "state", "last_used_at", "expires_at")

noun = Noun("Manage the bearer keys of principals.")


@noun.verb()
def create_command(
    qm: Qm,
    principal: Annotated[str, "Owner of the key; see qm principal list."],
    label: Annotated[
        str,
        "Label that says what the key is for. A principal can have at most one valid key with a"
        " given label.",
    ] = "default",
    expires: Annotated[str | None, "Lifetime (12h, 90d, 52w) or expiry time (ISO 8601)."] = None,
    replace: Annotated[bool, "Replace the current key that has this label."] = False,
) -> Row:
    """Create a key and show it once. The database stores only its digest."""
    from quartermaster.identity.new_key import NewKey

    key = NewKey()
    made: dict[str, Any] = {"principal": principal, "label": label, "prefix": key.prefix}
    made["expires_at"] = expires_at = None if expires is None else _moment(expires)
    number: int = qm.call_value(api.put_key(**made, key_hash=key.digest, replaces=replace))
    until = f", valid until {expires_at:%Y-%m-%d %H:%M} UTC" if expires_at else ""
    qm.note(f"Key {number} of {principal}{until}; it will not be shown again:")
    if not qm.json:
        # Standard output contains only the key, for: TOKEN=$(qm key create NAME)
        typer.echo(key.text)
    return {"id": number, **made, "key": key.text}


@noun.verb()
def list_command(
    qm: Qm, principal: Annotated[str | None, "Only keys of this principal.", Argument()] = None
) -> Sequence[Row]:
    """List the keys with their prefix, state and last use."""
    rows = qm.read(api.list_keys(of_principal=principal))
    return qm.table(
        rows, _LISTED_COLUMNS, empty="No keys. Create one with: qm key create PRINCIPAL."
    )


@noun.verb()
def revoke_command(
    qm: Decision,
    key: Annotated[str, "Id or prefix of the key (see qm key list), or the key itself."],
) -> Row:
    """Revoke a key, so that all further requests with it are refused. This cannot be undone."""
    row = _find(qm, key)
    used = f"last used {minute(row['last_used_at'])}" if row["last_used_at"] else "never used"
    qm.say(
        f"Key {row['id']} ({row['prefix']}…), {row['label']} of {row['principal']}: "
        f"{row['state']}, {used}."
    )
    if qm.confirmed("This cannot be undone. Revoke the key?"):
        row = {**row, "revoked_at": qm.call_value(api.revoke_key(key_id=row["id"]))}
        qm.say(f"Revoked. To create a new key: qm key create {row['principal']}.")
    return {**row, "revoked": not qm.dry_run}


def _find(qm: Command, key: str) -> Row:
    rows = qm.call(api.list_keys())
    # A key starts with its prefix, so an administrator who finds a key can revoke it.
    found = [row for row in rows if str(row["id"]) == key or key.startswith(row["prefix"])]
    live = [row for row in found if row["state"] == "live"] or found
    hint = "Enter the id of one key; see qm key list."
    if not live:
        raise QmError(404, "key_not_found", "There is no such key.", hint)
    if len(live) > 1:
        raise QmError(409, "key_ambiguous", f"{len(live)} keys match.", hint)
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
