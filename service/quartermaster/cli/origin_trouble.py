"""``qm origin log`` and ``qm origin reset``: an upstream in trouble looked at, and called again."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Final
from urllib.parse import quote

import httpx2
import typer

from quartermaster.cli.output import err, minute, out, print_json
from quartermaster.cli.session import DataDir, Dsn, Json, open_session, running
from quartermaster.core.errors import QmError

_ANSWER_S: Final = 30.0

Name = Annotated[str, typer.Argument(help="Name of the origin.")]


def reset_command(name: Name, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Call a server again at once that was left alone because its calls failed or were slow."""
    with open_session(data_dir, dsn) as session:
        was_open: bool = session.call_value("reset_breaker", name=name)
    out.print(f"{name} is called again." if was_open else f"{name} was called anyway.")


def log_command(
    name: Name,
    lines: Annotated[int, typer.Option(min=1, help="How many of the last lines.")] = 50,
    json: Json = False,
    data_dir: DataDir = None,
) -> None:
    """Show what a server of this machine last wrote to its standard error; secrets are left out."""
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
            f"Quartermaster at {run.url} did not answer: {error}",
            "Look at its log, or start it again with: qm up.",
        ) from error
    if answer.status_code != 200:
        told = body["error"]
        raise QmError(answer.status_code, told["slug"], told["message"], told["hint"])
    if json:
        print_json(body)
    elif text := "\n".join(body["stderr"].splitlines()[-lines:]):
        sys.stdout.write(f"{text}\n")
    else:
        err.print(f"{name} has written nothing since the service started.", markup=False)


def unavailable(until: Any, because: str | None) -> str:
    """Why a server is not called, for a table; empty where it is."""
    return "" if until is None else f"not called until {minute(until)}: {because}"
