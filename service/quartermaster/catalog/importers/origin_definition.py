"""Converts a server in an MCP client's configuration to an origin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlsplit

from quartermaster.catalog.importers.proposed_sandbox import propose_sandbox
from quartermaster.secrets.locators import Credentials, UnknownVariableError

JsonObject = dict[str, Any]

_TRANSPORTS: Final = {
    "stdio": "stdio",
    "http": "http",
    "streamable-http": "http",
    "streamablehttp": "http",
    "streamable_http": "http",
    "sse": "sse",
}
_KNOWN: Final = frozenset(
    {"command", "args", "env", "url", "headers", "type", "transport", "cwd", "description"}
)


@dataclass(frozen=True, slots=True)
class OriginDefinition:
    """An origin as defined in a configuration.

    Attributes:
        arguments: arguments for api.add_origin except ``replace``, with locators instead of
            secrets; the sandbox is a proposal.
        secrets: values to put in the secret store, by name.
        missing: locators whose values somebody has to set, with the reasons.
    """

    arguments: JsonObject
    secrets: Mapping[str, str] = field(repr=False)
    missing: Mapping[str, str]

    @property
    def name(self) -> str:
        """The name of the origin."""
        return self.arguments["name"]


def define_origin(
    name: str, server: object, file: Path | None, warnings: list[str]
) -> OriginDefinition:
    """Convert one server in a configuration to an origin.

    Args:
        name: name of the server.
        server: its definition, ``{command, args, env, cwd}`` or ``{url, headers, type}``.
        file: path of the configuration, for ``${workspaceFolder}``.
        warnings: list to which unknown members are added; they are kept in the origin's ``meta``.

    Raises:
        ValueError: the definition is invalid; the message says why.
    """
    if not isinstance(server, dict):
        raise ValueError("the definition is not a JSON object")  # noqa: TRY004
    given = cast("JsonObject", server)
    if given.get("disabled") is True:
        raise ValueError("the server is disabled in the file")
    credentials = Credentials(name, file)
    try:
        arguments = _arguments(given, credentials)
    except UnknownVariableError as reference:
        raise ValueError(
            f"{reference} has no value here; set it in the environment, or replace it by a value"
        ) from None
    unknown = {key: value for key, value in given.items() if key not in _KNOWN}
    if unknown:
        members = ", ".join(sorted(unknown))
        warnings.append(f"{name}: these members are unknown and are kept only in meta: {members}")
    arguments |= {"name": name, "meta": unknown}
    return OriginDefinition(arguments, credentials.values, credentials.missing)


def _arguments(given: JsonObject, credentials: Credentials) -> JsonObject:
    command, url = _text(given, "command"), _text(given, "url")
    if (command is None) == (url is None):
        raise ValueError("the server needs either a command or a url")
    kind = _text(given, "type") or _text(given, "transport")
    transport = _TRANSPORTS.get(kind.lower()) if kind else None
    if kind and transport is None:
        raise ValueError(f"{kind!r} is not a transport; use stdio, http or sse")
    if (transport == "stdio") != (command is not None) and transport is not None:
        raise ValueError(
            f"type {kind!r} cannot be combined with {'a command' if command else 'a url'}"
        )
    arguments: JsonObject = {"description": _text(given, "description") or ""}
    if command is not None:
        arguments["transport"] = "stdio"
        arguments["command"] = [credentials.expanded(part) for part in (command, *_args(given))]
        if (cwd := _text(given, "cwd")) is not None:
            arguments["cwd"] = credentials.expanded(cwd)
        if sandbox := propose_sandbox(arguments["command"], arguments.get("cwd")):
            arguments["sandbox"] = sandbox
    else:
        arguments["url"] = credentials.expanded(url or "")
        path = urlsplit(arguments["url"]).path.rstrip("/")
        arguments["transport"] = transport or ("sse" if path.endswith("/sse") else "http")
    arguments["environment"] = {
        key: credentials.locator(key, value) for key, value in _strings(given, "env").items()
    }
    headers = _strings(given, "headers")
    for key in [key for key in headers if key.lower() == "authorization"]:
        if (locator := credentials.bearer_locator(headers[key])) is not None:
            arguments["auth_reference"] = locator
            del headers[key]
    arguments["headers"] = {key: credentials.locator(key, value) for key, value in headers.items()}
    return arguments


def _args(given: JsonObject) -> list[str]:
    args: object = given.get("args") or []
    if not isinstance(args, list):
        raise ValueError("args is not a list")  # noqa: TRY004
    return [_scalar(arg, "args") for arg in cast("list[object]", args)]


def _strings(given: JsonObject, key: str) -> dict[str, str]:
    found: object = given.get(key) or {}
    if not isinstance(found, dict):
        raise ValueError(f"{key} is not an object")  # noqa: TRY004
    items = cast("dict[str, object]", found).items()
    return {name: _scalar(value, f"{key}.{name}") for name, value in items if value is not None}


def _scalar(value: object, where: str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int, float)):
        return str(value)
    raise ValueError(f"{where} is not text")


def _text(given: JsonObject, key: str) -> str | None:
    value = given.get(key)
    if value is not None and (not isinstance(value, str) or not value):
        raise ValueError(f"{key} is not text")
    return value
