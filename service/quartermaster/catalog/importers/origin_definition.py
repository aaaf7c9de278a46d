"""Converts a server in an MCP client's configuration to an origin."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit, urlunsplit

from quartermaster.catalog.importers.proposed_sandbox import propose_sandbox
from quartermaster.catalog.importers.server_members import ServerDefinition, read_server
from quartermaster.guardrails.secret_names import (
    hide_in_arguments,
    hide_in_url,
    is_secret_name,
    is_secret_value,
)
from quartermaster.secrets.locators import (
    OriginLocators,
    UnknownVariableError,
    plain_name,
    with_one_notation,
    workspace_of,
)
from quartermaster.secrets.references import REFERENCE, reference

JsonObject = dict[str, Any]

# The member of an origin's meta that says how to connect a server that is off.
OFF_MEMBER = "off"
# Their arguments may be scripts, in which variables are for the shell.
_SHELLS = frozenset({"sh", "bash", "zsh", "fish", "dash", "cmd", "cmd.exe", "powershell", "pwsh"})


@dataclass(frozen=True, slots=True)
class OriginDefinition:
    """An origin as defined in a configuration.

    Attributes:
        arguments: arguments for api.add_origin except ``replace``, with locators and references
            instead of secrets; the sandbox is a proposal. A server that is off has the transport
            ``none``, and its connection is in ``meta``.
        secrets: values to put in the secret store, by name.
        missing: maps each locator whose value must be set by hand to the reason.
    """

    arguments: JsonObject
    secrets: Mapping[str, str] = field(repr=False)
    missing: Mapping[str, str]

    @property
    def name(self) -> str:
        """The name of the origin."""
        return self.arguments["name"]

    @property
    def foreign_secrets(self) -> list[str]:
        """The secrets that the definition names although they are not stored under the origin's own
        name.
        """
        given = {name: one for name, one in self.arguments.items() if name != "description"}
        named = (name for text in _texts(given) for name in _secrets_in(text))
        own = f"{plain_name(self.name)}/"
        return sorted({name for name in named if not name.startswith(own)})

    @property
    def is_off(self) -> bool:
        """Whether the server is switched off in the file."""
        return OFF_MEMBER in self.arguments["meta"]


def _texts(value: object) -> Iterator[str]:
    """Yields every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for member in cast("JsonObject", value).values():
            yield from _texts(member)
    elif isinstance(value, list):
        for member in cast("list[object]", value):
            yield from _texts(member)


def _secrets_in(text: str) -> list[str]:
    """Returns the names of the secrets to which a text refers. The text may be a locator, or
    contain references.
    """
    locators = [text, *REFERENCE.findall(text)]
    return [one.removeprefix("secret:") for one in locators if one.startswith("secret:")]


def define_origin(
    name: str,
    server: object,
    file: Path | None,
    warnings: list[str],
    *,
    is_off: bool = False,
) -> OriginDefinition:
    """Converts one server in a configuration to an origin.

    Args:
        name: name of the server.
        server: its definition, in the form of any client; see `server_members.read_server`.
        file: path of the configuration, for ``${workspaceFolder}``.
        warnings: list to which notes about repaired and unknown members are added. Unknown members
            are kept in the origin's ``meta``.
        is_off: whether the server is off even if its definition does not say so.

    Raises:
        ValueError: the definition is invalid; the message says why.
    """
    read = read_server(server)
    credentials = OriginLocators(name, file)
    try:
        _read_env_file(read, file)
        arguments = _arguments(read, credentials)
    except UnknownVariableError as unknown:
        raise ValueError(
            f"{unknown} has no value here; set it in the environment, or replace it by a value"
        ) from None
    warnings += [f"{name}: {sentence}" for sentence in read.repairs]
    meta = cast("JsonObject", _without_secrets(read.rest, credentials))
    if meta:
        members = ", ".join(sorted(meta))
        warnings.append(f"{name}: these members are only kept in meta, and not used: {members}")
    if is_off or read.is_off:
        description = arguments.pop("description")
        # The sandbox is proposed again when the server is switched on.
        arguments.pop("sandbox", None)
        meta[OFF_MEMBER] = arguments
        arguments = {"transport": "none", "description": description}
    arguments |= {"name": name, "meta": meta}
    return OriginDefinition(arguments, credentials.values, credentials.missing)


def switched_on(origin: Mapping[str, Any]) -> JsonObject:
    """Returns the arguments for api.add_origin that switch on an origin that is off.

    Args:
        origin: the origin, as api.get_origin describes it.
    """
    meta = dict(origin["meta"])
    arguments: JsonObject = {**meta.pop(OFF_MEMBER), "name": origin["name"], "meta": meta}
    arguments["description"] = origin["description"]
    if sandbox := propose_sandbox(arguments.get("command", []), arguments.get("cwd")):
        arguments["sandbox"] = sandbox
    return arguments


