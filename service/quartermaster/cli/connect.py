"""``qm connect``: adds Quartermaster to the configuration of an MCP client."""

from __future__ import annotations

import difflib
import getpass
import json
import os
import re
import socket
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, cast

import typer
from typer import Argument

from quartermaster import api
from quartermaster.bridge import KEY_VARIABLE
from quartermaster.catalog.importers.mcp_servers import read_text
from quartermaster.cli import agent_prompt
from quartermaster.cli.command import Command
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import DataDir, DryRun, Json, Yes
from quartermaster.cli.output import out
from quartermaster.cli.session import running
from quartermaster.core import paths
from quartermaster.core.errors import QmError
from quartermaster.core.json_text import SyntaxProblem, parse
from quartermaster.identity.new_key import NewKey

JsonObject = dict[str, Any]

SERVER: Final = "qm"
# The key is not shown on the screen.
_KEY: Final = re.compile(rf'(Bearer |"{KEY_VARIABLE}": ")[^"]*')
_SHOWN_KEY: Final = "..."


@dataclass(frozen=True, slots=True)
class Client:
    """One MCP client.

    Attributes:
        title: name by which people know the client.
        path: path of its configuration file.
        key: name of the member that contains the servers.
        speaks_http: whether the client accepts a URL with headers; other clients start ``qm
            stdio``.
    """

    title: str
    path: Path
    key: str
    speaks_http: bool


def clients() -> dict[str, Client]:
    """The clients that the current user may have, whether or not they are installed."""
    home = Path.home()
    if sys.platform == "darwin":
        applications = home / "Library" / "Application Support"
    elif sys.platform == "win32":
        applications = Path(os.environ.get("APPDATA", home / "AppData" / "Roaming"))
    else:
        applications = Path(os.environ.get("XDG_CONFIG_HOME", home / ".config"))
    desktop = applications / "Claude" / "claude_desktop_config.json"
    code = applications / "Code" / "User" / "mcp.json"
    return {
        "claude": Client("Claude Desktop", desktop, "mcpServers", speaks_http=False),
        "claude-code": Client("Claude Code", home / ".claude.json", "mcpServers", speaks_http=True),
        "cursor": Client("Cursor", home / ".cursor" / "mcp.json", "mcpServers", speaks_http=True),
        "vscode": Client("VS Code", code, "servers", speaks_http=True),
    }


noun = Noun()


@dataclass
class Connection(Command):
    """A command that asks for confirmation and uses the running service."""

    dry_run: DryRun = False
    yes: Yes = False
    json: Json = False
    data_dir: DataDir = None


@noun.verb()
def connect_command(
    qm: Connection,
    client: Annotated[
        str | None,
        "Client to connect; if it is omitted, the clients are listed.",
        Argument(),
    ] = None,
    undo: Annotated[bool, "Remove Quartermaster from the client's configuration."] = False,
    prompt: Annotated[
        Path | None,
        "Add short instructions for the quality tools to this file, such as CLAUDE.md. With"
        " --undo, remove the instructions from the file.",
    ] = None,
) -> JsonObject | list[JsonObject]:
    """Connect Claude, Cursor or VS Code.

    Shows the change to the client's configuration, and asks for confirmation before it writes the
    file. The client gets a key of its own, for a principal that has the client's name and the role
    "user".
    """
    if prompt is not None:
        is_written = _write_prompt(qm, prompt, undo=undo)
        if client is None:
            return {"prompt": str(prompt), "written": is_written}
    if client is None:
        rows = [
            {
                "client": name,
                "name": c.title,
                "connected": SERVER in _servers(_read(c.path), c.key),
                "configuration": str(c.path),
            }
            for name, c in clients().items()
        ]
        return qm.table(rows, ("client", "name", "connected", "configuration"))
    if client not in clients():
        raise typer.BadParameter(_by_hand(qm, client))
    named = clients()[client]
    chosen = replace(named, path=named.path.resolve())  # keeps a symbolic link
    before = _text(chosen.path)
    present = _servers(_read(chosen.path), chosen.key).get(SERVER)
    kept = _key_in(present)
    after = _without(chosen) if undo else _with(chosen, _entry(chosen, qm.folder, _SHOWN_KEY))
    is_kept = not undo and present == _entry(chosen, qm.folder, kept) and _is_live(qm, client, kept)
    is_changed = after != before and not is_kept
    if not is_changed:
        qm.say(f"There is nothing to change in {chosen.path}.")
    elif not qm.json:
        _preview(chosen.path, before, after)
    is_written = is_changed and qm.confirmed(f"Write {chosen.path}?")
    if is_written and undo:
        _write(chosen.path, before, after, undo=True)
        _revoke(qm, client, kept)
    elif is_written:
        _give_key(qm, client, chosen, before)
    if is_written:
        how = f"qm connect {client}" if undo else f"qm connect {client} --undo"
        qm.say(f"Written. Restart {chosen.title} to apply the change. To undo: {how}.")
    return {"client": client, "configuration": str(chosen.path), "written": is_written}


