"""The steps of ``qm origin login``: show the address, wait for the answer, store the tokens."""

from __future__ import annotations

import shlex
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

import anyio.to_thread
import typer
from mcp.shared.auth import AuthorizationCodeResult

from quartermaster import api
from quartermaster.cli.command import Command
from quartermaster.cli.credential_prompt import open_store
from quartermaster.cli.output import err, out
from quartermaster.core.errors import QmError
from quartermaster.db import Principal, Role
from quartermaster.upstream.auth.login import Show, log_in, log_in_by_secret
from quartermaster.upstream.auth.loopback import open_loopback
from quartermaster.upstream.auth.oauth_tokens import keep_grant
from quartermaster.upstream.auth.opening import SERVICE_SUBJECT, Opener
from quartermaster.upstream.auth.settings import OriginAuth


def opener_of(qm: Command, name: str, principal: str | None) -> Opener:
    """Returns an opener for the origin to log in to and the principal who logs in.

    Raises:
        QmError: QM404 origin_not_found, QM409 login_not_declared or login_is_shared, QM403
            principal_unknown.
    """
    origin: dict[str, Any] = qm.call_value(api.get_origin(name=name))
    auth = OriginAuth.from_mapping(origin["auth"])
    if auth.grant not in {"authorization_code", "client_credentials"}:
        raise QmError(
            409,
            "login_not_declared",
            f"The origin {name!r} does not use a login.",
            "Declare a login with: qm origin add NAME --url URL --token login --replace.",
        )
    if principal is not None and not auth.per_principal:
        raise QmError(
            409,
            "login_is_shared",
            f"All principals share one login to {name!r}.",
            "Log in without --principal, or add the origin again with --per-principal.",
        )
    holder = None
    if principal is not None:
        [found] = qm.call(api.find_principal(name=principal))
        holder = Principal(found["principal_id"], found["principal"], cast(Role, found["role"]))
    return Opener(origin, auth, open_store(qm.data_dir), holder, SERVICE_SUBJECT)


def state_of_login(origin: Mapping[str, Any], data_dir: Path | None) -> str:
    """Describes the state of the service's login at an origin in a few words."""
    auth = OriginAuth.from_mapping(origin["auth"])
    opener = Opener(origin, auth, open_store(data_dir), None, SERVICE_SUBJECT)
    try:
        grant = opener.grant()
    except QmError as error:
        return error.message
    if grant is None or grant.is_revoked:
        state = "not logged in" if grant is None else "login revoked"
        return f"{state}; log in with: qm origin login {shlex.quote(origin['name'])}"
    return "logged in; the tokens are renewed automatically"


async def log_in_to(opener: Opener, browser: bool, paste: bool, port: int) -> None:
    """Logs in, and stores the tokens.

    Args:
        opener: opener of the origin.
        browser: whether to open a browser on this machine.
        paste: whether to ask the user for the final address in the browser.
        port: port of the address to which the browser returns.

    Raises:
        QmError: any error of `log_in`.
    """
    secret, tls, url = opener.client_secret(), opener.tls(), opener.row["url"]
    networks = opener.row["networks"]
    if opener.auth.grant == "client_credentials":
        grant = await log_in_by_secret(url, opener.auth, secret or "", tls, networks)
    else:
        async with open_loopback(port) as loopback:
            receive = _pasted if paste else loopback.result
            show = loopback.showing(_shower(loopback.url, browser))
            grant = await log_in(
                url, opener.auth, secret, tls, loopback.url, networks, show, receive
            )
    await keep_grant(opener.secrets, opener.login_name, grant)


def _shower(back_to: str, browser: bool) -> Show:
    async def show(address: str) -> None:
        err.print("Open this address, log in, and allow access:")
        out.print(address, markup=False, soft_wrap=True)
        err.print(f"The browser then returns to {back_to}.", markup=False)
        if browser and sys.stdout.isatty():
            await anyio.to_thread.run_sync(webbrowser.open, address)

    return show


async def _pasted() -> AuthorizationCodeResult:
    text: str = await anyio.to_thread.run_sync(
        lambda: typer.prompt("Final address in the browser", hide_input=True, err=True)
    )
    answer: Mapping[str, str] = dict(parse_qsl(urlsplit(text.strip()).query))
    if "code" not in answer:
        said = (
            answer.get("error_description") or answer.get("error") or "the address contains no code"
        )
        raise QmError(403, "login_refused", f"The login was refused: {said}.", "Log in again.")
    return AuthorizationCodeResult(
        code=answer["code"], state=answer.get("state"), iss=answer.get("iss")
    )
