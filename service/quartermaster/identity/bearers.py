"""Finds the principal of a bearer text, be it a key or a token."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cachetools import TTLCache

from quartermaster.core.errors import QmError
from quartermaster.db import Database, Principal, ShownKey, key_digest
from quartermaster.identity.signing_keys import SigningKeys
from quartermaster.identity.tokens import TokenVerifier, is_token
from quartermaster.settings.auth import Oidc

# Below the minute after which the database writes again when a key was used.
_REMEMBERED_S: Final = 50.0
_MANY: Final = 10_000


class Bearers:
    """Finds the principal of a key or a token.

    The database is asked for every request, so what was revoked or disabled is refused at once.
    Whose a key is does not change, so of one shown lately it is remembered; whether it is still
    good is asked by the request's first statement, or by `check`.

    Args:
        database: where principals and keys are.
        settings: of the tokens; without an issuer there are only keys.
    """

    def __init__(self, database: Database, settings: Oidc) -> None:
        self._database = database
        self._known: TTLCache[bytes, Principal] = TTLCache(_MANY, _REMEMBERED_S)
        self._creates = settings.create_principals
        self._tokens: TokenVerifier | None = None
        if settings.issuer is not None:
            self._tokens = TokenVerifier(settings, SigningKeys(settings))

    async def find(self, bearer: str, toolset: str | None) -> Principal:
        """Finds the principal, for the door of a toolset or the whole catalog.

        Raises:
            QmError: QM401 key_invalid, those of `TokenVerifier.verify` and
                `Database.authenticate_subject`, QM404 toolset_not_found.
        """
        if self._tokens is not None and is_token(bearer):
            subject = await self._tokens.verify(bearer, toolset)
            principal = await self._database.authenticate_subject(subject, creates=self._creates)
        else:
            principal = await self._of_key(bearer)
        if toolset is None:
            return principal
        try:
            await self._database.call_one("find_toolset", principal, name=toolset)
        except QmError:
            self.forget(bearer)
            raise
        return replace(principal, toolset=toolset)

    async def check(self, principal: Principal) -> None:
        """Checks the key of a principal if no statement has done so.

        Raises:
            QmError: those of `Database.check`.
        """
        await self._database.check(principal)

    def forget(self, bearer: str) -> None:
        """Forgets the principal of this key."""
        self._known.pop(key_digest(bearer), None)

    def forget_all(self) -> None:
        """Forgets all keys; never blocks."""
        self._known.clear()

    async def _of_key(self, key: str) -> Principal:
        digest = key_digest(key)
        known = self._known.get(digest)
        if known is not None:
            return replace(known, shown_key=ShownKey(key))
        found = self._known[digest] = await self._database.authenticate(key)
        return found