def _write_prompt(qm: Connection, path: Path, *, undo: bool) -> bool:
    """Adds the short instructions to a file for agents, or removes them."""
    before = agent_prompt.read(path)
    change = agent_prompt.without_instructions if undo else agent_prompt.with_instructions
    after = change(before)
    if after == before:
        qm.say(f"There is nothing to change in {path}.")
        return False
    if not qm.json:
        _preview(path, before, after)
    if not qm.confirmed(f"Write {path}?"):
        return False
    agent_prompt.write(path, after)
    return True


def _give_key(qm: Connection, name: str, client: Client, before: str | None) -> None:
    """Creates a key for the client, and writes it to the configuration, or neither."""
    found = next((row for row in qm.call(api.list_principals()) if row["name"] == name), None)
    if found is None:
        qm.call(api.create_principal(name=name, kind="agent", role="user"))
    elif found["role"] != "user":
        raise QmError(
            409,
            "principal_exists",
            f"A principal called {name!r} already exists, and has the role {found['role']}, not"
            " user.",
            "Create a key for a principal of your choice (qm key create), and write the"
            f" configuration for {client.title} yourself.",
        )
    key = NewKey()
    label = f"qm connect by {getpass.getuser()} on {socket.gethostname()}"
    number: int = qm.call_value(
        api.put_key(principal=name, label=label, prefix=key.prefix, key_hash=key.digest)
    )
    try:
        after = _with(client, _entry(client, qm.folder, key.text))
        _write(client.path, before, after, undo=False)
    except BaseException:
        qm.call(api.revoke_key(key_id=number))
        raise


def _is_live(qm: Connection, name: str, key: str) -> bool:
    rows = qm.call(api.list_keys(of_principal=name))
    return any(row["state"] == "live" and key.startswith(row["prefix"]) for row in rows)


def _revoke(qm: Connection, name: str, key: str) -> None:
    """Revokes the key that `_give_key` has created. An older entry may contain another key."""
    if not key:
        return
    prefix = NewKey(key).prefix
    try:
        rows = qm.call(api.list_keys(of_principal=name))
    except QmError as error:
        qm.failed = True
        qm.note(
            f"The key was not revoked: {error.message} To revoke it later: qm key revoke {prefix}."
        )
        return
    for row in rows:
        if row["prefix"] == prefix and row["state"] != "revoked":
            qm.call(api.revoke_key(key_id=row["id"]))
            qm.say(f"The key {prefix}… was revoked.")


def _entry(client: Client, data_dir: Path, key: str) -> JsonObject:
    """The configuration entry for Quartermaster, with a key."""
    run = running(data_dir)
    # A client knows only public authorities, but qm stdio knows that of the service.
    if client.speaks_http and run.ca is None:
        headers = {"Authorization": f"Bearer {key}"}
        return {"type": "http", "url": f"{run.url}/mcp", "headers": headers}
    return {
        **({"type": "stdio"} if client.speaks_http else {}),
        "command": str(Path(sys.argv[0]).absolute()),
        "args": ["stdio", "--data-dir", str(data_dir)],
        "env": {KEY_VARIABLE: key},
    }


