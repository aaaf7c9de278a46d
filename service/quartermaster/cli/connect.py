"""``qm connect``: adds Quartermaster to the configuration of an MCP client."""

from __future__ import annotations

import getpass
import socket
import sys
from pathlib import Path
from typing import Annotated, Any, Final, cast

import typer
from typer import Argument

from quartermaster import api
from quartermaster.bridge import KEY_VARIABLE
from quartermaster.cli import agent_prompt
from quartermaster.cli.changed_file import print_change
from quartermaster.cli.command import Command
from quartermaster.cli.noun import Noun
from quartermaster.cli.session import running
from quartermaster.clients.client import Client
from quartermaster.clients.known import CLIENTS
from quartermaster.clients.own_entry import SERVER, File
from quartermaster.clients.reading import read_exactly
from quartermaster.core import paths
from quartermaster.core.errors import QmError
from quartermaster.identity.new_key import NewKey

JsonObject = dict[str, Any]

_SHOWN_KEY: Final = "..."

noun = Noun()


class ConnectCommand(Command):
    """A command that asks for confirmation and uses the running service."""

    options = ("dry_run", "yes", "json", "data_dir")


@noun.verb()
def connect_command(
    qm: ConnectCommand,
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
    """Connect a client, such as Claude Code, Cursor, VS Code or Codex.

    Shows the change to the client's configuration, and asks for confirmation before it writes the
    file. The client gets a key of its own, for a principal that has the client's name and the role
    "user".
    """
    if prompt is not None:
        is_written = _write_prompt(qm, prompt, undo=undo)
        if client is None:
            return {"prompt": str(prompt), "written": is_written}
    if client is None:
        rows = [_state(each) for each in CLIENTS.values()]
        qm.table(rows, ("client", "name", "connected", "configuration"))
        for row in rows:
            if row["problem"]:
                qm.note(f"{row['name']}: {row['problem']}")
        return rows
    return _connect(qm, client, undo=undo)


def _connect(qm: ConnectCommand, client: str, *, undo: bool) -> JsonObject:
    """Writes the entry for Quartermaster to the file of a client, or removes it."""
    if client not in CLIENTS:
        raise typer.BadParameter(_by_hand(qm, client))
    file = File.of(CLIENTS[client])
    before = read_exactly(file.path)
    present = file.entry(before)
    retained = _key_in(present)
    if undo:
        after = file.without_entry(before)
    else:
        after = file.with_entry(before, _entry(file.client, qm.folder, _SHOWN_KEY))
    is_retained = (
        not undo
        and present == _entry(file.client, qm.folder, retained)
        and _is_live(qm, client, retained)
    )
    is_changed = after != before and not is_retained
    if not is_changed:
        qm.say(f"There is nothing to change in {file.path}.")
    elif not qm.json:
        print_change(file.path, before, after)
    is_written = is_changed and qm.confirmed(f"Write {file.path}?")
    if is_written and undo:
        file.write(before, after, undo=True)
        _revoke(qm, client, retained)
    elif is_written:
        _give_key(qm, file, before)
    if is_written:
        how = f"qm connect {client}" if undo else f"qm connect {client} --undo"
        qm.say(f"Written. Restart {file.client.title} to apply the change. To undo: {how}.")
    return {"client": client, "configuration": str(file.path), "written": is_written}


def _state(client: Client) -> JsonObject:
    path = client.file(Path.cwd())
    is_connected = problem = None
    try:
        is_connected = File(client, path).entry(read_exactly(path)) is not None
    except QmError as error:
        problem = error.message
    return {
        "client": client.name,
        "name": client.title,
        "connected": is_connected,
        "problem": problem,
        # A client without files of its own has one in each of its projects.
        "configuration": str(path) if client.user else client.project[0],
    }


def _write_prompt(qm: ConnectCommand, path: Path, *, undo: bool) -> bool:
    """Adds the short instructions to a file for agents, or removes them."""
    before = agent_prompt.read(path)
    change = agent_prompt.without_instructions if undo else agent_prompt.with_instructions
    after = change(before)
    if after == before:
        qm.say(f"There is nothing to change in {path}.")
        return False
    if not qm.json:
        print_change(path, before, after)
    if not qm.confirmed(f"Write {path}?"):
        return False
    agent_prompt.write(path, after)
    return True


def _give_key(qm: ConnectCommand, file: File, before: str | None) -> None:
    """Creates a key for the client, and writes it to the configuration. If writing fails, revokes
    the key.
    """
    name = file.client.name
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
            f" configuration for {file.client.title} yourself.",
        )
    key = NewKey()
    label = f"qm connect by {getpass.getuser()} on {socket.gethostname()}"
    number: int = qm.call_value(
        api.put_key(principal=name, label=label, prefix=key.prefix, key_hash=key.digest)
    )
    try:
        after = file.with_entry(before, _entry(file.client, qm.folder, key.text))
        file.write(before, after, undo=False)
    except BaseException:
        qm.call(api.revoke_key(key_id=number))
        raise


def _is_live(qm: ConnectCommand, name: str, key: str) -> bool:
    rows = qm.call(api.list_keys(of_principal=name))
    return any(row["state"] == "live" and key.startswith(row["prefix"]) for row in rows)


def _revoke(qm: ConnectCommand, name: str, key: str) -> None:
    """Revokes a key that `_give_key` created. Other keys, which an older entry may contain, are not
    revoked.
    """
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
    """Returns the configuration entry for Quartermaster, with a key."""
    run = running(data_dir)
    # A client knows only public authorities, but qm stdio knows that of the service.
    if client.speaks_http and run.ca is None:
        return client.remote(SERVER, f"{run.url}/mcp", {"Authorization": f"Bearer {key}"})
    args = ["stdio", "--data-dir", str(data_dir)]
    return client.local(SERVER, str(Path(sys.argv[0]).absolute()), args, {KEY_VARIABLE: key})


def _key_in(entry: object) -> str:
    """Returns the key in an entry, at any depth; empty if there is none."""
    if not isinstance(entry, dict):
        return ""
    for name, value in cast("JsonObject", entry).items():
        if name in {"Authorization", KEY_VARIABLE}:
            return str(value).removeprefix("Bearer ")
        if found := _key_in(value):
            return found
    return ""


def _by_hand(qm: ConnectCommand, client: str) -> str:
    run = paths.RunFile.read(qm.folder)
    url = run.url if run else "http://127.0.0.1:8765"
    return (
        f"{client!r} is none of {', '.join(CLIENTS)}.\n"
        f"By hand: let it start the command qm stdio, or give it the address {url}/mcp (streamable"
        f" HTTP) and a key: qm principal create {client}, then qm key create {client}."
    )
