"""``qm origin``: manages the servers that tools come from."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal
from urllib.parse import quote

import typer
from typer import Argument, Option

from quartermaster import api
from quartermaster.cli.command import (
    Command,
    Consent,
    Decision,
    DryRunCommand,
    Local,
    PlainCommand,
    Qm,
)
from quartermaster.cli.credential_prompt import missing_values, open_store
from quartermaster.cli.grants import (
    allow_networks,
    confirm_grants,
    granted,
    note_network,
    shared_network,
)
from quartermaster.cli.making_room import replaced_starters, say_replaced
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import AsOf, OriginName, Reason, Wait
from quartermaster.cli.output import note, tallied
from quartermaster.cli.repair import ArgumentOptions, Undo, repair, show_repairs
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import finish_refreshes, problem_of, start_text, starts_of
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    from quartermaster.catalog.importers.origin_definition import OriginDefinition

_SHOWN_ITEMS: Final = 10
_APPROVAL_NOTES: Final = {
    "none": "No tool requires approval.",
    "changes": "Tools require approval after a change.",
    "all": "New and changed tools require approval.",
}

noun = Noun("Manage the servers that tools come from.")
_GRANTS = {"login": "authorization_code", "client": "client_credentials", "signed": "signed"}
Whose = Annotated[
    str | None,
    "Principal to whom the login belongs, if each principal has their own login.",
    Option("--principal"),
]


@noun.verb()
def list_command(qm: Qm, as_of: AsOf = None) -> Sequence[Row]:
    """List the servers."""
    rows = qm.read(api.list_origins(as_of=as_of))
    starts = {} if as_of is not None else starts_of(qm)
    now = ("name", "transport", "status", "items", "refreshed_at")
    then = ("name", "transport", "items", "description")
    empty = "No servers. Add some with: qm import FILE, or: qm origin add NAME -- PROGRAM."
    shown = [row | {"items": tallied(row["items"])} for row in rows]
    qm.table(shown, now if as_of is None else then, empty=empty)
    for row in rows:
        if row["name"] in starts:
            qm.say(f"{row['name']}: {start_text(starts[row['name']])}")
        elif problem := problem_of(row):
            qm.say(f"{row['name']}: {problem}")
    return rows


@noun.verb()
def show_command(qm: Qm, name: OriginName) -> Row:
    """Show a server: its connection, its last refresh and its items."""
    origin: dict[str, Any] = qm.call_value(api.get_origin(name=name))
    risk = ""
    if origin["transport"] == "stdio":
        from quartermaster.upstream.confinement import confinement

        # Without a network, it does not matter which one the sandbox would have.
        cut = {"network": "none"} if origin["sandbox"].get("network") == "none" else {}
        origin["confinement"] = confinement().as_dict() | cut
        risk = confinement().describe() if confinement().kind == "none" else ""
    if qm.json:
        return origin
    apart = {"items", "last_refresh", "breaker", "paused"}
    facts = {fact: value for fact, value in origin.items() if fact not in apart}
    starts = starts_of(qm)
    now = {"now": start_text(starts[name])} if name in starts else {}
    qm.facts("origin", name, facts | now | _login(qm, origin))
    if risk:
        qm.say(risk)
    for part in ("breaker", "last_refresh"):
        if origin[part]:
            qm.facts(part.replace("_", " "), "", origin[part])
    qm.table(origin["paused"], ("principal", "until", "because"), title="paused for")
    qm.table(origin["items"], ("kind", "name", "version", "status", "deprecated_at", "brief"))
    return origin


@noun.verb()
def refresh_command(
    qm: Qm,
    name: Annotated[str | None, "Name of the origin; default: all origins.", Argument()] = None,
    wait: Wait = True,
) -> Sequence[Row]:
    """Read the tools of one server or all servers again, in a new session if a server has a URL.

    The program of a local server keeps running; qm origin restart starts it again.

    Exits with status 1 if a server cannot be read, and with status 4 if one has not been read yet.
    """
    requested = qm.call(api.request_refresh(name=name, anew=True))
    return [*finish_refreshes(qm, requested, wait=wait)]


@noun.verb()
def restart_command(qm: Qm, name: OriginName, wait: Wait = True) -> Sequence[Row]:
    """Start a local server again, for example after an edit of its program, and read its tools.

    If the server has a URL, a new session begins. Running calls are completed first.

    Exits with status 1 if the server cannot be read, and with status 4 if it has not been read yet.
    """
    return [*finish_refreshes(qm, qm.call(api.restart_origin(name=name)), wait=wait)]


@noun.verb()
def repair_command(
    qm: DryRunCommand,
    arguments: ArgumentOptions,
    name: OriginName,
    undo: Undo = False,
    reason: Reason = "",
) -> Sequence[Row]:
    """Change what callers see of all tools of a server; without options, show the changes.

    The changes of a single tool (qm tool repair) come first.
    """
    changes = arguments.changes()
    if not changes and not undo:
        return show_repairs(qm, of_origin=name, history=True)
    return repair(qm, api.repair_origin, name, changes, undo=undo, reason=reason)


@noun.verb()
def start_limit_command(
    qm: Qm,
    name: OriginName,
    seconds: Annotated[
        int | None,
        "Number of seconds that a start may take; default: as the settings say, with more time"
        " while the server downloads or otherwise shows signs of life.",
        Argument(min=1, max=86_400),
    ] = None,
) -> Row:
    """Choose how long a server may take to start. The server starts again when it is next used."""
    qm.call_value(api.set_start_limit(origin=name, start_limit_s=seconds))
    of_settings = f"The settings decide how long a start of {name} may take."
    qm.say(of_settings if seconds is None else f"A start of {name} may take {seconds} s.")
    return {"name": name, "start_limit_s": seconds}


@noun.verb()
def remove_command(qm: Decision, name: OriginName) -> Row:
    """Remove a server and its items from the catalog; their history is kept."""
    origin: dict[str, Any] = qm.call_value(api.get_origin(name=name))
    items = [item for item in origin["items"] if item["deprecated_at"] is None]
    live = [item["name"] for item in items]
    going = tallied(Counter(item["kind"] for item in items)) or "nothing else"
    starters = replaced_starters(name, origin)
    qm.say(f"This removes {name} and {going}{':' if live else '.'}")
    for item in live[:_SHOWN_ITEMS]:
        qm.say(f"  {item}")
    if len(live) > _SHOWN_ITEMS:
        qm.say(f"  and {len(live) - _SHOWN_ITEMS} more")
    if qm.confirmed(f"Remove {name}?"):
        qm.call(api.remove_origin(name=name))
        again = f"qm origin add {name} --starter" if origin["is_starter"] else "qm origin add"
        qm.say(
            f"Removed. To undo, add the origin again ({again}): its items and their history then"
            " return."
        )
        for starter, command in starters.items():
            qm.say(f"The starter {starter} had made room for it. To have it back: {command}")
    return {"name": name, "items": live, "removed": not qm.dry_run}


@noun.verb()
def enable_command(qm: Consent, name: OriginName, wait: Wait = True) -> Sequence[Row]:
    """Connect a server that was off in the file from which it was imported.

    Asks for confirmation as qm origin add does.
    """
    from quartermaster.catalog.importers.origin_definition import OFF_MEMBER, switched_on

    origin: dict[str, Any] = qm.call_value(api.get_origin(name=name))
    if OFF_MEMBER not in origin["meta"]:
        qm.say(f"{name} is not off.")
        return []
    arguments = switched_on(origin)
    if sandbox := arguments.get("sandbox"):
        confirm_grants(qm, {name: sandbox})
    allow_networks(qm, {name: arguments["url"]} if arguments.get("url") else {})
    qm.call(api.add_origin(**arguments, replace=True))
    qm.say(f"Enabled {name}.")
    return [*finish_refreshes(qm, qm.call(api.request_refresh(name=name)), wait=wait)]


@noun.verb()
def approval_command(
    qm: Qm,
    name: OriginName,
    approval: Annotated[
        str | None,
        'What requires approval: nothing ("none"), changed tools ("changes"), or new and changed'
        ' tools ("all"). Default: the setting catalog.approval.',
        Argument(),
    ] = None,
) -> Row:
    """Choose which tools of a server require approval."""
    chosen: str = qm.call_value(api.set_approval(origin=name, approval=approval))
    qm.say(_APPROVAL_NOTES[chosen])
    return {"name": name, "approval": chosen}


@noun.verb()
def log_command(
    qm: Local,
    name: OriginName,
    lines: Annotated[int, "Maximum number of lines to show.", Option(min=1)] = 50,
) -> Row:
    """Show the most recent standard error output of a local server, with secrets masked."""
    body: dict[str, Any] = qm.service.get(f"/v1/origins/{quote(name, safe='')}/log")
    if qm.json:
        return body
    if text := "\n".join(body["stderr"].splitlines()[-lines:]):
        sys.stdout.write(f"{text}\n")
    else:
        note(
            f"{name} has written nothing to stderr since the service started. The output of a"
            " server at a URL is where that server runs."
        )
    return body


@noun.verb()
def reset_command(qm: Qm, name: OriginName) -> Row:
    """Resume calls to a server that was paused because its calls failed.

    The next call starts a local server anew, or begins a new session.
    """
    was_open: bool = qm.call_value(api.reset_breaker(name=name))
    closed = f"Calls to {name} were not paused."
    qm.say(f"Calls to {name} are allowed again." if was_open else closed)
    return {"name": name, "was_open": was_open}


Kind = Annotated[
    Literal["program", "environment", "secret", "network"],
    'What to allow: "program", "environment", "secret" or "network".',
]
Value = Annotated[
    str,
    "A program with its arguments, quoted as one string; env:NAME; secret:NAME; or an address or a"
    " network, such as 10.1.0.0/16.",
]
OfOrigin = Annotated[
    str | None, "Origin to which the permission applies; default: all origins.", Option("--origin")
]


@noun.verb()
def allow_command(qm: Qm, kind: Kind, value: Value, origin: OfOrigin = None) -> Row:
    """Allow operators to use a program, an environment variable or a secret for their servers.

    With the kind "network", allow servers to connect to an address that is not public.
    """
    stored = qm.call_value(api.allow(kind=kind, value=_as_allowed(kind, value), origin=origin))
    qm.say(f"{stored} is now allowed for {origin or 'all origins'}.")
    return {"kind": kind, "value": stored, "origin": origin}


@noun.verb()
def disallow_command(qm: Qm, kind: Kind, value: Value, origin: OfOrigin = None) -> Row:
    """Withdraw a permission that qm origin allow has given."""
    stored = qm.call_value(api.disallow(kind=kind, value=_as_allowed(kind, value), origin=origin))
    qm.say(f"{stored} is no longer allowed for {origin or 'all origins'}.")
    return {"kind": kind, "value": stored, "origin": origin}


@noun.verb()
def allowed_command(qm: Qm) -> Sequence[Row]:
    """List the programs, variables, secrets and networks that administrators have allowed."""
    rows = qm.read(api.list_allowances())
    return qm.table(rows, ("kind", "value", "origin", "allowed_by", "allowed_at"), empty="Nothing.")


def _as_allowed(kind: str, value: str) -> str:
    return json.dumps(shlex.split(value)) if kind == "program" else value


def _login(qm: Command, origin: Row) -> dict[str, Any]:
    """Returns the state of the service's login at the origin; empty if the origin requires no
    login.
    """
    if origin["auth"].get("grant") not in {"authorization_code", "client_credentials"}:
        return {}
    from quartermaster.cli.origin.login_flow import state_of_login

    return {"login": state_of_login(origin, qm.data_dir)}


@dataclass
class AuthorisationOptions:
    """Options that say how requests to the server are authorised."""

    panel: ClassVar = "Authorisation"
    token: Annotated[
        Literal["login", "client", "signed"] | None,
        "How Quartermaster gets tokens. login: a person logs in with OAuth (qm origin login);"
        " client: OAuth with a client secret; signed: Quartermaster signs short-lived tokens.",
    ] = None
    per_principal: Annotated[bool, "Each principal uses their own credentials."] = False
    scope: Annotated[str | None, "OAuth scopes to request."] = None
    client_id: Annotated[str | None, "Id of a manually registered client."] = None
    client_secret: Annotated[str | None, "Reference to the client secret: secret:NAME."] = None
    issuer: Annotated[str | None, "Issuer that registered the client."] = None
    audience: Annotated[str | None, "Audience of signed tokens; default: the server URL."] = None

    def as_stored(self) -> Row:
        """Returns the options as the ``auth`` member of an origin."""
        options = vars(self) | {"grant": _GRANTS.get(self.token or "")}
        del options["token"]
        return {key: value for key, value in options.items() if value}


@dataclass
class Tls:
    """Options for the TLS connection."""

    panel: ClassVar = "TLS"
    pins: Annotated[
        list[str] | None,
        "Accept only a server whose public key has this SHA-256 hash: sha256/BASE64.",
        Option("--pin"),
    ] = None
    ca_file: Annotated[Path | None, "PEM file with the certificate authorities to trust."] = None
    client_certificate: Annotated[
        str | None,
        "Client certificate: a PEM file, or a reference such as secret:NAME.",
        Option("--client-cert"),
    ] = None
    client_key: Annotated[
        str | None,
        "Private key of the client certificate: a PEM file, or a reference such as secret:NAME.",
    ] = None

    def as_stored(self) -> Row:
        """Returns the options as the ``tls`` member of an origin."""
        ca_file = None if self.ca_file is None else str(self.ca_file.absolute())
        options = vars(self) | {"ca_file": ca_file}
        return {key: value for key, value in options.items() if value}


@dataclass
class Sandbox:
    """Options that say which files and networks a local server may use."""

    panel: ClassVar = "Sandbox of a local server"
    folder: Annotated[list[Path] | None, "File or folder that the server may read and change."] = (
        None
    )
    read: Annotated[list[Path] | None, "File or folder that the server may read."] = None
    network: Annotated[
        Literal["internet", "none", "host"] | None,
        '"internet": network access, except to the addresses of this machine; "none": no network;'
        ' "host": the network of this machine, including its loopback addresses.',
    ] = None

    def added_to(self, sandbox: Row, hidden: Sequence[Path] = ()) -> Row:
        """Returns a copy of the sandbox with these options added, but without the folders to
        hide.
        """
        folders = {row["path"]: row.get("write", False) for row in sandbox.get("folders", ())}
        folders |= {str(path.expanduser().absolute()): False for path in self.read or ()}
        folders |= {str(path.expanduser().absolute()): True for path in self.folder or ()}
        for path in hidden:
            folders.pop(str(path.expanduser().absolute()), None)
        network = self.network or sandbox.get("network", "internet")
        shown = [{"path": path, "write": write} for path, write in folders.items()]
        return {"folders": shown, "network": network}


@noun.verb()
def sandbox_command(
    qm: Consent,
    name: OriginName,
    sandbox: Sandbox,
    hide: Annotated[list[Path] | None, "File or folder that the server may no longer see."] = None,
) -> Row:
    """Choose what a local server may see. Without options, show what the server may see.

    The server is started again when it is next used.
    """
    before: dict[str, Any] = qm.call_value(api.get_origin(name=name))["sandbox"]
    after = sandbox.added_to(before, hide or ())
    if hide or sandbox != Sandbox():
        confirm_grants(qm, {name: after})
        qm.call(api.set_sandbox(origin=name, sandbox=after))
    for sentence in (*(granted(after) or ["may see only its own files"]), *shared_network(after)):
        qm.say(f"{name} {sentence}")
    return {"name": name, "sandbox": after}


def _defined(name: str, server: Mapping[str, Any], repaired: list[str]) -> OriginDefinition:
    """Returns the origin that the options describe. Adds a note to the list for each value that had
    to be repaired.
    """
    from quartermaster.catalog.importers.origin_definition import define_origin

    given = {key: value for key, value in server.items() if value not in (None, "", {})}
    try:
        return define_origin(name, given, None, repaired)
    except ValueError as reason:
        raise QmError(
            422,
            "origin_invalid",
            f"{name}: {reason}",
            "Give either --command or --url; see qm origin add --help.",
        ) from None


@noun.verb()
def add_command(
    qm: Consent,
    tls: Tls,
    auth: AuthorisationOptions,
    sandbox: Sandbox,
    name: Annotated[str, "Name of the new origin."],
    server: Annotated[
        list[str] | None,
        "Its URL, or its program and arguments. Write -- before a program that has options.",
        Argument(),
    ] = None,
    command: Annotated[str | None, "The program and its arguments, quoted as one string."] = None,
    url: Annotated[str | None, "URL of the server's MCP endpoint."] = None,
    sse: Annotated[bool, "The server at the URL uses the older SSE transport."] = False,
    env: Annotated[
        list[str] | None,
        "Environment variable for the program, kept as a secret.",
        Option(metavar="NAME=VALUE"),
    ] = None,
    header: Annotated[
        list[str] | None,
        "Header for every request, kept as a secret.",
        Option(metavar="NAME=VALUE"),
    ] = None,
    description: Annotated[str, "Purpose of the server."] = "",
    cwd: Annotated[str | None, "Working directory of the program."] = None,
    start_limit: Annotated[
        int | None,
        "Number of seconds that a start of the server may take.",
        Option(min=1, max=86_400),
    ] = None,
    replace: Annotated[bool, "Replace an existing origin that has this name."] = False,
    starter: Annotated[bool, "Add the starter server that has this name."] = False,
    wait: Wait = True,
) -> Sequence[Row]:
    """Add a server and read its tools.

    Exits with status 1 if the server cannot be read, and with status 4 if it has not been read yet.

    The new server replaces a starter server that is the same server or has the same name.

    A local server runs in a sandbox. If its arguments name files or folders, the command asks
    whether the server may see them. The command also asks before Quartermaster connects to an
    address that is not public, such as an address of this machine.

    The values of --env and --header are kept as secrets. If a value consists only of ${VAR}, it is
    not stored: the service reads its environment variable VAR when it needs the value.
    """
    _require_free(qm, name, replace=replace)
    if starter:
        return _add_starter(qm, name, wait=wait)
    given = _place(server, command, url, sse=sse)
    given |= {"env": _pairs("--env", env), "headers": _pairs("--header", header)}
    given |= {"description": description, "cwd": cwd}
    repaired: list[str] = []
    origin = _defined(name, given, repaired)
    if origin.arguments["transport"] == "stdio":
        arguments = origin.arguments
        arguments["sandbox"] = sandbox.added_to(arguments.get("sandbox", {}))
        if any(granted(arguments["sandbox"])):
            confirm_grants(qm, {name: arguments["sandbox"]})
    # The address is complete now, even if it was given without a scheme.
    address = origin.arguments.get("url")
    allow_networks(qm, {name: address} if address else {})
    secrets = open_store(qm.data_dir)
    for secret, value in origin.secrets.items():
        secrets.put(secret, value)
    trust: dict[str, Any] = {"auth": auth.as_stored(), "tls": tls.as_stored()}
    trust["start_limit_s"] = start_limit
    qm.call(api.add_origin(**origin.arguments, replace=replace, **trust))
    qm.say(f"{'Replaced' if replace else 'Added'} {name}.")
    note_network(qm, [origin])
    if trust["auth"].get("grant") == "authorization_code":
        note(f"Log in to {name} with: qm origin login {shlex.quote(name)}")
        return []
    for sentence in (*repaired, *missing_values(origin)):
        note(sentence)
    requested = qm.call(api.request_refresh(name=name))
    rows = [*finish_refreshes(qm, requested, wait=wait)]
    say_replaced(qm, [name])
    return rows


def _place(
    server: Sequence[str] | None, command: str | None, url: str | None, *, sse: bool
) -> dict[str, Any]:
    """Returns where the server is: its program and arguments, or its URL."""
    words = list(server or ())
    if words and (command is not None or url is not None):
        raise typer.BadParameter("the server is given twice: after its name, and by an option")
    if len(words) == 1 and words[0].lower().startswith(("http://", "https://")):
        url, words = words[0], []
    if command is not None:
        words = shlex.split(command) or [""]
    if words:
        return {"url": url, "command": words[0], "args": words[1:]}
    return {"url": url, "type": "sse"} if url is not None and sse else {"url": url}


def _require_free(qm: Command, name: str, *, replace: bool) -> None:
    """Refuses the name of an existing origin, unless the origin is a starter or will be
    replaced.
    """
    taken = any(not row["is_starter"] for row in qm.call(api.find_replaced(name=name)))
    if taken and not replace:
        raise QmError(
            409,
            "origin_exists",
            f"An origin called {name!r} already exists.",
            "Choose another name, or replace that origin with --replace.",
        )


def _add_starter(qm: Command, name: str, *, wait: bool) -> Sequence[Row]:
    from quartermaster.starter.catalog import load_starters
    from quartermaster.starter.install import Installer, starter_definition

    if not (found := Installer(qm.folder).install(only=[name])):
        known = ", ".join(starter.name for starter in load_starters())
        raise QmError(
            404, "origin_not_found", f"There is no starter called {name!r}.", f"Choose: {known}."
        )
    [result] = found
    if result.status == "skipped":
        reason = f"{name} cannot be installed: {result.reason}."
        raise QmError(422, "origin_invalid", reason, "Remove the cause, and run this again.")
    definition = starter_definition(result, open_store(qm.data_dir))
    qm.call(api.add_origin(**definition, replace=True))
    qm.say(f"Added {name}.")
    return [*finish_refreshes(qm, qm.call(api.request_refresh(name=name)), wait=wait)]


def _pairs(option: str, given: list[str] | None) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals or not name:
            # The text may contain a credential, so the error does not repeat it.
            raise typer.BadParameter(f"{option} must be NAME=VALUE")
        pairs[name] = value
    return pairs


@noun.verb()
def login_command(
    qm: PlainCommand,
    name: OriginName,
    principal: Whose = None,
    browser: Annotated[bool, "Open the address in a browser on this machine."] = True,
    paste: Annotated[
        bool, "Use a browser on another machine, and paste the last address that it shows."
    ] = False,
    port: Annotated[int, "Port to which the browser returns; 0 means any free port."] = 0,
) -> None:
    """Log in to a server with OAuth. The tokens are saved among the secrets."""
    # The login flow imports the MCP SDK, which other commands do not need.
    from quartermaster.cli.origin import login_flow as flow

    opener = flow.opener_of(qm, name, principal)
    import anyio

    anyio.run(flow.log_in_to, opener, browser and not paste, paste, port)
    qm.say(f"Logged in to {name}.")
    requested = qm.call(api.renew_credential(name=name))
    # The service reads the tools with its own login, so the login of a principal does not matter.
    if principal is None:
        finish_refreshes(qm, requested)


@noun.verb()
def logout_command(qm: Qm, name: OriginName, principal: Whose = None) -> Row:
    """Delete the stored login to a server. The server is not notified."""
    from quartermaster.cli.origin import login_flow as flow

    opener = flow.opener_of(qm, name, principal)
    if opener.login_name not in opener.secrets.names():
        raise QmError(
            404, "login_not_found", f"No login to {name!r} is stored.", "There is nothing to do."
        )
    opener.secrets.remove(opener.login_name)
    qm.call(api.renew_credential(name=name))
    qm.say(
        f"The login to {name} was deleted. To log in again: qm origin login {shlex.quote(name)}."
    )
    return {"origin": name, "principal": principal, "done": True}