def _key_in(entry: object) -> str:
    """The key in an entry; empty if there is none."""
    if not isinstance(entry, dict):
        return ""
    found = cast("JsonObject", entry)
    places = (("headers", "Authorization"), ("env", KEY_VARIABLE))
    values = [_servers(found, section).get(name) for section, name in places]
    return next((str(value).removeprefix("Bearer ") for value in values if value), "")


def _with(client: Client, entry: JsonObject) -> str:
    found = _read(client.path)
    servers = _servers(found, client.key)
    if servers.get(SERVER) == entry:
        return _text(client.path) or ""
    return _dump(found | {client.key: {**servers, SERVER: entry}})


def _without(client: Client) -> str | None:
    """The configuration without our entry, or the original configuration if nothing else has
    changed. None means that the file must be deleted."""
    found = _read(client.path)
    servers = _servers(found, client.key)
    if SERVER not in servers:
        return _text(client.path)
    backup = _backup(client.path)
    old = _read(backup)
    del servers[SERVER]
    if SERVER in (replaced := _servers(old, client.key)):
        servers[SERVER] = replaced[SERVER]
    rest = found | {client.key: servers}
    if not backup.exists():
        return _dump(rest) if rest != {client.key: {}} else None
    is_as_before = rest == {client.key: {}, **old}
    return backup.read_text(encoding="utf-8") if is_as_before else _dump(rest)


def _write(path: Path, before: str | None, after: str | None, *, undo: bool) -> None:
    """Writes the configuration; the original is kept next to it until it has been restored."""
    backup = _backup(path)
    if not undo and before is not None and not backup.exists():
        paths.write_private(backup, before)
    if after is None:
        path.unlink()
    else:
        paths.write_private(path, after)
    if undo:
        backup.unlink(missing_ok=True)


def _read(path: Path) -> JsonObject:
    """The configuration; empty if there is no file.

    Raises:
        QmError: QM422 config_invalid if it is not JSON or has comments, which would be lost.
    """
    text = _text(path)
    if text is None or not text.strip():
        return {}
    try:
        found = parse(text)[0]
    except SyntaxProblem as problem:
        raise QmError(
            422,
            "config_invalid",
            f"{path}:{problem.line}:{problem.column}: {problem.what}",
            "Correct the file. If it contains comments, remove them: qm connect cannot keep"
            " comments.",
        ) from None
    if not isinstance(found, dict):
        raise QmError(422, "config_invalid", f"{path} is not a JSON object.", "Correct the file.")
    return cast("JsonObject", found)


def _servers(config: JsonObject, key: str) -> JsonObject:
    found: object = config.get(key)
    return dict(cast("JsonObject", found)) if isinstance(found, dict) else {}


def _by_hand(qm: Connection, client: str) -> str:
    run = paths.RunFile.read(qm.folder)
    url = run.url if run else "http://127.0.0.1:8765"
    return (
        f"{client!r} is none of {', '.join(clients())}.\n"
        f"By hand: let it start the command qm stdio, or give it the address {url}/mcp (streamable"
        f" HTTP) and a key: qm principal create {client}, then qm key create {client}."
    )


def _text(path: Path) -> str | None:
    return read_text(path) if path.exists() else None


def _dump(config: JsonObject) -> str:
    return json.dumps(config, indent=2, ensure_ascii=False) + "\n"


def _backup(path: Path) -> Path:
    return path.with_name(path.name + ".before-qm")


def _preview(path: Path, before: str | None, after: str | None) -> None:
    lines = difflib.unified_diff(
        (before or "").splitlines(), (after or "").splitlines(), str(path), str(path), lineterm=""
    )
    for line in lines:
        out.print(_KEY.sub(rf"\1{_SHOWN_KEY}", line), markup=False, highlight=False)
