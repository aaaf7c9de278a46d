"""Resolves the credentials in an origin's definition for the requests of a principal to the
origin.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, cast
from uuid import uuid4

import httpx2

from quartermaster.core.errors import QmError
from quartermaster.core.logs import register_secret
from quartermaster.db import Principal
from quartermaster.secrets.locators import held_name, plain_name
from quartermaster.secrets.references import filled
from quartermaster.secrets.signing_key import SigningKey
from quartermaster.secrets.store import SecretStore, is_locator
from quartermaster.upstream.auth.grant import Grant
from quartermaster.upstream.auth.oauth_tokens import OAuthTokens, stored_grant
from quartermaster.upstream.auth.settings import OriginAuth
from quartermaster.upstream.spec import Authoriser
from quartermaster.upstream.tls import TlsSettings

_RESERVED_PREFIXES: Final = ("login/", "principals/")
_LIFETIME_SHARE_LEFT: Final = 1 / 3
"""A token is sent only if at least this share of its lifetime is left."""
SERVICE_SUBJECT = "quartermaster"
"""The subject of signed tokens for requests that the service itself makes."""


@dataclass(frozen=True)
class SignedTokens:
    """Implements `Authoriser` with tokens that the service signs.

    Attributes:
        issuer: name by which upstreams know this service.
        audience: the only upstream that may accept the tokens.
        subject: principal on whose behalf requests are made.
        scope: scope of the tokens; None leaves it out.
        lifetime_s: lifetime of each token in seconds.
        key: key that signs the tokens.
    """

    issuer: str
    audience: str
    subject: str
    scope: str | None
    lifetime_s: float
    key: SigningKey = field(compare=False, repr=False)
    _expiries: dict[str, float] = field(default_factory=dict[str, float], compare=False, repr=False)

    async def token(self, rejected: str | None = None) -> str:
        """Returns a token; see `Authoriser.token`. Never raises an error."""
        now = time.time()
        for stored, until in self._expiries.items():
            if stored != rejected and now < until:
                return stored
        made = self.key.sign_token(self._claims(now))
        register_secret(made, passing=True)
        self._expiries.clear()
        self._expiries[made] = now + self.lifetime_s * (1 - _LIFETIME_SHARE_LEFT)
        return made

    def _claims(self, now: float) -> dict[str, str | int]:
        claims: dict[str, str | int] = {
            "iss": self.issuer,
            "aud": self.audience,
            "sub": self.subject,
            "iat": int(now),
            "exp": int(now + self.lifetime_s),
            "jti": uuid4().hex,
        }
        return claims if self.scope is None else {**claims, "scope": self.scope}


@dataclass(frozen=True)
class Opener:
    """Resolves the credentials for one origin.

    Attributes:
        row: row from service.get_connection.
        auth: authorisation settings in that row.
        secrets: secret store that contains the credentials.
        holder: principal that owns the credentials; None for the shared credentials, which the
            service itself also uses.
        issuer: name of this service in the tokens that it signs.
    """

    row: Mapping[str, Any]
    auth: OriginAuth
    secrets: SecretStore
    holder: Principal | None
    issuer: str

    def resolve(self, locator: str) -> str:
        """Returns the holder's own value for a locator.

        Raises:
            QmError: QM403 credential_missing if the holder has stored no value, QM403 secret_bound
                if the value was stored for another address, QM403 secret_reserved, and the errors
                of SecretStore.resolve.
        """
        scheme, _, name = locator.partition(":")
        if scheme != "secret":
            return self.secrets.resolve(locator)
        if name.startswith(_RESERVED_PREFIXES):
            raise QmError(
                403,
                "secret_reserved",
                f"The credential {name!r} is a login or belongs to a principal, so an origin cannot"
                " refer to it.",
                "Store the value under another name, such as ORIGIN/TOKEN, with `qm secret set`.",
            )
        self.secrets.bindings.require(self._name(name), self.row["name"], self._address)
        if self.holder is None:
            return self.secrets.resolve(locator)
        value = self.secrets.find(self._name(name))
        if value is None:
            raise QmError(
                403,
                "credential_missing",
                f"{self.holder.name} has no personal credential for the origin"
                f" {self.row['name']!r}, which requires one.",
                f"An operator can store one with `qm secret set {name} --principal"
                f" {self.holder.name}`.",
            )
        return value

    def resolve_mapping(self, mapping: Mapping[str, str]) -> dict[str, str]:
        """Resolves the locators in an environment or headers; raises the errors of `resolve`."""
        return {
            key: self.resolve(value) if is_locator(value) else value
            for key, value in mapping.items()
        }

    def filled(self, text: str) -> str:
        """Returns a text with its references replaced by values; raises the errors of `resolve`."""
        return filled(text, self.resolve)

    def tls(self) -> TlsSettings:
        """Returns the TLS settings, with the certificate and key as PEM texts.

        Raises:
            QmError: QM422 origin_tls_invalid if a file cannot be read, and the errors of `resolve`.
        """
        settings = TlsSettings.from_mapping(cast("dict[str, object]", self.row["tls"]))
        return replace(
            settings,
            client_certificate=self._pem(settings.client_certificate),
            client_key=self._pem(settings.client_key),
        )

    def authoriser(self, tls: TlsSettings) -> Authoriser | None:
        """Returns the source of bearer tokens; None if the origin uses none.

        Raises:
            QmError: QM403 login_needed if nobody has logged in.
        """
        url = str(self.row["url"])
        match self.auth.grant:
            case None:
                return None
            case "signed":
                return SignedTokens(
                    self.issuer,
                    self.auth.audience or url,
                    self.holder.name if self.holder else SERVICE_SUBJECT,
                    self.auth.scope,
                    self.auth.lifetime_s,
                    SigningKey.open(self.secrets.folder),
                )
            case "authorization_code" | "client_credentials":
                grant = self.grant()
                if grant is None:
                    raise self._login_needed()
                return OAuthTokens(
                    self.row["name"],
                    self.login_name,
                    self.secrets,
                    grant,
                    self._command,
                    tls,
                    # The outage copy may contain a definition from an earlier release.
                    self.row.get("networks") or [],
                )

    def grant(self) -> Grant | None:
        """Returns the stored login for this upstream. Ignores a login to another URL, and a login
        with a client secret that has changed since.

        Raises:
            QmError: the errors of `resolve`.
        """
        found = stored_grant(self.secrets, self.login_name)
        if found is None or (found.url, found.kind) != (self.row["url"], self.auth.grant):
            return None
        if found.kind == "client_credentials" and (
            found.is_revoked or found.client_secret != self.client_secret()
        ):
            return None
        return found

    def client_secret(self) -> str | None:
        """Returns the secret of the client that was registered by hand; raises the errors of
        `resolve`.
        """
        locator = self.auth.client_secret
        # The client credentials belong to the service, even if a principal logs in with them.
        return None if locator is None else self.secrets.resolve(locator)

    @property
    def login_name(self) -> str:
        """Returns the name under which the store keeps the login."""
        return self._name(f"login/{plain_name(self.row['name'])}")

    def _name(self, name: str) -> str:
        holder = self.holder
        return name if holder is None else held_name(holder.id, holder.name, name)

    @property
    def _address(self) -> str:
        if self.row["transport"] == "stdio":
            return "stdio"
        url = httpx2.URL(self.row["url"])
        return f"{url.scheme}://{url.netloc.decode()}"

    def _pem(self, given: str | None) -> str | None:
        if given is None:
            return None
        if is_locator(given):
            return self.resolve(given)
        try:
            return Path(given).read_text(encoding="ascii")
        except (OSError, ValueError) as error:
            raise QmError(
                422,
                "origin_tls_invalid",
                f"{given} cannot be read as a PEM file ({type(error).__name__}).",
                "Give a file that the service may read, or store the text of the file with "
                "`qm secret set`.",
            ) from error

    @property
    def _command(self) -> str:
        whose = f" --principal {self.holder.name}" if self.holder else ""
        return f"qm origin login {shlex.quote(self.row['name'])}{whose}"

    def _login_needed(self) -> QmError:
        who = self.holder.name if self.holder else "The service"
        return QmError(
            403,
            "login_needed",
            f"{who} is not logged in to the origin {self.row['name']!r}.",
            f"Log in with `{self._command}`.",
        )
