"""The token issuer's public keys. They are fetched at first use, then every hour, and when a token
names a new key.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

import anyio
import httpx2
from jwt import PyJWK
from jwt.exceptions import PyJWTError

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.settings.sections import OidcSettings, is_safe_url

_TIMEOUT_S: Final = 10.0
_MAX_BYTES: Final = 1024 * 1024
_CACHE_S: Final = 3600.0
# Without this pause, each token with a made-up key name would cause a request to the issuer.
_PAUSE_S: Final = 30.0
# Nobody can log in until there is a key, so this pause is short.
_RETRY_S: Final = 1.0
_KEY_TYPES: Final = frozenset({"RSA", "EC", "OKP"})
_OF_RSA: Final = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
_log = get_logger(part="signing_keys")


async def fetch_object(url: str) -> dict[str, Any]:
    """Fetches the JSON object at a URL; does not follow redirects.

    Raises:
        QmError: QM503 issuer_unavailable.
    """
    body = bytearray()
    try:
        async with (
            httpx2.AsyncClient(timeout=_TIMEOUT_S) as http,
            http.stream("GET", url, headers={"accept": "application/json"}) as answer,
        ):
            if answer.status_code != 200:
                raise unavailable(f"{url} answered HTTP {answer.status_code}")
            async for part in answer.aiter_bytes():
                body += part
                if len(body) > _MAX_BYTES:
                    raise unavailable(f"{url} sent more than {_MAX_BYTES} bytes")
        found: object = json.loads(body)
    except (httpx2.HTTPError, ValueError) as error:
        raise unavailable(f"{url}: {error or type(error).__name__}") from error
    if not isinstance(found, dict):
        raise unavailable(f"{url} did not send a JSON object")
    return cast("dict[str, Any]", found)


def unavailable(message: str) -> QmError:
    """Returns the error QM503 issuer_unavailable."""
    return QmError(
        503,
        "issuer_unavailable",
        f"The token issuer's keys could not be fetched: {message}.",
        "Try again shortly. If it fails again, check auth.oidc in the settings.",
    )


@dataclass(frozen=True)
class _Key:
    """A public key, and the algorithms with which it may be used."""

    key: PyJWK
    algorithms: frozenset[str]


class SigningKeys:
    """The public keys that verify signed tokens.

    Args:
        settings: token settings; only issuer and jwks_url are used.
        clock: function that returns the time in seconds; tests replace it.
    """

    def __init__(
        self,
        settings: OidcSettings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._keys: dict[str | None, _Key] = {}
        self._asked_at = self._fetched_at = float("-inf")
        self._failure: QmError | None = None
        self._asking = anyio.Lock()

    async def find(self, name: str | None, algorithm: str) -> PyJWK | None:
        """Finds a key by its name and algorithm; returns None if there is no such key.

        Args:
            name: the token's ``kid``; it can be None if the issuer has only one key.
            algorithm: the token's ``alg``.

        Raises:
            QmError: QM503 issuer_unavailable if no keys have been fetched yet.
        """
        key = self._known(name)
        if key is None or self._clock() - self._fetched_at >= _CACHE_S:
            await self._renew()
            key = self._known(name)
        return key.key if key is not None and algorithm in key.algorithms else None

    def _known(self, name: str | None) -> _Key | None:
        if name is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(name)

    async def _renew(self) -> None:
        async with self._asking:
            pause = _PAUSE_S if self._keys else _RETRY_S
            if self._clock() - self._asked_at < pause:
                if self._failure is not None and not self._keys:
                    raise self._failure
                return
            try:
                self._keys = _usable(await fetch_object(await self._address()))
                self._failure = None
                self._fetched_at = self._clock()
            except QmError as error:
                self._failure = error
                if not self._keys:
                    raise
                _log.warning("keys_not_renewed", error=str(error))
            finally:
                # The time is set in every case, so that other tasks that are waiting do not fetch
                # the keys again.
                self._asked_at = self._clock()

    async def _address(self) -> str:
        if self._settings.jwks_url is not None:
            return self._settings.jwks_url
        issuer = self._settings.issuer or ""
        about = await fetch_object(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
        if about.get("issuer") != issuer:
            raise unavailable(
                f"the configuration that {issuer} publishes names a different issuer: "
                f"{str(about.get('issuer'))[:200]!r}"
            )
        address = about.get("jwks_uri")
        if not isinstance(address, str) or not is_safe_url(address):
            raise unavailable(f"{issuer} does not publish a jwks_uri that uses HTTPS")
        return address


def _usable(found: dict[str, Any]) -> dict[str | None, _Key]:
    """Returns the usable public keys for signatures, by name."""
    keys: dict[str | None, _Key] = {}
    listed = found.get("keys")
    for given in cast("list[object]", listed) if isinstance(listed, list) else []:
        entry = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
        if entry.get("kty") in _KEY_TYPES and entry.get("use", "sig") == "sig":
            try:
                key = PyJWK(entry)
                # An RSA key that names no algorithm works with all RSA algorithms; a key on an
                # elliptic curve works with only one algorithm.
                is_open = entry["kty"] == "RSA" and "alg" not in entry
                keys[entry.get("kid")] = _Key(
                    key, _OF_RSA if is_open else frozenset({key.algorithm_name})
                )
            except (PyJWTError, TypeError, ValueError) as error:
                _log.warning(
                    "key_unusable", kid=str(entry.get("kid"))[:100], error=str(error)[:100]
                )
    return keys
