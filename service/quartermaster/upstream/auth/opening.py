"""Turns an origin's definition into the headers of its requests, for one principal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from quartermaster.core.errors import QmError
from quartermaster.db import Principal
from quartermaster.secrets.locators import held_name, plain_name
from quartermaster.secrets.signing_key import SigningKey
from quartermaster.secrets.store import SecretStore, is_locator
from quartermaster.upstream.auth.grant import Grant
from quartermaster.upstream.auth.oauth_tokens import OAuthTokens, kept_grant
from quartermaster.upstream.auth.settings import OriginAuth
from quartermaster.upstream.auth.signed_tokens import SignedTokens
from quartermaster.upstream.authorised import Authoriser
from quartermaster.upstream.tls import TlsSettings

SERVICE_SUBJECT = "quartermaster"
"""The subject of signed tokens for requests of the service itself."""


@dataclass(frozen=True)
class Opener:
    """Resolves the credentials of one origin.

    Attributes:
        row: of api.get_connection.
        auth: of it.
        secrets: where they are kept.
        holder: whose they are; None: those that all share, and the service itself uses.
        issuer: this service, in tokens that it signs.
    """

    row: Mapping[str, Any]
    auth: OriginAuth
    secrets: SecretStore
    holder: Principal | None
    issuer: str

    def resolve(self, locator: str) -> str:
        """The value behind a locator, the holder's own.

        Raises:
            QmError: QM403 credential_missing: the holder has none; those of SecretStore.resolve.
        """
        scheme, _, name = locator.partition(":")
        if self.holder is None or scheme != "secret":
            return self.secrets.resolve(locator)
        value = self.secrets.find(self._name(name))
        if value is None:
            raise QmError(
                403,
                "credential_missing",
                f"{self.holder.name} has no own credential for the origin"
                f" {self.row['name']!r}, which requires one.",
                f"An operator can store one with `qm secret set {name} --principal"
                f" {self.holder.name}`.",
            )
        return value

    def resolve_mapping(self, mapping: Mapping[str, str]) -> dict[str, str]:
        """Environment or headers with resolved locators; raises as `resolve`."""
        return {
            key: self.resolve(value) if is_locator(value) else value
            for key, value in mapping.items()
        }

    def tls(self) -> TlsSettings:
        """The TLS settings, with certificate and key as PEM texts.

        Raises:
            QmError: QM422 origin_tls_invalid: a file cannot be read; those of `resolve`.
        """
        settings = TlsSettings.from_mapping(cast("dict[str, object]", self.row["tls"]))
        return replace(
            settings,
            client_certificate=self._pem(settings.client_certificate),
            client_key=self._pem(settings.client_key),
        )

    def authoriser(self, tls: TlsSettings) -> Authoriser | None:
        """The source of bearer tokens; None if there is none.

        Raises:
            QmError: QM403 login_needed: nobody has logged in.
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
                    self.row["name"], self.login_name, self.secrets, grant, self._command, tls
                )

    def grant(self) -> Grant | None:
        """The login kept for this upstream, unless it was one at another address, or by a client
        secret that is another now.

        Raises:
            QmError: those of `resolve`.
        """
        found = kept_grant(self.secrets, self.login_name)
        if found is None or (found.url, found.kind) != (self.row["url"], self.auth.grant):
            return None
        if found.kind == "client_credentials" and (
            found.is_revoked or found.client_secret != self.client_secret()
        ):
            return None
        return found

    def client_secret(self) -> str | None:
        """The client that was registered by hand; raises as `resolve`."""
        locator = self.auth.client_secret
        # It belongs to the service, whoever logs in through it.
        return None if locator is None else self.secrets.resolve(locator)

    @property
    def login_name(self) -> str:
        """Under which the store keeps the login."""
        return self._name(f"login/{plain_name(self.row['name'])}")

    def _name(self, name: str) -> str:
        holder = self.holder
        return name if holder is None else held_name(holder.id, holder.name, name)

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
                "Name a file that the service may read, or keep its text with `qm secret set`.",
            ) from error

    @property
    def _command(self) -> str:
        whose = f" --principal {self.holder.name}" if self.holder else ""
        return f"qm origin login {self.row['name']}{whose}"

    def _login_needed(self) -> QmError:
        who = self.holder.name if self.holder else "The service"
        return QmError(
            403,
            "login_needed",
            f"{who} is not logged in to the origin {self.row['name']!r}.",
            f"Log in with `{self._command}`.",
        )
