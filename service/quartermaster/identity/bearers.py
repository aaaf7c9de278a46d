"""Finds the principal behind a bearer text, which can be a key or a token."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cachetools import TTLCache

from quartermaster.core.errors import QmError
from quartermaster.db import Database, Principal, ShownKey, key_digest
from quartermaster.identity.signing_keys import SigningKeys
from quartermaster.identity.tokens import TokenVerifier, is_token
from quartermaster.settings.auth import Oidc

# The time is shorter than the minute after which the database records the use of a key again.
_REMEMBERED_S: Final = 50.0
_MANY: Final = 10_000


class Bearers:
    """Finds the principal of a key or a token.

    The database is asked for every request, so a revoked key or a disabled principal is refused at
    once. The owner of a key never changes, so it is cached for recently used keys. The request's
    first statement, or `check`, asks whether the key is still valid.

    Args:
        database: database that contains principals and keys.
        settings: token settings; without an issuer, only keys are accepted.
    """

    def __init__(self, database: Database, settings: Oidc) -> None:
        self._database = database
        self._known: TTLCache[bytes, Principal] = TTLCache(_MANY, _REMEMBERED_S)
        self._creates = settings.create_principals
        self._tokens: TokenVerifier | None = None
        if settings.issuer is not None:
            self._tokens = TokenVerifier(settings, SigningKeys(settings))

    async def find(self, bearer: str, toolset: str | None) -> Principal:
        """Finds the principal for a toolset's door, or for the door to the whole catalog.

        Raises:
            QmError: QM401 key_invalid, QM404 toolset_not_found, and the errors of
                `TokenVerifier.verify` and `Database.authenticate_subject`.
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
        """Checks a principal's key unless a statement has already done so.

        Raises:
            QmError: the errors of `Database.check`.
        """
        await self._database.check(principal)

    def forget(self, bearer: str) -> None:
        """Removes this key's principal from the cache."""
        self._known.pop(key_digest(bearer), None)

    def forget_all(self) -> None:
        """Removes all keys from the cache; never blocks."""
        self._known.clear()

    async def _of_key(self, key: str) -> Principal:
        digest = key_digest(key)
        known = self._known.get(digest)
        if known is not None:
            return replace(known, shown_key=ShownKey(key))
        found = self._known[digest] = await self._database.authenticate(key)
        return found
