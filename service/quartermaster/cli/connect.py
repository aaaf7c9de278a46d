"""``qm connect``: adds Quartermaster to the configuration of an MCP client."""

from __future__ import annotations

import difflib
import json
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, cast

import typer

from quartermaster.catalog.importers.mcp_servers import read_text
from quartermaster.cli.options import DataDir, DryRun, Json, Yes
from quartermaster.cli.output import confirm, out, print_rows, say
from quartermaster.cli.session import running
from quartermaster.core import paths
from quartermaster.core.errors import QmError
from quartermaster.core.json_text import SyntaxProblem, parse

JsonObject = dict[str, Any]
ClientName = Literal["claude", "claude-code", "cursor", "vscode"]

SERVER: Final = "qm"


@dataclass(frozen=True, slots=True)
class Client:
    """One MCP client.

    Attributes:
        title: as people know it.
        path: of its configuration.
        key: of its object of servers.
        speaks_http: it takes a URL with headers; other clients start ``qm stdio``.
    """

    title: str
    path: Path
    key: str
    speaks_http: bool


def clients() -> dict[str, Client]:
    """The clients of this machine's user, whether installed or not."""
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


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("connect")(connect_command)


def connect_command(
    client: Annotated[
        ClientName | None, typer.Argument(help="Client to connect; default: list the clients.")
    ] = None,
    dry_run: DryRun = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Remove Quartermaster from the client.")
    ] = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
) -> None:
    """Connect Claude, Cursor or VS Code.

    Shows the change of the configuration and asks before writing it.
    """
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
        print_rows(rows, ("client", "name", "connected", "configuration"), json)
        return
    named = clients()[client]
    chosen = replace(named, path=named.path.resolve())  # a link stays a link
    before = _text(chosen.path)
    after = _without(chosen) if undo else _with(chosen, _entry(chosen, paths.data_dir(data_dir)))
    if after == before:
        say(f"Nothing to change in {chosen.path}.")
        return
    _preview(chosen.path, before, after)
    if dry_run:
        return
    confirm(f"Write {chosen.path}?", yes=yes)
    if undo:
        _take_back(chosen.path, after)
    else:
        if before is not None and not _backup(chosen.path).exists():
            paths.write_private(_backup(chosen.path), before)
        paths.write_private(chosen.path, after or "")
    how = f"qm connect {client}" if undo else f"qm connect {client} --undo"
    say(f"Written. Restart {chosen.title} to apply it. To undo: {how}.")


def _entry(client: Client, data_dir: Path) -> JsonObject:
    """The entry of Quartermaster in the configuration."""
    if not client.speaks_http:
        program = Path(sys.argv[0]).absolute()
        return {"command": str(program), "args": ["stdio", "--data-dir", str(data_dir)]}
    run = running(data_dir)
    return {
        "type": "http",
        "url": f"{run.url}/mcp",
        "headers": {"Authorization": f"Bearer {run.token}"},
    }


def _with(client: Client, entry: JsonObject) -> str:
    found = _read(client.path)
    servers = _servers(found, client.key)
    if servers.get(SERVER) == entry:
        return _text(client.path) or ""
    return _dump(found | {client.key: {**servers, SERVER: entry}})


def _without(client: Client) -> str | None:
    """The configuration as it was, or only without our entry if it changed; None for no file."""
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


def _take_back(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
    else:
        paths.write_private(path, text)
    _backup(path).unlink(missing_ok=True)


def _read(path: Path) -> JsonObject:
    """The configuration, empty where there is none.

    Raises:
        QmError: QM422 config_invalid: not JSON, or JSON with comments, which writing would lose.
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
            "Correct the file, or remove its comments, which writing would lose.",
        ) from None
    if not isinstance(found, dict):
        raise QmError(422, "config_invalid", f"{path} is not a JSON object.", "Correct the file.")
    return cast("JsonObject", found)


def _servers(config: JsonObject, key: str) -> JsonObject:
    found: object = config.get(key)
    return dict(cast("JsonObject", found)) if isinstance(found, dict) else {}


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
        # The screen does not show the token.
        shown = line if "Bearer " not in line else line.partition("Bearer ")[0] + 'Bearer ..."'
        out.print(shown, markup=False, highlight=False)
