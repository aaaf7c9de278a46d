"""``qm origin``: manages the servers that tools come from."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Annotated, Any, Final
from urllib.parse import quote

import httpx2
from typer import Argument, Option

from quartermaster.cli.command import Command, Decision, Local, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import AsOf, OriginName, Wait
from quartermaster.cli.origin import add, login
from quartermaster.cli.output import minute, note, tallied
from quartermaster.cli.session import Row, running
from quartermaster.cli.waiting import finish_refreshes
from quartermaster.core.errors import QmError

_SHOWN: Final = 10
_ANSWER_S: Final = 30.0
_WAITING: Final = {
    "none": "No tools require",
    "changes": "Changed tools require",
    "all": "New and changed tools require",
}

noun = Noun("Manage the servers that tools come from.")
noun.include(add.noun)


@noun.verb()
def list_command(qm: Qm, as_of: AsOf = None) -> list[Row]:
    """List the servers."""
    rows = qm.call("list_origins", as_of=as_of)
    now = ("name", "transport", "status", "items", "refreshed_at")
    then = ("name", "transport", "items", "description")
    empty = "No servers. Add some with: qm import FILE, or: qm origin add NAME --command PROGRAM."
    shown = [row | {"items": tallied(row["items"])} for row in rows]
    qm.table(shown, now if as_of is None else then, empty=empty)
    for row in rows:
        if problem := _problem(row):
            qm.say(f"{row['name']}: {problem}")
    return rows


@noun.verb()
def show_command(qm: Qm, name: OriginName) -> Row:
    """Show a server: its connection, its last refresh and its items."""
    origin: Row = qm.call_value("get_origin", name=name)
    if qm.json:
        return origin
    apart = {"items", "last_refresh", "breaker"}
    facts = {fact: value for fact, value in origin.items() if fact not in apart}
    qm.facts("origin", name, facts | _login(qm, origin))
    for part in ("breaker", "last_refresh"):
        if origin[part]:
            qm.facts(part.replace("_", " "), "", origin[part])
    qm.table(origin["items"], ("kind", "name", "version", "status", "deprecated_at", "brief"))
    return origin


@noun.verb()
def refresh_command(
    qm: Qm,
    name: Annotated[str | None, Argument(help="Name of the origin; default: all origins.")] = None,
    wait: Wait = True,
) -> list[Row]:
    """Read the tools of one server or all servers again.

    Exits with status 1 if a server cannot be read.
    """
    requested = qm.call("request_refresh", **({} if name is None else {"name": name}))
    return [*finish_refreshes(qm, requested, wait=wait)]


@noun.verb()
def remove_command(qm: Decision, name: OriginName) -> Row:
    """Remove a server and its items from the catalog; their history is kept."""
    origin: Row = qm.call_value("get_origin", name=name)
    items = [item for item in origin["items"] if item["deprecated_at"] is None]
    live = [item["name"] for item in items]
    going = tallied(Counter(item["kind"] for item in items)) or "nothing else"
    qm.say(f"This removes {name} and {going}{':' if live else '.'}")
    for item in live[:_SHOWN]:
        qm.say(f"  {item}")
    if len(live) > _SHOWN:
        qm.say(f"  and {len(live) - _SHOWN} more")
    if qm.confirmed(f"Remove {name}?"):
        qm.call("remove_origin", name=name)
        qm.say(
            "Removed. To undo, add it again; qm origin add restores its items and their history."
        )
    return {"name": name, "items": live, "removed": not qm.dry_run}


@noun.verb()
def approval_command(
    qm: Qm,
    name: OriginName,
    approval: Annotated[
        str | None, Argument(help="none, changes or all; default: the database setting.")
    ] = None,
) -> Row:
    """Choose which tools of a server require approval."""
    chosen: str = qm.call_value("set_approval", origin=name, approval=approval)
    qm.say(f"{_WAITING[chosen]} approval.")
    return {"name": name, "approval": chosen}


@noun.verb()
def log_command(
    qm: Local,
    name: OriginName,
    lines: Annotated[int, Option(min=1, help="Maximum number of lines to show.")] = 50,
) -> Row:
    """Show the most recent standard error output of a local server, with secrets masked."""
    run = running(qm.data_dir)
    headers = {"Authorization": f"Bearer {run.token}"}
    url = f"{run.url}/v1/origins/{quote(name, safe='')}/log"
    try:
        answer = httpx2.get(url, headers=headers, timeout=_ANSWER_S, trust_env=False)
        body: Row = answer.json()
    except (httpx2.HTTPError, ValueError) as error:
        raise QmError(
            503,
            "not_reachable",
            f"Quartermaster at {run.url} does not respond: {error}",
            "Read its log, or start it again with: qm up.",
        ) from error
    if answer.status_code != 200:
        told = body["error"]
        raise QmError(answer.status_code, told["slug"], told["message"], told["hint"])
    if qm.json:
        return body
    if text := "\n".join(body["stderr"].splitlines()[-lines:]):
        sys.stdout.write(f"{text}\n")
    else:
        note(f"{name} has written nothing since the service started.")
    return body


@noun.verb()
def reset_command(qm: Qm, name: OriginName) -> Row:
    """Close the breaker of a server, so that calls to it resume immediately."""
    was_open: bool = qm.call_value("reset_breaker", name=name)
    closed = f"The breaker of {name} was already closed."
    qm.say(f"Calls to {name} resume." if was_open else closed)
    return {"name": name, "was_open": was_open}


noun.include(login.noun)


def _problem(row: Row) -> str:
    """Why a server cannot be read or called; empty if it can."""
    problems = [row["failure"]]
    if row["unavailable_until"] is not None:
        until = minute(row["unavailable_until"])
        problems.append(f"paused until {until}: {row['unavailable_because']}")
    return "; ".join(filter(None, problems))


def _login(qm: Command, origin: Row) -> dict[str, Any]:
    """The login state of the service, if the origin requires a login."""
    if origin["auth"].get("grant") not in {"authorization_code", "client_credentials"}:
        return {}
    from quartermaster.cli.origin.login_flow import state_of_login

    return {"login": state_of_login(origin, qm.data_dir)}
