"""Short-lived tokens (JWT) for one upstream, signed with this service's key."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final
from uuid import uuid4

from quartermaster.core.logs import register_secret
from quartermaster.secrets.signing_key import SigningKey

_LEFT: Final = 1 / 3
"""The smallest share of its lifetime that a token has left when it is sent."""


@dataclass(frozen=True)
class SignedTokens:
    """See `upstream.authorised.Authoriser`.

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
    _kept: dict[str, float] = field(default_factory=dict[str, float], compare=False, repr=False)

    async def token(self, rejected: str | None = None) -> str:
        """See `upstream.authorised.Authoriser.token`; never raises."""
        now = time.time()
        for kept, until in self._kept.items():
            if kept != rejected and now < until:
                return kept
        made = self.key.sign_token(self._claims(now))
        register_secret(made, passing=True)
        self._kept.clear()
        self._kept[made] = now + self.lifetime_s * (1 - _LEFT)
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
