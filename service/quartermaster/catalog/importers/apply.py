"""Adds the origins in a configuration to the catalog, and their credentials to the secret store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from quartermaster.catalog.importers.origin_definition import OriginDefinition
from quartermaster.core.errors import QmError
from quartermaster.secrets.store import SecretStore

if TYPE_CHECKING:
    from quartermaster.db import Database, Principal

Outcome = Literal["added", "changed", "unchanged", "rejected"]
SyncCall = Callable[..., list[dict[str, Any]]]

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
        outcome: what was done; origins that are ``unchanged`` are refreshed, too.
        refresh_id: id of its open refresh; None if it was rejected or has no connection.
        reason: why the definition was rejected.
    """

    name: str
    outcome: Outcome
    refresh_id: int | None = None
    reason: str | None = None


def apply_origins(
    definitions: Iterable[OriginDefinition], call: SyncCall, secrets: SecretStore
) -> list[AppliedOrigin]:
    """Add origins, or replace origins with the same name and another definition.

    Args:
        definitions: origin definitions in a configuration.
        call: function that calls an api function with arguments, such as
            `cli.session.Session.call`.
        secrets: secret store for the values; a rejected origin keeps its earlier values.

    Returns:
        A result for each definition. A rejected definition does not prevent the others from being
        added.

    Raises:
        QmError: QM503 if the database is unavailable.
    """
    return [_apply(definition, call, secrets) for definition in definitions]


async def apply_origins_async(
    definitions: Iterable[OriginDefinition],
    database: Database,
    principal: Principal,
    secrets: SecretStore,
) -> list[AppliedOrigin]:
    """Like `apply_origins`, but uses the service's connections and acts as the principal."""
    import anyio.from_thread
    import anyio.to_thread

    def call(operation: str, **arguments: object) -> list[dict[str, Any]]:
        return anyio.from_thread.run(lambda: database.call(operation, principal, **arguments))

    return await anyio.to_thread.run_sync(apply_origins, definitions, call, secrets)


def new_grants(
    definitions: Iterable[OriginDefinition], call: SyncCall
) -> dict[str, dict[str, Any]]:
    """Return the sandboxes that `apply_origins` would grant to new or changed programs, by name.

    Raises:
        QmError: QM503 if the database is unavailable.
    """
    found: dict[str, dict[str, Any]] = {}
    for definition in definitions:
        proposed = definition.arguments.get("sandbox")
        if proposed and "sandbox" not in _compare(definition, call)[1]:
            found[definition.name] = proposed
    return found


def replaced_origins(definition: OriginDefinition, call: SyncCall) -> dict[str, bool]:
    """Return the origins that `apply_origins` would replace by one definition: for each name,
    whether it is a starter. An origin with the same definition is not replaced.

    Raises:
        QmError: QM503 if the database is unavailable.
    """
    if _compare(definition, call)[0] == "unchanged":
        return {}
    given = definition.arguments
    rows = call("find_replaced", name=definition.name, command=given.get("command", []))
    return {row["origin"]: row["is_starter"] for row in rows}


def _apply(definition: OriginDefinition, call: SyncCall, secrets: SecretStore) -> AppliedOrigin:
    try:
        outcome, kept = _compare(definition, call)
        # Secrets are stored before the origin, because its first refresh needs them.
        for name, value in definition.secrets.items():
            secrets.put(name, value)
        if outcome != "unchanged":
            call("add_origin", **definition.arguments | kept, replace=True)
        if definition.arguments["transport"] == "none":
            return AppliedOrigin(definition.name, outcome)
        [refresh] = call("request_refresh", name=definition.name)
    except QmError as error:
        if error.status == 503:
            raise
        return AppliedOrigin(definition.name, "rejected", reason=error.message)
    return AppliedOrigin(definition.name, outcome, refresh["refresh_id"])


def _compare(
    definition: OriginDefinition, call: SyncCall
) -> tuple[Literal["added", "changed", "unchanged"], dict[str, Any]]:
    """Return the outcome, and the existing values that files of other programs do not contain and
    that are therefore kept."""
    try:
        [row] = call("get_origin", name=definition.name)
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
