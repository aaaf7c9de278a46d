"""Verifies bearer tokens (JWT): signature, issuer, audience, times, scopes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, cast

import jwt
from jwt.exceptions import ExpiredSignatureError, PyJWTError

from quartermaster.core.errors import QmError
from quartermaster.db import Role, Subject
from quartermaster.identity.signing_keys import SigningKeys
from quartermaster.settings.auth import Oidc

# Tokens of other types (logout tokens, DPoP proofs) are signed with the same keys.
_TYPES: Final = frozenset({"jwt", "at+jwt", "application/at+jwt"})
_ROLES: Final[tuple[Role, ...]] = ("admin", "operator", "user")


class TokenVerifier:
    """Verifies a token and returns its subject.

    Args:
        settings: with an issuer.
        keys: of the issuer.
    """

    def __init__(self, settings: Oidc, keys: SigningKeys) -> None:
        self._settings = settings
        self._keys = keys

    async def verify(self, token: str, toolset: str | None = None) -> Subject:
        """The subject of a token.

        Args:
            token: as it was sent.
            toolset: whose endpoint it was sent to: there, and only there, a token made for this
                endpoint will do as well as one made for the whole server.

        Raises:
            QmError: QM401 token_invalid, QM403 scope_missing, QM503 issuer_unavailable.
        """
        claims = await self._claims(token, toolset)
        missing = set(self._settings.required_scopes) - _scopes(claims)
        if missing:
            raise QmError(
                403,
                "scope_missing",
                f"The token lacks the scope {' '.join(sorted(missing))}.",
                "Ask the issuer for a token with these scopes.",
            )
        subject = _claim(claims, self._settings.subject_claim)
        if not isinstance(subject, str) or not subject:
            raise _invalid(f"it has no text in {self._settings.subject_claim}")
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
                raise _invalid(f"it is signed with {str(algorithm)[:20]!r}")
            if not isinstance(kind, str) or kind.lower() not in _TYPES:
                raise _invalid(f"it is of the type {str(kind)[:40]!r}")
            key = await self._keys.find(name, algorithm)
            if key is None:
                raise _invalid("its issuer has no such key")
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
            raise _invalid("it has expired") from error
        except PyJWTError as error:
            # Its text names the claim or the step at fault, never the token.
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
    """Tells whether a bearer text looks like a signed token; our keys contain no full stop."""
    return text.count(".") == 2


def _claim(claims: Mapping[str, object], path: str | None) -> object:
    """The claim with this name; otherwise the full stops in the name are a path to it."""
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
        raise _invalid("iat is not a time") from error


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
        "Get a new token from the issuer, made for this server.",
    )
