"""Which tokens are believed: those of the issuer, for this server, now, and no other."""

from __future__ import annotations

import base64
import hmac
import json
import time
import warnings
from collections.abc import Generator
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.warnings import InsecureKeyLengthWarning
from pydantic import ValidationError

from quartermaster.core.errors import QmError
from quartermaster.identity.bearers import TokenVerifier, is_token
from quartermaster.identity.signing_keys import SigningKeys
from quartermaster.settings.sections import OidcSettings
from tests.support.token_issuer import (
    AUDIENCE,
    TokenIssuer,
    new_curve,
    new_rsa,
    public_entry,
    token_issuer,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def issuer() -> Generator[TokenIssuer]:
    with token_issuer() as issuer:
        yield issuer


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def verifier(issuer: TokenIssuer, clock: Clock | None = None, **settings: Any) -> TokenVerifier:
    given = {"issuer": issuer.url, "audience": (AUDIENCE,), **settings}
    options = OidcSettings.model_validate(given)
    return TokenVerifier(options, SigningKeys(options, clock=clock or Clock()))


async def refusal(believer: TokenVerifier, token: str) -> str:
    with pytest.raises(QmError) as caught:
        await believer.verify(token)
    assert (caught.value.code, caught.value.slug) == ("QM401", "token_invalid")
    assert caught.value.hint
    assert token not in str(caught.value)
    return caught.value.message


def encoded(part: object) -> str:
    text = part if isinstance(part, bytes) else json.dumps(part).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


WRONG_CLAIMS: list[tuple[dict[str, Any], str]] = [
    ({"aud": "https://other.example"}, "audience"),
    ({"aud": None}, "aud"),
    ({"iss": "https://other.example"}, "issuer"),
    ({"iss": None}, "iss"),
    ({"exp": int(time.time()) - 3600}, "expired"),
    ({"exp": None}, "exp"),
    ({"iat": int(time.time()) + 3600}, "iat"),
    ({"iat": None}, "iat"),
    ({"nbf": int(time.time()) + 3600}, "nbf"),
    ({"sub": None}, "sub"),
    ({"sub": ""}, "sub"),
    ({"sub": 7}, "sub"),
]


async def test_claims_that_are_wrong_or_missing_are_refused(issuer: TokenIssuer):
    believer = verifier(issuer)
    for claims, word in WRONG_CLAIMS:
        message = await refusal(believer, issuer.sign(**claims))
        assert word in message or word == "nbf", (claims, message)


async def test_a_token_without_a_signature_is_refused(issuer: TokenIssuer):
    claims = jwt.decode(issuer.sign(), options={"verify_signature": False})
    for name in ("none", "None", "NONE"):
        forged = f"{encoded({'alg': name, 'kid': 'first'})}.{encoded(claims)}."
        assert "signature algorithm" in await refusal(verifier(issuer), forged)


async def test_a_public_key_is_no_shared_secret(issuer: TokenIssuer):
    public = issuer.keys["first"].public_key()
    secret = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    claims = jwt.decode(issuer.sign(), options={"verify_signature": False})
    head = f"{encoded({'alg': 'HS256', 'kid': 'first'})}.{encoded(claims)}"
    forged = f"{head}.{encoded(hmac.digest(secret, head.encode(), 'sha256'))}"
    assert "signature algorithm" in await refusal(verifier(issuer), forged)


async def test_a_shared_secret_that_the_issuer_publishes_is_not_used(issuer: TokenIssuer):
    issuer.published.append({"kty": "oct", "kid": "shared", "k": encoded(b"x" * 32)})
    forged = jwt.encode({"sub": "x"}, b"x" * 32, "HS256", {"kid": "shared"})
    assert "signature algorithm" in await refusal(verifier(issuer), forged)
    # Named as something that is allowed, it still is no key.
    relabelled = jwt.encode({"sub": "x"}, new_rsa(), "RS256", {"kid": "shared"})
    assert "no matching key" in await refusal(verifier(issuer), relabelled)


async def test_the_key_of_somebody_else_is_refused(issuer: TokenIssuer):
    own = dict(issuer.keys)
    issuer.keys["first"] = new_rsa()
    token = issuer.sign()
    issuer.keys = own
    assert "signature" in await refusal(verifier(issuer), token)
    assert "no matching key" in await refusal(
        verifier(issuer), issuer.sign(header={"kid": "made-up"})
    )


async def test_a_key_serves_its_own_algorithm_only(issuer: TokenIssuer):
    issuer.keys["curve"] = new_curve()
    believer = verifier(issuer, algorithms=("RS256", "PS256", "ES256"))
    assert (await believer.verify(issuer.sign("curve", "ES256"))).subject == "alice-1"
    assert (await believer.verify(issuer.sign(algorithm="PS256"))).subject == "alice-1"
    crossed = issuer.sign("curve", "ES256", header={"kid": "first"})
    assert "no matching key" in await refusal(believer, crossed)
    issuer.published.append(public_entry(("said", issuer.keys["first"])) | {"alg": "RS256"})
    issuer.keys["said"] = issuer.keys["first"]
    del issuer.keys["said"]
    other = issuer.sign(algorithm="PS256", header={"kid": "said"})
    assert "no matching key" in await refusal(verifier(issuer, algorithms=("PS256",)), other)


async def test_a_key_that_is_too_short_is_refused(issuer: TokenIssuer):
    issuer.keys["first"] = rsa.generate_private_key(65537, 1024)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InsecureKeyLengthWarning)
        token = issuer.sign()
    assert "1024 bits" in await refusal(verifier(issuer), token)


