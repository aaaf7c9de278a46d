"""Authorisation settings of an origin: its ``auth`` in the catalog."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from quartermaster.core.errors import QmError

GrantKind = Literal["authorization_code", "client_credentials", "signed"]


class OriginAuth(BaseModel):
    """Beside a fixed bearer credential and headers, which need none of this.

    Attributes:
        grant: how tokens are had: a person logs in (OAuth 2.1 with PKCE), the service does with
            a client secret, or it signs them itself; None: no tokens.
        per_principal: whether each principal has credentials of their own there.
        scope: asked for; None: what the upstream asks for.
        client_id, client_secret, issuer: of a client registered by hand, the secret as a locator.
        audience: of signed tokens; None: the URL.
        lifetime_s: of signed tokens.
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
        """Reads them from the catalog.

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
                "Correct them with: qm origin add NAME --replace.",
            ) from None
