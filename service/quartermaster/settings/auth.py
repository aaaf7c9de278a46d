"""Settings for authentication with the tokens of one issuer, in addition to keys."""

from __future__ import annotations

from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from quartermaster.settings.base import Names, NotNegative, Section

# All of these algorithms use a private key. With a shared secret, everyone who can verify could
# also sign.
Algorithm = Literal[
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
]
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Oidc(Section):
    """An issuer of bearer tokens (JWT); without ``issuer``, tokens are not accepted."""

    issuer: str | None = None
    audience: Names = ()
    jwks_url: str | None = None
    algorithms: tuple[Algorithm, ...] = ("RS256", "ES256", "EdDSA")
    subject_claim: str = Field(default="sub", min_length=1)
    name_claim: str | None = None
    role_claim: str | None = None
    roles: dict[str, Literal["user", "operator", "admin"]] = Field(default_factory=dict)
    organisation_claim: str | None = None
    required_scopes: Names = ()
    leeway_s: NotNegative = 30
    create_principals: bool = False

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.issuer is not None and not self.audience:
            # Without an audience, a token for any other service of the same issuer would be
            # accepted.
            raise ValueError("an issuer needs an audience")
        for url in (self.issuer, self.jwks_url):
            if url is not None and not is_safe_url(url):
                raise ValueError(f"{url} neither uses https nor is on this machine")
        return self


class Auth(Section):
    """Settings for authentication."""

    oidc: Oidc = Oidc()


def is_safe_url(url: str) -> bool:
    """Whether data from this URL is protected against changes in transit."""
    parts = urlsplit(url)
    return bool(parts.hostname) and (
        parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
    )
