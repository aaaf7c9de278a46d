"""The authorisation settings of an origin, which the catalog stores as its ``auth``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from quartermaster.core.errors import QmError

GrantKind = Literal["authorization_code", "client_credentials", "signed"]


class OriginAuth(BaseModel):
    """How requests to an origin are authorised. A fixed bearer credential and fixed headers need
    none of these settings.

    Attributes:
        grant: how the service gets tokens. A person logs in (OAuth 2.1 with PKCE), the service logs
            in with a client secret, or the service signs the tokens itself. None means no tokens.
        per_principal: whether each principal has separate credentials for the origin.
        scope: scope to request; None requests the scope that the upstream asks for. client_id,
        client_secret, issuer: a client that was registered by hand; the secret is a locator.
        audience: audience of signed tokens; None means the origin's URL.
        lifetime_s: lifetime of signed tokens in seconds.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    grant: GrantKind | None = None
    per_principal: bool = False
    scope: str | None = None
    client_id: str | None = None
    client_secret: str | None = None
    issuer: str | None = None
    audience: str | None = None
    lifetime_s: float = 300.0

    @classmethod
    def from_mapping(cls, auth: Mapping[str, object]) -> Self:
        """Reads the settings from the catalog.

        Raises:
            QmError: QM422 origin_invalid.
        """
        try:
            return cls.model_validate(auth)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            raise QmError(
                422,
                "origin_invalid",
                f"The authorisation settings are invalid: {where}: {first['msg']}.",
                "Correct the settings with: qm origin add NAME --replace.",
            ) from None
