"""Who sent a bearer text, whichever kind it is."""

from __future__ import annotations

from dataclasses import replace

from quartermaster.db import Database, Principal
from quartermaster.identity.signing_keys import SigningKeys
from quartermaster.identity.tokens import TokenVerifier, is_token
from quartermaster.settings_auth import Oidc


class Bearers:
    """Finds the principal of a key or a token.

    Asked for every request, and the database with it: what was revoked or disabled is refused at
    once.

    Args:
        database: where principals and keys are.
        settings: of the tokens; without an issuer there are only keys.
    """

    def __init__(self, database: Database, settings: Oidc) -> None:
        self._database = database
        self._creates = settings.create_principals
        self._tokens: TokenVerifier | None = None
        if settings.issuer is not None:
            self._tokens = TokenVerifier(settings, SigningKeys(settings))

    async def find(self, bearer: str, toolset: str | None) -> Principal:
        """The principal, at the door of a toolset or of everything it may see.

        Raises:
            QmError: QM401 key_invalid, those of `TokenVerifier.verify` and
                `Database.authenticate_subject`, QM404 toolset_not_found.
        """
        if self._tokens is not None and is_token(bearer):
            subject = await self._tokens.verify(bearer, toolset)
            principal = await self._database.authenticate_subject(subject, creates=self._creates)
        else:
            principal = await self._database.authenticate(bearer)
        if toolset is None:
            return principal
        await self._database.call_one("find_toolset", principal, name=toolset)
        return replace(principal, toolset=toolset)
