"""Finds the principal of a bearer credential, which is a key or a token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, cast

import jwt
from cachetools import TTLCache
from jwt.exceptions import ExpiredSignatureError, PyJWTError

from quartermaster import api
from quartermaster.core.errors import QmError
from quartermaster.db import Database, Principal, Role, ShownKey, Subject, key_digest
from quartermaster.identity.signing_keys import SigningKeys
from quartermaster.settings.sections import OidcSettings

# Tokens of other types, such as logout tokens and DPoP proofs, are signed with the same keys, so
# they must be refused here.
_TYPES: Final = frozenset({"jwt", "at+jwt", "application/at+jwt"})
_ROLES: Final[tuple[Role, ...]] = ("admin", "operator", "user")
# This time is shorter than one minute, because the database records at most one use of a key per
# minute.
_REMEMBERED_S: Final = 50.0
_MAX_REMEMBERED_KEYS: Final = 10_000


class TokenVerifier:
    """Verifies signed tokens from an issuer.

    Args:
        settings: token settings that name an issuer.
        keys: the issuer's public keys.
    """

    def __init__(self, settings: OidcSettings, keys: SigningKeys) -> None:
        self._settings = settings
        self._keys = keys

    async def verify(self, token: str, toolset: str | None = None) -> Subject:
        """Verifies a token and returns its subject.

        Args:
            token: bearer token as the client sent it.
            toolset: toolset whose endpoint received the token; None for the main endpoint. A token
                for this toolset's endpoint is valid only there; a token for the whole server is
                also valid there.

        Raises:
            QmError: QM401 token_invalid, QM403 scope_missing, QM503 issuer_unavailable.
        """
        claims = await self._claims(token, toolset)
        missing = set(self._settings.required_scopes) - _scopes(claims)
        if missing:
            raise QmError(
                403,
                "scope_missing",
                f"The token does not have the required scope {' '.join(sorted(missing))}.",
                "Request a token with this scope from the issuer.",
            )
        subject = _claim(claims, self._settings.subject_claim)
        if not isinstance(subject, str) or not subject:
            raise _invalid(f"the claim {self._settings.subject_claim} is missing or is not text")
        name = _claim(claims, self._settings.name_claim)
        organisation = _claim(claims, self._settings.organisation_claim)
        return Subject(
            issuer=str(claims["iss"]),
            subject=subject,
            issued_at=_moment(claims["iat"]),
            name=name if isinstance(name, str) and name else None,
            role=self._role(claims),
            organisation=organisation if isinstance(organisation, str) else None,
        )

    async def _claims(self, token: str, toolset: str | None) -> dict[str, Any]:
        options = self._settings
        audience = [*options.audience]
        if toolset is not None:
            audience += [f"{whole.rstrip('/')}/{toolset}" for whole in options.audience]
        try:
            header = jwt.get_unverified_header(token)
            algorithm, name, kind = header.get("alg"), header.get("kid"), header.get("typ", "JWT")
            if algorithm not in options.algorithms:
                raise _invalid(f"the signature algorithm {str(algorithm)[:20]!r} is not allowed")
            if not isinstance(kind, str) or kind.lower() not in _TYPES:
                raise _invalid(f"the token type {str(kind)[:40]!r} is not accepted")
            key = await self._keys.find(name, algorithm)
            if key is None:
                raise _invalid("the issuer has no matching key")
            return jwt.decode(  # pyright: ignore[reportUnknownMemberType]
                token,
                key.key,
                algorithms=[algorithm],
                audience=audience,
                issuer=options.issuer,
                leeway=options.leeway_s,
                options={
                    "require": ["exp", "iat", "iss", "aud"],
                    "enforce_minimum_key_length": True,
                },
            )
        except ExpiredSignatureError as error:
            raise _invalid("the token has expired") from error
        except PyJWTError as error:
            # The error text names the claim or the step that failed, but never the token.
            raise _invalid(str(error)[:200].rstrip(".").lower()) from error

    def _role(self, claims: dict[str, Any]) -> Role | None:
        if self._settings.role_claim is None:
            return None
        said = _claim(claims, self._settings.role_claim)
        values = cast("list[object]", said) if isinstance(said, list) else [said]
        given = {self._settings.roles.get(str(value)) for value in values}
        for role in _ROLES:
            if role in given:
                return role
        return "user"


def is_token(text: str) -> bool:
    """Returns whether a bearer text looks like a signed token. Quartermaster keys contain no full
    stop.
    """
    return text.count(".") == 2


def _claim(claims: Mapping[str, object], path: str | None) -> object:
    """Returns the claim with the given name. If there is no such claim, uses the name as a path of
    nested members, separated by dots.
    """
    if path is None or path in claims:
        return claims.get(path or "")
    found: object = claims
    for step in path.split("."):
        found = cast("dict[str, Any]", found).get(step) if isinstance(found, dict) else None
    return found


def _moment(seconds: object) -> datetime:
    try:
        return datetime.fromtimestamp(float(str(seconds)), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise _invalid("the claim iat is not a valid time") from error


def _scopes(claims: dict[str, Any]) -> set[str]:
    said = claims.get("scope", claims.get("scp", ""))
    if isinstance(said, str):
        return set(said.split())
    return {str(scope) for scope in cast("list[object]", said)} if isinstance(said, list) else set()


def _invalid(reason: str) -> QmError:
    return QmError(
        401,
        "token_invalid",
        f"The token cannot be used: {reason}.",
        "Get a new token for this server from the issuer.",
    )


class Bearers:
    """Finds the principal of a key or a token.

    The database checks every request, so a revoked key or a disabled principal is refused
    immediately. The owner of a key never changes, so the owners of recently used keys are cached.
    The first statement of a request, or `check`, checks that the key is still valid.

    Args:
        database: database that contains principals and keys.
        settings: token settings; without an issuer, only keys are accepted.
    """

    def __init__(self, database: Database, settings: OidcSettings) -> None:
        self._database = database
        self._known: TTLCache[bytes, Principal] = TTLCache(_MAX_REMEMBERED_KEYS, _REMEMBERED_S)
        self._creates = settings.create_principals
        self._tokens: TokenVerifier | None = None
        if settings.issuer is not None:
            self._tokens = TokenVerifier(settings, SigningKeys(settings))

    async def find(self, bearer: str, toolset: str | None) -> Principal:
        """Finds the principal of a bearer credential, for a toolset's door or for the door to the
        whole catalog.

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
            await self._database.call_one(api.find_toolset(name=toolset), principal)
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
        """Removes the principal of a key from the cache."""
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
