"""``qm origin add``: a server, how requests to it are authorised, and its TLS."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer
from typer import Argument, Option

from quartermaster.cli.command import Qm
from quartermaster.cli.credentials import missing_values, open_store
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Wait
from quartermaster.cli.output import note
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import finish_refreshes
from quartermaster.core.errors import QmError

_AUTH = "Authorisation"
_TLS = "TLS"

_GRANTS = {"login": "authorization_code", "client": "client_credentials", "signed": "signed"}


noun = Noun()


@dataclass
class Auth:
    """Options that say how requests to the server are authorised."""

    token: Annotated[
        Literal["login", "client", "signed"] | None,
        Option(
            help="How tokens are obtained. login: a person logs in by OAuth (qm origin login);"
            " client: OAuth with a client secret; signed: this service signs short-lived tokens.",
            rich_help_panel=_AUTH,
        ),
    ] = None
    per_principal: Annotated[
        bool,
        Option(
            "--per-principal",
            help="Each principal uses their own credentials.",
            rich_help_panel=_AUTH,
        ),
    ] = False
    scope: Annotated[str | None, Option(help="OAuth scopes to request.", rich_help_panel=_AUTH)] = (
        None
    )
    client_id: Annotated[
        str | None, Option(help="Id of a client registered by hand.", rich_help_panel=_AUTH)
    ] = None
    client_secret: Annotated[
        str | None, Option(help="Locator of the client secret, secret:NAME.", rich_help_panel=_AUTH)
    ] = None
    issuer: Annotated[
        str | None, Option(help="Issuer that registered the client.", rich_help_panel=_AUTH)
    ] = None
    audience: Annotated[
        str | None,
        Option(help="Audience of signed tokens; default: the URL.", rich_help_panel=_AUTH),
    ] = None

    def as_stored(self) -> Row:
        """The ``auth`` of an origin."""
        options = vars(self) | {"grant": _GRANTS.get(self.token or "")}
        del options["token"]
        return {key: value for key, value in options.items() if value}


@dataclass
class Tls:
    """Options of the TLS of the connection."""

    pins: Annotated[
        list[str] | None,
        Option(
            "--pin", help="Accept only this public key, as sha256/BASE64.", rich_help_panel=_TLS
        ),
    ] = None
    ca_file: Annotated[
        Path | None,
        Option(help="PEM file of the certificate authorities to trust.", rich_help_panel=_TLS),
    ] = None
    client_certificate: Annotated[
        str | None,
        Option(
            "--client-cert", help="Client certificate: PEM file or locator.", rich_help_panel=_TLS
        ),
    ] = None
    client_key: Annotated[
        str | None, Option(help="Its private key: PEM file or locator.", rich_help_panel=_TLS)
    ] = None

    def as_stored(self) -> Row:
        """The ``tls`` of an origin."""
        ca_file = None if self.ca_file is None else str(self.ca_file.absolute())
        options = vars(self) | {"ca_file": ca_file}
        return {key: value for key, value in options.items() if value}


@noun.verb()
def add_command(
    qm: Qm,
    tls: Tls,
    auth: Auth,
    name: Annotated[str, Argument(help="Name of the new origin.")],
    command: Annotated[
        str | None, Option(help="Program with its arguments, quoted as one word.")
    ] = None,
    url: Annotated[str | None, Option(help="URL of the server's MCP endpoint.")] = None,
    sse: Annotated[bool, Option("--sse", help="The URL uses the older SSE transport.")] = False,
    env: Annotated[
        list[str] | None,
        Option(metavar="NAME=VALUE", help="Environment variable of the program; a secret."),
    ] = None,
    header: Annotated[
        list[str] | None, Option(metavar="NAME=VALUE", help="Header of every request; a secret.")
    ] = None,
    description: Annotated[str, Option(help="Purpose of the server.")] = "",
    cwd: Annotated[str | None, Option(help="Working directory of the program.")] = None,
    replace: Annotated[bool, Option("--replace", help="Replace the origin of that name.")] = False,
    wait: Wait = True,
) -> list[Row]:
    """Add a server and read its tools.

    Values of --env and --header are kept as secrets; ${VAR} in them is read when the server starts.
    """
    from quartermaster.catalog.importers.origin_definition import define_origin

    server: Row = {"url": url, "env": _pairs("--env", env), "description": description}
    server |= {"headers": _pairs("--header", header), "cwd": cwd}
    if command is not None:
        program, *args = shlex.split(command) or [""]
        server |= {"command": program, "args": args}
    elif url is not None and sse:
        server["type"] = "sse"
    given = {key: value for key, value in server.items() if value not in (None, "", {})}
    try:
        origin = define_origin(name, given, None, [])
    except ValueError as reason:
        raise QmError(
            422,
            "origin_invalid",
            f"{name}: {reason}",
            "Give either --command or --url; see qm origin add --help.",
        ) from None
    if not replace and any(row["name"] == name for row in qm.call("list_origins")):
        raise QmError(
            409,
            "origin_exists",
            f"An origin called {name!r} already exists.",
            "Choose another name, or replace that origin with --replace.",
        )
    secrets = open_store(qm.data_dir)
    for secret, value in origin.secrets.items():
        secrets.put(secret, value)
    trust: Row = {"auth": auth.as_stored(), "tls": tls.as_stored()}
    qm.call("add_origin", **origin.arguments, replace=replace, **trust)
    qm.say(f"{'Replaced' if replace else 'Added'} {name}.")
    if trust["auth"].get("grant") == "authorization_code":
        note(f"Log in to {name} with: qm origin login {name}")
        return []
    for sentence in missing_values(origin):
        note(sentence)
    requested = qm.call("request_refresh", name=name)
    return [*finish_refreshes(qm, requested, wait=wait)]


def _pairs(option: str, given: list[str] | None) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals or not name:
            # The text may contain a credential, so the error does not repeat it.
            raise typer.BadParameter(f"{option} must be NAME=VALUE")
        pairs[name] = value
    return pairs