async def test_an_algorithm_that_is_not_allowed_is_refused(issuer: TokenIssuer):
    believer = verifier(issuer, algorithms=("ES256",))
    assert "the signature algorithm 'RS256' is not allowed" in await refusal(
        believer, issuer.sign()
    )


async def test_other_kinds_of_tokens_are_refused(issuer: TokenIssuer):
    believer = verifier(issuer)
    for kind in ("logout+jwt", "dpop+jwt", "secevent+jwt"):
        assert "type" in await refusal(believer, issuer.sign(header={"typ": kind}))
    assert (await believer.verify(issuer.sign(header={"typ": "at+jwt"}))).subject == "alice-1"


async def test_what_is_no_token_is_refused(issuer: TokenIssuer):
    for text in ("..", "a.b.c", f"{encoded([])}.{encoded({})}.x", "é.ü.ö"):
        assert is_token(text)
        await refusal(verifier(issuer), text)
    assert issuer.asked == []


async def test_clocks_may_be_apart_by_the_leeway(issuer: TokenIssuer):
    now = int(time.time())
    late = issuer.sign(exp=now - 20)
    early = issuer.sign(iat=now + 20, nbf=now + 20)
    tolerant, strict = verifier(issuer), verifier(issuer, leeway_s=0)
    for token in (late, early):
        assert (await tolerant.verify(token)).subject == "alice-1"
        await refusal(strict, token)


async def test_keys_are_fetched_once_and_again_when_a_new_one_is_named(issuer: TokenIssuer):
    clock = Clock()
    believer = verifier(issuer, clock)
    for _ in range(3):
        await believer.verify(issuer.sign())
    assert issuer.asked == ["/.well-known/openid-configuration", "/keys"]
    issuer.keys = {"second": new_rsa()}
    rotated = issuer.sign("second")
    # So soon after the last time nobody is asked: made-up names must not become requests.
    for _ in range(3):
        await refusal(believer, rotated)
    assert len(issuer.asked) == 2
    clock.now = 31
    assert (await believer.verify(rotated)).subject == "alice-1"
    assert len(issuer.asked) == 4


async def test_a_key_that_was_taken_away_is_forgotten_within_the_hour(issuer: TokenIssuer):
    clock = Clock()
    believer = verifier(issuer, clock, jwks_url=f"{issuer.url}/keys")
    stolen = issuer.sign()
    await believer.verify(stolen)
    issuer.keys = {"second": new_rsa()}
    clock.now = 3601
    assert "no matching key" in await refusal(believer, stolen)


