"""``qm origin log`` and ``qm origin reset``: find out why a server fails, and call it again."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Final
from urllib.parse import quote

import httpx2
import typer

from quartermaster.cli.options import DataDir, Dsn, Json, OriginName
from quartermaster.cli.output import minute, note, print_json, say
from quartermaster.cli.session import open_session, running
from quartermaster.core.errors import QmError

_ANSWER_S: Final = 30.0


def reset_command(
    name: OriginName, json: Json = False, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """Close the breaker of a server: calls to it resume at once."""
    with open_session(data_dir, dsn) as session:
        was_open: bool = session.call_value("reset_breaker", name=name)
    if json:
        print_json({"name": name, "was_open": was_open})
    elif was_open:
        say(f"{name} is called again.")
    else:
        say(f"The breaker of {name} was already closed.")


def log_command(
    name: OriginName,
    lines: Annotated[int, typer.Option(min=1, help="Number of last lines to show.")] = 50,
    json: Json = False,
    data_dir: DataDir = None,
) -> None:
    """Show what a local server last wrote to its standard error; secrets are masked."""
    run = running(data_dir)
    headers = {"Authorization": f"Bearer {run.token}"}
    url = f"{run.url}/v1/origins/{quote(name, safe='')}/log"
    try:
        answer = httpx2.get(url, headers=headers, timeout=_ANSWER_S, trust_env=False)
        body: dict[str, Any] = answer.json()
    except (httpx2.HTTPError, ValueError) as error:
        raise QmError(
            503,
            "not_reachable",
            f"Quartermaster at {run.url} does not answer: {error}",
            "Read its log, or start it again with: qm up.",
        ) from error
    if answer.status_code != 200:
        told = body["error"]
        raise QmError(answer.status_code, told["slug"], told["message"], told["hint"])
    if json:
        print_json(body)
    elif text := "\n".join(body["stderr"].splitlines()[-lines:]):
        sys.stdout.write(f"{text}\n")
    else:
        note(f"{name} has written nothing since the service started.")


def unavailable(until: Any, because: str | None) -> str:
    """Why calls to a server are paused, for a table; empty where they are not."""
    return "" if until is None else f"paused until {minute(until)}: {because}"
