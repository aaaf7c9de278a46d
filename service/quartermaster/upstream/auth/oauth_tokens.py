"""Provides the tokens of a login to an upstream. Of the processes that share the secret store, only
one at a time renews the tokens.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from typing import Final

import anyio
import anyio.to_thread
import httpx2
from pydantic import ValidationError

from quartermaster.core.locks import FileLock
from quartermaster.secrets.store import SecretStore
from quartermaster.upstream.auth.grant import TIMEOUT, Grant, NotNowError, RevokedError, renew
from quartermaster.upstream.egress import CheckedTransport
from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.tls import TlsSettings, tls_context

_LOOK_AGAIN_S: Final = 0.05
_RENEWAL_S: Final = 30.0
_LOCK_TIMEOUT_S: Final = 40.0
_PAUSE_S: Final = 5.0
"""Pause after a failed renewal. No request is sent to the issuer before the pause ends."""


@dataclass(eq=False, repr=False)
class OAuthTokens:
    """Implements `Authoriser` with the tokens of a login.

    The renewal lock is a file next to the store that contains the tokens. Processes that share the
    tokens therefore share the lock. The kernel releases the lock when the process that has it dies.
    The lock needs no database.

    Attributes:
        origin: name of the upstream, for error messages.
        name: name of the login in the store.
        store: secret store that contains the login.
        grant: the login as the store contains it now.
        login: command that logs in again, for error hints.
        tls: TLS settings with the certificate authorities to trust for the issuer.
        networks: networks to which connections are allowed although they are not public.
    """

    origin: str
    name: str
    store: SecretStore
    grant: Grant
    login: str
    tls: TlsSettings
    networks: Sequence[str]
    _turn: anyio.Lock = field(default_factory=anyio.Lock, init=False)
    _paused_until: float = field(default=0.0, init=False)
    _failure: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self._identity = (self.store.folder, self.name, self.grant.id, self.grant.url)
        self.tls = TlsSettings(verify=self.tls.verify, ca_file=self.tls.ca_file)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OAuthTokens) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    async def token(self, rejected: str | None = None) -> str:
        """See `upstream.authorised.Authoriser.token`."""
        if not self._serves(self.grant, rejected):
            async with self._turn:
                if not self._serves(self.grant, rejected):
                    await self._renew(rejected)
        return self.grant.access_token

    def _serves(self, grant: Grant, rejected: str | None) -> bool:
        return grant.lasts() and grant.access_token != rejected

    async def _renew(self, rejected: str | None) -> None:
        if time.monotonic() < self._paused_until:
            self._not_now(self._failure, rejected)
            return
        async with self._alone():
            stored = await read_grant(self.store, self.name)
            if stored is None or stored.url != self.grant.url:
                raise self._over("was ended")
            if stored.is_revoked:
                raise self._over("is over")
            # Another process has renewed the login, or the user has logged in again.
            self.grant = stored
            if self._serves(stored, rejected):
                return
            try:
                self.grant = await self._renewed(stored)
            except NotNowError as error:
                self._paused_until = time.monotonic() + _PAUSE_S
                self._failure = str(error)
                self._not_now(self._failure, rejected)
                return
            except RevokedError as error:
                if stored.refresh_token or not stored.lasts(0):
                    await keep_grant(self.store, self.name, stored.revoked())
                raise self._over(f"has ended: {error}") from None

    async def _renewed(self, stored: Grant) -> Grant:
        """Renews the tokens and stores them; returns the new grant.

        Raises:
            RevokedError, NotNowError: the login has ended, or cannot be renewed now.
        """
        # The new tokens must be stored even if the waiting task is cancelled, because they are
        # issued only once.
        with anyio.move_on_after(_RENEWAL_S, shield=True):
            transport = CheckedTransport(tls_context(self.tls), self.networks)
            async with httpx2.AsyncClient(transport=transport, timeout=TIMEOUT) as client:
                renewed = await renew(stored, client)
            await keep_grant(self.store, self.name, renewed)
            return renewed
        raise NotNowError("the token issuer did not answer in time")

    def _not_now(self, why: str, rejected: str | None) -> None:
        """Raises an error if the current token is not valid any more or was rejected.

        Raises:
            UpstreamError: QM502 upstream_network.
        """
        if self.grant.lasts(0) and self.grant.access_token != rejected:
            return
        what = f"cannot renew its login at present: {why}."
        hint = "The login is kept, and a later call tries again."
        raise UpstreamError("network", self.origin, what, hint=hint)

    def _over(self, what: str) -> UpstreamError:
        hint = f"Log in again with `{self.login}`."
        return UpstreamError("auth", self.origin, f"cannot be used: its login {what}.", hint=hint)

    @asynccontextmanager
    async def _alone(self) -> AsyncGenerator[None]:
        path = self.store.folder / f"login-{self.name.replace('/', '-')}.lock"
        with closing(FileLock(path)) as lock:
            with anyio.move_on_after(_LOCK_TIMEOUT_S) as waiting:
                while not lock.try_claim():  # noqa: ASYNC110 - of another process, no event comes
                    await anyio.sleep(_LOOK_AGAIN_S)
            if waiting.cancelled_caught:
                what = "is busy: another process is still renewing its login."
                raise UpstreamError("timeout", self.origin, what)
            yield


async def read_grant(store: SecretStore, name: str) -> Grant | None:
    """Reads the login with this name; returns None if it is missing or unreadable.

    Raises:
        QmError: the errors of `SecretStore`.
    """
    return await anyio.to_thread.run_sync(stored_grant, store, name)


def stored_grant(store: SecretStore, name: str) -> Grant | None:
    """Does the same as `read_grant`, but blocks; call it in a thread."""
    text = store.find(name)
    if text is None:
        return None
    try:
        grant = Grant.model_validate_json(text)
    except ValidationError:
        return None
    grant.hide()
    return grant


async def keep_grant(store: SecretStore, name: str, grant: Grant) -> None:
    """Stores a login in place of the previous one.

    Raises:
        QmError: the errors of `SecretStore`.
    """
    grant.hide()
    await anyio.to_thread.run_sync(store.put, name, grant.model_dump_json())
