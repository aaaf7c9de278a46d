"""Reads one server of a client's file, whichever names the client uses for the members."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final, cast
from urllib.parse import urlsplit

from quartermaster.catalog.importers.command_line import split_command, split_words
from quartermaster.clients.known import MEMBERS, TRANSPORTS, names_of

JsonObject = dict[str, Any]

_NAMES: Final = {member: names_of(member) for member in MEMBERS}
# Members by which clients switch a server off, with the value that does it.
_OFF_MEMBERS: Final = {
    "disabled": True,
    "isDisabled": True,
    "enabled": False,
    "isEnabled": False,
    "active": False,
    "isActive": False,
}
# Servers that are a part of the client itself.
_BUILT_IN: Final = frozenset({"builtin", "platform", "frontend", "inline_python", "extension"})
_LOOPBACK: Final = re.compile(r"(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)")


@dataclass(slots=True)
class ServerDefinition:
    """One server of a client's file.

    Attributes:
        transport: stdio, http or sse.
        command: program and arguments; empty for a server with a URL.
        url: the URL; empty for a local server.
        cwd: working directory of the program.
        environment: variables of the program.
        headers: headers of requests.
        description: description of the server in the file.
        is_off: whether the file says that the server is off.
        rest: the other members.
        repairs: sentences about the members that were repaired.
    """

    transport: str
    command: list[str]
    url: str
    cwd: str | None
    environment: dict[str, str]
    headers: dict[str, str]
    description: str
    is_off: bool
    rest: JsonObject
    repairs: list[str] = field(default_factory=list[str])


def read_server(server: object) -> ServerDefinition:
    """Reads one server.

    Raises:
        ValueError: the server cannot be understood; the message says why.
    """
    if not isinstance(server, dict):
        raise ValueError("the definition is not a JSON object")  # noqa: TRY004
    given = _flat(cast("JsonObject", server))
    taken = {member: _taken(given, names) for member, names in _NAMES.items()}
    is_off = any(_is(given.pop(member, None), value) for member, value in _OFF_MEMBERS.items())
    repairs: list[str] = []
    environment = _environment(given, taken["env"])
    headers = _headers(given, taken["headers"])
    command = _command(taken["command"], taken["args"], environment)
    url = _url(taken["url"], repairs)
    if not command and not url:
        _refuse_part_of_client(given)
    transport = _transport(taken["type"], command, url)
    if transport == "stdio":
        url = ""
    else:
        command = []
    return ServerDefinition(
        transport,
        command,
        url,
        _text(taken["cwd"], "cwd"),
        environment,
        headers,
        _text(taken["description"], "description") or "",
        is_off,
        given,
        repairs,
    )


def _flat(server: JsonObject) -> JsonObject:
    """Returns the members of a server on one level. Some clients nest them in further objects."""
    given = dict(server)
    for member in ("config", "command", "requestOptions", "transport", "server"):
        inner = given.get(member)
        if isinstance(inner, dict):
            del given[member]
            members = cast("JsonObject", inner)
            if member == "command" and "path" in members:
                members = {"command" if key == "path" else key: v for key, v in members.items()}
            given = members | given
    return given


def _refuse_part_of_client(given: JsonObject) -> None:
    """Refuses a server that is only a reference to an extension of the client (Zed), or to a block
    in the client's hub (Continue).
    """
    if "uses" in given:
        raise ValueError(f"it lies in the hub of the client ({given['uses']})")
    if given.get("source") == "extension" or "settings" in given:
        raise ValueError("it is a part of the client (extension)")


def _taken(given: JsonObject, names: tuple[str, ...]) -> object:
    """Removes a member under all its names, and returns the first value. A name with a different
    value is not removed.
    """
    found: object = None
    for name in names:
        value = given.get(name)
        if name in given and (found is None or value == found):
            found = given.pop(name)
    return found


def _is(value: object, expected: bool) -> bool:
    return value is expected or str(value).lower() == str(expected).lower()


def _command(command: object, args: object, environment: dict[str, str]) -> list[str]:
    if isinstance(command, list):
        line = [_scalar(part, "command") for part in cast("list[object]", command)]
        return [*line, *_args(args)]
    text = _text(command, "command")
    if text is None:
        return []
    variables, words = split_command(text, _args(args))
    for name, value in variables.items():
        environment.setdefault(name, value)
    return words


def _args(args: object) -> list[str]:
    if isinstance(args, str):
        return split_words(args)
    if args is not None and not isinstance(args, list):
        raise ValueError("args is not a list")
    return [_scalar(arg, "args") for arg in cast("list[object]", args or []) if arg is not None]


def _url(value: object, repairs: list[str]) -> str:
    url = (_text(value, "url") or "").strip()
    if url and "://" not in url and not url.startswith(("$", "{", "%")):
        url = f"{'http' if _LOOPBACK.match(url) else 'https'}://{url}"
        repairs.append(f"the URL has no scheme, so it is {url.split('/')[0]}//")
    scheme = url.partition("://")[0]
    if url and scheme.lower() not in {"http", "https"} and not scheme.startswith(("$", "{", "%")):
        raise ValueError(f"its URL begins with {scheme}://; give the one with http:// or https://")
    return url


def _transport(kind: object, command: list[str], url: str) -> str:
    written = _text(kind, "type")
    if written in _BUILT_IN:
        raise ValueError(f"it is a part of the client ({written})")
    transport = TRANSPORTS.get(written.lower().replace("-", "").replace("_", "")) if written else ""
    if transport is None:
        raise ValueError(f"{written!r} is not a transport; use stdio, http or sse")
    if command and url and not transport:
        raise ValueError("the server needs either a command or a url, and has both")
    if not command and not url:
        raise ValueError("the server needs either a command or a url")
    if transport and (transport == "stdio") != bool(command) and not (command and url):
        raise ValueError(
            f"type {written!r} cannot be combined with {'a command' if command else 'a url'}"
        )
    if transport:
        return transport
    if command:
        return "stdio"
    return "sse" if urlsplit(url).path.rstrip("/").endswith("/sse") else "http"


def _environment(given: JsonObject, env: object) -> dict[str, str]:
    """Returns the variables of a program. They may be written as an object, or as a list of
    NAME=VALUE, of names, or of objects.
    """
    found = _strings(env, "env", "=")
    # Names of variables that the client hands on from its own environment or keyring.
    handed = [*_list(given.pop("env_keys", None)), *_list(given.pop("env_vars", None))]
    for name in handed:
        found.setdefault(str(name), f"${{{name}}}")
    return found


def _headers(given: JsonObject, headers: object) -> dict[str, str]:
    found = _strings(headers, "headers", ":")
    by_variable = given.pop("env_http_headers", None)
    for name, variable in _strings(by_variable, "env_http_headers", "=").items():
        found.setdefault(name, f"${{env:{variable}}}")
    bearer = given.pop("bearer_token_env_var", None)
    if isinstance(bearer, str) and bearer:
        found.setdefault("Authorization", f"Bearer ${{env:{bearer}}}")
    for member in ("bearer_token", "bearerToken"):
        token = given.pop(member, None)
        if isinstance(token, str) and token:
            found.setdefault("Authorization", f"Bearer {token}")
    return found


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _strings(value: object, what: str, sign: str) -> dict[str, str]:
    if isinstance(value, list):
        return _from_list(cast("list[object]", value), what, sign)
    if not isinstance(value, dict):
        if value in (None, ""):
            return {}
        raise ValueError(f"{what} is not an object")
    items = cast("dict[object, object]", value).items()
    return {str(name): _scalar(one, f"{what}.{name}") for name, one in items if one is not None}


def _from_list(value: list[object], what: str, sign: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in value:
        pair = cast("JsonObject", one) if isinstance(one, dict) else {}
        name: object = pair.get("name", pair.get("key"))
        if isinstance(name, str):
            found[name] = _scalar(pair.get("value", ""), f"{what}.{name}")
        elif isinstance(one, str) and sign in one:
            key, _, text = one.partition(sign)
            found[key.strip()] = text.strip() if sign == ":" else text
        elif isinstance(one, str) and what == "env" and one.isidentifier():
            found[one] = f"${{{one}}}"
        else:
            raise ValueError(f"{what} is not an object")
    return found


def _scalar(value: object, where: str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int, float)):
        return str(value)
    raise ValueError(f"{where} is not text")


def _text(value: object, what: str) -> str | None:
    if value is not None and (not isinstance(value, str) or (not value and what == "command")):
        raise ValueError(f"{what} is not text")
    return value or None
