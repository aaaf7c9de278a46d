"""Adds the origins in a configuration to the catalog, and stores their credentials in the secret
store.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from quartermaster import api
from quartermaster.catalog.importers.origin_definition import OriginDefinition
from quartermaster.core.api_call import ApiCaller
from quartermaster.core.errors import QmError
from quartermaster.secrets.store import SecretStore

if TYPE_CHECKING:
    from quartermaster.db import Database, Principal

Outcome = Literal["added", "changed", "unchanged", "rejected"]

# Columns of catalog.origin that a definition sets, with their defaults.
_COLUMNS: Final[dict[str, Any]] = {
    "transport": None,
    "command": [],
    "url": None,
    "cwd": None,
    "environment": {},
    "headers": {},
    "auth_reference": None,
    "meta": {},
}


@dataclass(frozen=True, slots=True)
class AppliedOrigin:
    """The result for one definition.

    Attributes:
        name: name of the origin.
        outcome: the change that was made. Origins that are ``unchanged`` are refreshed, too.
        refresh_id: id of the requested refresh; None if the definition was rejected or has no
            connection.
        reason: why the definition was rejected, or why the origin has no connection.
    """

    name: str
    outcome: Outcome
    refresh_id: int | None = None
    reason: str | None = None


def apply_origins(
    definitions: Iterable[OriginDefinition], caller: ApiCaller, secrets: SecretStore
) -> list[AppliedOrigin]:
    """Adds origins. An existing origin with the same name and a different definition is replaced.

    Args:
        definitions: origin definitions in a configuration.
        caller: caller of api functions, such as a session of a command.
        secrets: secret store for the values; a rejected origin keeps its earlier values.

    Returns:
        A result for each definition. A rejected definition does not prevent the others from being
        added.

    Raises:
        QmError: QM503 if the database is unavailable.
    """
    return [_apply(definition, caller, secrets) for definition in definitions]


async def apply_origins_async(
    definitions: Iterable[OriginDefinition],
    database: Database,
    principal: Principal,
    secrets: SecretStore,
) -> list[AppliedOrigin]:
    """Adds or replaces origins like `apply_origins`, but uses the service's connections, and acts
    on behalf of a principal.
    """
    import anyio.to_thread

    from quartermaster.db.from_thread import FromThread

    caller = FromThread(database, principal)
    return await anyio.to_thread.run_sync(apply_origins, definitions, caller, secrets)


def new_grants(
    definitions: Iterable[OriginDefinition], caller: ApiCaller
) -> dict[str, dict[str, Any]]:
    """Returns the sandboxes that `apply_origins` would grant to new or changed programs, by the
    name of the origin.

    Raises:
        QmError: QM503 if the database is unavailable.
    """
    found: dict[str, dict[str, Any]] = {}
    for definition in definitions:
        proposed = definition.arguments.get("sandbox")
        if proposed and "sandbox" not in _compare(definition, caller)[1]:
            found[definition.name] = proposed
    return found


def foreign_secrets(
    definitions: Collection[OriginDefinition], caller: ApiCaller
) -> dict[str, list[str]]:
    """Returns, for each new or changed origin by name, the secrets that the origin would get
    although they are not stored under its own name.

    Raises:
        QmError: QM503 if the database is unavailable.
    """
    found = {one.name: one.foreign_secrets for one in definitions}
    return {
        one.name: found[one.name]
        for one in definitions
        if found[one.name] and _compare(one, caller)[0] != "unchanged"
    }


def replaced_origins(definition: OriginDefinition, caller: ApiCaller) -> dict[str, bool]:
    """Returns the origins that `apply_origins` would replace by a definition. The result maps the
    name of each origin to whether it is a starter. An origin with the same definition is not
    replaced.

    Raises:
        QmError: QM503 if the database is unavailable.
    """
    if _compare(definition, caller)[0] == "unchanged":
        return {}
    given = definition.arguments
    rows = caller.call(api.find_replaced(name=definition.name, command=given.get("command", [])))
    return {row["origin"]: row["is_starter"] for row in rows}


def _apply(definition: OriginDefinition, caller: ApiCaller, secrets: SecretStore) -> AppliedOrigin:
    try:
        outcome, retained = _compare(definition, caller)
        # Secrets are stored before the origin, because its first refresh needs them.
        for name, value in definition.secrets.items():
            secrets.put(name, value)
        if outcome != "unchanged":
            caller.call(api.add_origin(**definition.arguments | retained, replace=True))
        if definition.arguments["transport"] == "none":
            off = f"it is off; to switch it on: qm origin enable {shlex.quote(definition.name)}"
            reason = off if definition.is_off and outcome != "unchanged" else None
            return AppliedOrigin(definition.name, outcome, reason=reason)
        [refresh] = caller.call(api.request_refresh(name=definition.name))
    except QmError as error:
        if error.status == 503:
            raise
        return AppliedOrigin(definition.name, "rejected", reason=error.message)
    return AppliedOrigin(definition.name, outcome, refresh["refresh_id"])


def _compare(
    definition: OriginDefinition, caller: ApiCaller
) -> tuple[Literal["added", "changed", "unchanged"], dict[str, Any]]:
    """Returns the outcome for a definition, and the values of the existing origin to keep. These
    values are kept, because files of other programs cannot contain them.
    """
    try:
        [row] = caller.call(api.get_origin(name=definition.name))
    except QmError as error:
        if error.slug == "origin_not_found":
            return "added", {}
        raise
    known = next(iter(row.values()))
    given = definition.arguments
    if given["transport"] == "none" != known["transport"]:
        # A catalog entry without a connection does not remove an existing connection.
        return "unchanged", {}
    same = all(known[name] == given.get(name, empty) for name, empty in _COLUMNS.items())
    same = same and given["description"] in {"", known["description"]}
    stays = ["tls", "auth"] if known["transport"] == given["transport"] else []
    if all(known[name] == given.get(name, _COLUMNS[name]) for name in ("command", "cwd")):
        stays.append("sandbox")
    return "unchanged" if same else "changed", {key: known[key] for key in stays}