async def test_an_issuer_that_is_away_stops_nobody_whose_key_is_known(issuer: TokenIssuer):
    clock = Clock()
    believer = verifier(issuer, clock)
    await believer.verify(issuer.sign())
    issuer.says = {}
    clock.now = 3601
    assert (await believer.verify(issuer.sign())).subject == "alice-1"


async def test_an_issuer_that_cannot_be_asked_is_told(issuer: TokenIssuer):
    clock = Clock()
    believer = verifier(issuer, clock)
    for says in ({"issuer": "https://other.example", "jwks_uri": f"{issuer.url}/keys"}, {}):
        issuer.says = says
        clock.now += 2
        asked = len(issuer.asked)
        for _ in range(3):
            with pytest.raises(QmError) as caught:
                await believer.verify(issuer.sign())
            assert (caught.value.code, caught.value.slug) == ("QM503", "issuer_unavailable")
        # Who comes at once after that is told the same without asking again.
        assert len(issuer.asked) == asked + 1
    clock.now += 2
    issuer.says = {"issuer": issuer.url, "jwks_uri": "http://evil.example/keys"}
    with pytest.raises(QmError, match="jwks_uri that uses HTTPS"):
        await believer.verify(issuer.sign())
    clock.now += 2
    issuer.says = {"issuer": issuer.url, "jwks_uri": f"{issuer.url}/keys"}
    assert (await believer.verify(issuer.sign())).subject == "alice-1"


async def test_a_token_for_a_toolset_serves_that_toolset_only(issuer: TokenIssuer):
    believer = verifier(issuer)
    narrow = issuer.sign(aud=f"{AUDIENCE}/reading")
    for toolset in (None, "writing"):
        with pytest.raises(QmError, match="audience"):
            await believer.verify(narrow, toolset)
    assert (await believer.verify(narrow, "reading")).subject == "alice-1"
    assert (await believer.verify(issuer.sign(), "reading")).subject == "alice-1"


async def test_scopes_are_required_however_they_are_written(issuer: TokenIssuer):
    believer = verifier(issuer, required_scopes=("mcp:use",))
    with pytest.raises(QmError) as caught:
        await believer.verify(issuer.sign(scope="other"))
    assert (caught.value.code, caught.value.slug) == ("QM403", "scope_missing")
    for claims in ({"scope": "other mcp:use"}, {"scp": ["mcp:use"]}, {"scp": "mcp:use"}):
        assert (await believer.verify(issuer.sign(**claims))).subject == "alice-1"


async def test_the_claims_of_the_settings_say_who_and_what(issuer: TokenIssuer):
    believer = verifier(
        issuer,
        subject_claim="oid",
        name_claim="preferred_username",
        organisation_claim="org",
        role_claim="realm_access.roles",
        roles={"qm-admins": "admin", "staff": "operator"},
    )
    said: dict[str, Any] = {"org": "acme", "oid": "o-1", "preferred_username": "Alice"}
    said["iat"] = 1_760_000_000
    for roles, role in ((["staff", "qm-admins"], "admin"), (["staff"], "operator"), ([], "user")):
        token = issuer.sign(**said, realm_access={"roles": roles})
        found = await believer.verify(token)
        assert (found.subject, found.name, found.role) == ("o-1", "Alice", role)
        assert found.organisation == "acme"
        assert found.issued_at.timestamp() == 1_760_000_000
    assert (await believer.verify(issuer.sign(**said))).role == "user"
    assert (await verifier(issuer).verify(issuer.sign(groups=["qm-admins"]))).role is None


def test_an_issuer_without_an_audience_or_over_plain_http_is_no_setting():
    for wrong in (
        {"issuer": "https://issuer.example"},
        {"issuer": "http://issuer.example", "audience": ["x"]},
        {"issuer": "https://a.example", "audience": ["x"], "jwks_url": "ftp://a.example"},
        {"issuer": "https://a.example", "audience": ["x"], "algorithms": ["HS256"]},
    ):
        with pytest.raises(ValidationError):
            OidcSettings.model_validate(wrong)