def _arguments(server: ServerDefinition, credentials: OriginLocators) -> JsonObject:
    arguments: JsonObject = {"description": server.description, "transport": server.transport}
    if server.transport == "stdio":
        arguments["command"] = _command(server, credentials)
        if server.cwd is not None:
            cwd = credentials.expanded(with_one_notation(server.cwd))
            arguments["cwd"] = str(Path(cwd).expanduser())
        if sandbox := propose_sandbox(arguments["command"], arguments.get("cwd")):
            arguments["sandbox"] = sandbox
    else:
        arguments["url"] = _url(server, credentials)
    arguments["environment"] = {
        key: credentials.locator(key, value) for key, value in server.environment.items()
    }
    headers = dict(server.headers)
    for key in [key for key in headers if key.lower() == "authorization"]:
        if (locator := credentials.bearer_locator(headers[key])) is not None:
            arguments["auth_reference"] = locator
            del headers[key]
    arguments["headers"] = {key: credentials.locator(key, value) for key, value in headers.items()}
    return arguments


def _read_env_file(server: ServerDefinition, file: Path | None) -> None:
    """Adds the variables in the file that the server names as envFile, if this file is in the
    folder of the configuration. The server gets the content of this file, so the author of the
    configuration must not be able to choose any other file.
    """
    named = server.rest.get("envFile")
    if not isinstance(named, str) or file is None:
        return
    root = workspace_of(file)
    path = root / named.replace("${workspaceFolder}", str(root))
    unread = f"the variables in {named} were not read"
    try:
        if not path.resolve().is_relative_to(root.resolve()):
            server.repairs.append(f"{unread}, because it does not lie in {root}")
            return
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        server.repairs.append(f"{unread}: {error.strerror}")
        return
    except UnicodeDecodeError:
        server.repairs.append(f"{unread}: it is not UTF-8")
        return
    del server.rest["envFile"]
    server.repairs.append(f"the variables in {path} are stored as secrets")
    for line in lines:
        name, equals, value = line.removeprefix("export ").partition("=")
        if equals and name.strip().isidentifier():
            server.environment.setdefault(name.strip(), value.strip().strip("\"'"))


def _command(server: ServerDefinition, credentials: OriginLocators) -> list[str]:
    own = set(server.environment)
    hide = _Hidden(credentials, own)
    program, *args = server.command
    hidden = hide_in_arguments(args, hide)
    if Path(program).name.lower() in _SHELLS:
        return [program, *hidden]
    program = str(Path(program).expanduser()) if program.startswith("~") else program
    return [hide.expanded(part) for part in (program, *hidden)]


def _url(server: ServerDefinition, credentials: OriginLocators) -> str:
    parts = urlsplit(with_one_notation(server.url))
    user, at, host = parts.netloc.rpartition("@")
    if at and not any(key.lower() == "authorization" for key in server.headers):
        plain = unquote(user) if ":" in user else f"{unquote(user)}:"
        basic = base64.b64encode(credentials.expanded(plain).encode()).decode()
        server.headers["Authorization"] = f"Basic {basic}"
    # An address without a host cannot be checked, so the host must be known now.
    front = credentials.expanded(f"{parts.scheme}://{host}" if parts.scheme else parts.path)
    path = parts.path if parts.scheme else ""
    rest = urlunsplit(("", "", path, parts.query, parts.fragment))
    hide = _Hidden(credentials)
    return hide.expanded(hide_in_url(front + rest, hide))


def _without_secrets(value: object, credentials: OriginLocators, name: str = "") -> object:
    """Returns a value in which locators replace the secrets. The function is used for members that
    Quartermaster does not know. They are stored, but have no effect.
    """
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        return {key: _without_secrets(one, credentials, key) for key, one in members.items()}
    if isinstance(value, list):
        return [_without_secrets(one, credentials, name) for one in cast("list[object]", value)]
    if isinstance(value, str) and is_secret_value(name, value):
        return credentials.locator(name, value)
    if isinstance(value, str):
        hide = _Hidden(credentials)
        return hide_in_url(value, hide) if "://" in value else value
    return value


class _Hidden:
    """Moves secrets to the credentials of an origin; see `secret_names.Hide`."""

    def __init__(self, credentials: OriginLocators, own: Collection[str] = ()) -> None:
        self._credentials = credentials
        self._own = own
        self._made: set[str] = set()

    def __call__(self, name: str, value: str) -> str:
        """Stores a secret, and returns the reference to it."""
        plain = with_one_notation(value)
        if "${" in plain:
            # The secret is in a variable already.
            made = self._credentials.text(plain, lambda _: True, self._own)
        else:
            made = reference(f"secret:{self._credentials.keep(name, value)}")
        self._made.update(match.group() for match in REFERENCE.finditer(made))
        return made

    def expanded(self, text: str) -> str:
        """Replaces the variables in a text by their values, and returns the text. References to
        secrets stay.
        """
        pieces: list[str] = []
        last = 0
        for match in REFERENCE.finditer(text):
            if match.group() in self._made:
                pieces += [self._text(text[last : match.start()]), match.group()]
                last = match.end()
        return "".join([*pieces, self._text(text[last:])])

    def _text(self, text: str) -> str:
        return self._credentials.text(text, is_secret_name, self._own)
