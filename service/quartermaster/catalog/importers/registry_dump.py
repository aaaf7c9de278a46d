"""Reads the server list from an MCP registry, which becomes catalog entries without connections."""

from __future__ import annotations

from typing import Any, Final, TypeGuard, cast

from quartermaster.catalog.importers.origin_definition import OriginDefinition

JsonObject = dict[str, Any]

_META_MEMBERS: Final = ("version", "title", "repository", "websiteUrl", "packages", "remotes")


def is_registry_dump(value: object) -> TypeGuard[JsonObject]:
    """Returns whether a value looks like ``{"servers": [{"server": {...}}, ...]}``."""
    return isinstance(value, dict) and isinstance(cast("JsonObject", value).get("servers"), list)


def read_servers(value: JsonObject) -> tuple[list[OriginDefinition], dict[str, str]]:
    """Returns catalog entries without connections, and rejections. If a name occurs more than once,
    its last entry is used.

    Args:
        value: the dump; each server may be nested in a member ``server``.

    Returns:
        The origins, and the reason for each rejection by the number of the server in the list. The
        packages and remotes of an origin are in its ``meta.registry``, so that it can be connected
        later.
    """
    origins: dict[str, OriginDefinition] = {}
    rejected: dict[str, str] = {}
    for number, entry in enumerate(cast("list[object]", value["servers"]), start=1):
        server = cast("JsonObject", entry) if isinstance(entry, dict) else {}
        if isinstance(server.get("server"), dict):
            server = cast("JsonObject", server["server"])
        name, description = server.get("name"), server.get("description", "")
        if not isinstance(name, str) or not name or not isinstance(description, str):
            rejected[f"number {number}"] = "expected {name, description}"
            continue
        arguments = {
            "name": name,
            "transport": "none",
            "description": description,
            "meta": {"registry": {key: server[key] for key in _META_MEMBERS if key in server}},
        }
        origins[name] = OriginDefinition(arguments, {}, {})
    return list(origins.values()), rejected
