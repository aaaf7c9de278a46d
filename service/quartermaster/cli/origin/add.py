"""``qm origin add``: a server, how requests to it are authorised, and its TLS."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from quartermaster.cli.credentials import missing_values, open_store
from quartermaster.cli.options import DataDir, Dsn, Json, Wait
from quartermaster.cli.output import note, print_json, say
from quartermaster.cli.session import open_session
from quartermaster.cli.waiting import report_refreshes
from quartermaster.core.errors import QmError

_AUTH = "Authorisation"
_TLS = "TLS"

Token = Annotated[
    Literal["login", "client", "signed"] | None,
    typer.Option(
        help="How tokens are obtained. login: a person logs in by OAuth (qm origin login);"
        " client: OAuth with a client secret; signed: this service signs short-lived tokens.",
        rich_help_panel=_AUTH,
    ),
]
PerPrincipal = Annotated[
    bool,
    typer.Option(
        "--per-principal",
        help="Each principal uses their own credentials.",
        rich_help_panel=_AUTH,
    ),
]
Scope = Annotated[str | None, typer.Option(help="OAuth scopes to request.", rich_help_panel=_AUTH)]
ClientId = Annotated[
    str | None, typer.Option(help="Id of a client registered by hand.", rich_help_panel=_AUTH)
]
ClientSecret = Annotated[
    str | None,
    typer.Option(help="Locator of the client secret, secret:NAME.", rich_help_panel=_AUTH),
]
Issuer = Annotated[
    str | None, typer.Option(help="Issuer that registered the client.", rich_help_panel=_AUTH)
]
Audience = Annotated[
    str | None,
    typer.Option(help="Audience of signed tokens; default: the URL.", rich_help_panel=_AUTH),
]
Pins = Annotated[
    list[str] | None,
    typer.Option(
        "--pin", help="Accept only this public key, as sha256/BASE64.", rich_help_panel=_TLS
    ),
]
CaFile = Annotated[
    Path | None,
    typer.Option(help="PEM file of the certificate authorities to trust.", rich_help_panel=_TLS),
]
ClientCertificate = Annotated[
    str | None,
    typer.Option(
        "--client-cert", help="Client certificate: PEM file or locator.", rich_help_panel=_TLS
    ),
]
ClientKey = Annotated[
    str | None, typer.Option(help="Its private key: PEM file or locator.", rich_help_panel=_TLS)
]

_GRANTS = {
    "login": "authorization_code",
    "client": "client_credentials",
    "signed": "signed",
    None: None,
}


def add_command(
    name: Annotated[str, typer.Argument(help="Name of the new origin.")],
    command: Annotated[
        str | None, typer.Option(help="Program with its arguments, quoted as one word.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="URL of the server's MCP endpoint.")] = None,
    sse: Annotated[
        bool, typer.Option("--sse", help="The URL uses the older SSE transport.")
    ] = False,
    env: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Environment variable of the program; a secret."),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Header of every request; a secret."),
    ] = None,
    description: Annotated[str, typer.Option(help="Purpose of the server.")] = "",
    cwd: Annotated[str | None, typer.Option(help="Working directory of the program.")] = None,
    token: Token = None,
    per_principal: PerPrincipal = False,
    scope: Scope = None,
    client_id: ClientId = None,
    client_secret: ClientSecret = None,
    issuer: Issuer = None,
    audience: Audience = None,
    pin: Pins = None,
    ca_file: CaFile = None,
    client_cert: ClientCertificate = None,
    client_key: ClientKey = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the origin of that name.")
    ] = False,
    wait: Wait = True,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Add a server and read its tools.

    Values of --env and --header are kept as secrets; ${VAR} in them is read when the server starts.
    """
    from quartermaster.catalog.importers.origin_definition import define_origin

    server: dict[str, Any] = {"url": url, "env": _pairs("--env", env), "description": description}
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
    with open_session(data_dir, dsn) as session:
        secrets = open_store(data_dir)
        if not replace and any(row["name"] == name for row in session.call("list_origins")):
            raise QmError(
                409,
                "origin_exists",
                f"An origin called {name!r} already exists.",
                "Choose another name, or replace that origin with --replace.",
            )
        for secret, value in origin.secrets.items():
            secrets.put(secret, value)
        auth = _auth_of(token, per_principal, scope, client_id, client_secret, issuer, audience)
        tls = _tls_of(pin, ca_file, client_cert, client_key)
        session.call("add_origin", **origin.arguments, replace=replace, auth=auth, tls=tls)
        if not json:
            say(f"{'Replaced' if replace else 'Added'} {name}.")
        if auth.get("grant") == "authorization_code":
            note(f"Log in to {name} with: qm origin login {name}")
            if json:
                print_json([])
            return
        for sentence in missing_values(origin):
            note(sentence)
        requested = session.call("request_refresh", name=name)
        report_refreshes(session, requested, data_dir, wait=wait, as_json=json)


def _auth_of(
    token: str | None,
    per_principal: bool,
    scope: str | None,
    client_id: str | None,
    client_secret: str | None,
    issuer: str | None,
    audience: str | None,
) -> dict[str, Any]:
    """The ``auth`` of an origin, of the options given."""
    given = {
        "grant": _GRANTS[token],
        "per_principal": per_principal or None,
        "scope": scope,
        "client_id": client_id,
        "client_secret": client_secret,
        "issuer": issuer,
        "audience": audience,
    }
    return {key: value for key, value in given.items() if value is not None}


def _tls_of(
    pins: list[str] | None,
    ca_file: Path | None,
    client_certificate: str | None,
    client_key: str | None,
) -> dict[str, Any]:
    """The ``tls`` of an origin, of the options given."""
    given = {
        "pins": pins or None,
        "ca_file": None if ca_file is None else str(ca_file.absolute()),
        "client_certificate": client_certificate,
        "client_key": client_key,
    }
    return {key: value for key, value in given.items() if value is not None}


def _pairs(option: str, given: list[str] | None) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals or not name:
            # The text may contain a credential, so the error does not repeat it.
            raise typer.BadParameter(f"{option} must be NAME=VALUE")
        pairs[name] = value
    return pairs
