"""Options of ``qm origin add`` that say how requests are authorised and which TLS is spoken."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

_AUTH = "Authorisation"
_TLS = "TLS"

Token = Annotated[
    Literal["login", "client", "signed"] | None,
    typer.Option(
        help="Tokens by OAuth: a person logs in (qm origin login), or a client with its secret;"
        " or short-lived ones that this service signs.",
        rich_help_panel=_AUTH,
    ),
]
PerPrincipal = Annotated[
    bool,
    typer.Option(
        "--per-principal",
        help="Each principal has credentials of their own there.",
        rich_help_panel=_AUTH,
    ),
]
Scope = Annotated[str | None, typer.Option(help="Asked for.", rich_help_panel=_AUTH)]
ClientId = Annotated[
    str | None, typer.Option(help="Of a client registered by hand.", rich_help_panel=_AUTH)
]
ClientSecret = Annotated[
    str | None, typer.Option(help="Its locator, secret:NAME.", rich_help_panel=_AUTH)
]
Issuer = Annotated[str | None, typer.Option(help="Who registered it.", rich_help_panel=_AUTH)]
Audience = Annotated[
    str | None, typer.Option(help="Of signed tokens; else its address.", rich_help_panel=_AUTH)
]
Pins = Annotated[
    list[str] | None,
    typer.Option("--pin", help="sha256/BASE64 of a key it may have.", rich_help_panel=_TLS),
]
CaFile = Annotated[
    Path | None, typer.Option(help="PEM file of the authorities to trust.", rich_help_panel=_TLS)
]
ClientCertificate = Annotated[
    str | None,
    typer.Option("--client-cert", help="PEM file or locator.", rich_help_panel=_TLS),
]
ClientKey = Annotated[str | None, typer.Option(help="PEM file or locator.", rich_help_panel=_TLS)]

_GRANTS = {
    "login": "authorization_code",
    "client": "client_credentials",
    "signed": "signed",
    None: None,
}


def auth_of(
    token: str | None,
    per_principal: bool,
    scope: str | None,
    client_id: str | None,
    client_secret: str | None,
    issuer: str | None,
    audience: str | None,
) -> dict[str, Any]:
    """The ``auth`` of an origin; what was not given is left out."""
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


def tls_of(
    pins: list[str] | None,
    ca_file: Path | None,
    client_certificate: str | None,
    client_key: str | None,
) -> dict[str, Any]:
    """The ``tls`` of an origin; what was not given is left out."""
    given = {
        "pins": pins or None,
        "ca_file": None if ca_file is None else str(ca_file.absolute()),
        "client_certificate": client_certificate,
        "client_key": client_key,
    }
    return {key: value for key, value in given.items() if value is not None}
