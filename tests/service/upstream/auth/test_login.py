"""A login at an upstream, against the SDK's own issuer."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from quartermaster.core.errors import QmError
from quartermaster.core.logs import mask
from quartermaster.upstream.auth.login import log_in, log_in_by_secret
from quartermaster.upstream.auth.loopback import open_loopback
from quartermaster.upstream.auth.settings import OriginAuth
from quartermaster.upstream.tls import TlsSettings
from tests.service.upstream.auth.logins import Browser, grant_of
from tests.support.guarded_upstream import MACHINE, GuardedUpstream, guarded_upstream
from tests.support.origins import LOOPBACK

pytestmark = pytest.mark.anyio


async def test_a_person_logs_in_once_and_tokens_are_kept_with_where_to_renew_them(
    upstream: GuardedUpstream,
) -> None:
    browser = Browser()
    async with open_loopback() as loopback:
        grant = await log_in(
            upstream.url,
            OriginAuth(grant="authorization_code"),
            None,
            TlsSettings(),
            loopback.url,
            (LOOPBACK,),
            loopback.showing(browser.show),
            loopback.result,
        )
    asked = parse_qs(urlsplit(browser.opened[0]).query)
    [form] = upstream.token_requests

    assert asked["code_challenge_method"] == ["S256"]
    assert asked["resource"] == [upstream.url]
    assert form["code_verifier"] != asked["code_challenge"][0]
    assert browser.page == "Done. You can close this window."
    assert list(upstream.registered) == [grant.client_id]
    assert (grant.url, grant.resource, grant.scope) == (upstream.url, upstream.url, "tools")
    assert grant.token_endpoint == upstream.url.replace("/mcp", "/token")
    assert grant.refresh_token
    assert mask(f"{grant.access_token} {form['code']}") == "[masked] [masked]"
    assert grant.access_token not in repr(grant)


async def test_what_the_issuer_refuses_is_told_in_its_words(upstream: GuardedUpstream) -> None:
    async def deny(address: str) -> None:
        asked = parse_qs(urlsplit(address).query)
        denial = {"error": "access_denied", "state": asked["state"][0]}
        async with httpx2.AsyncClient() as client:
            await client.get(asked["redirect_uri"][0], params=denial)

    async with open_loopback() as loopback:
        with pytest.raises(QmError, match="access_denied") as caught:
            await log_in(
                upstream.url,
                OriginAuth(),
                None,
                TlsSettings(),
                loopback.url,
                (LOOPBACK,),
                loopback.showing(deny),
                loopback.result,
            )
    assert caught.value.slug == "login_refused"


async def test_a_visitor_that_did_not_begin_the_login_is_ignored(
    upstream: GuardedUpstream,
) -> None:
    browser = Browser()

    async def inject(address: str) -> None:
        back = parse_qs(urlsplit(address).query)["redirect_uri"][0]
        async with httpx2.AsyncClient() as client:
            await client.get(back, params={"code": "stolen", "state": "guessed"})
        await browser.show(address)

    async with open_loopback() as loopback:
        grant = await log_in(
            upstream.url,
            OriginAuth(grant="authorization_code"),
            None,
            TlsSettings(),
            loopback.url,
            (LOOPBACK,),
            loopback.showing(inject),
            loopback.result,
        )
    [form] = upstream.token_requests
    assert form["code"] != "stolen"
    assert grant.access_token


async def test_a_machine_logs_in_with_its_secret_at_its_own_issuer_only(
    upstream: GuardedUpstream,
) -> None:
    issuer = upstream.url.removesuffix("/mcp")
    auth = OriginAuth(grant="client_credentials", client_id=MACHINE, issuer=issuer)
    grant = await log_in_by_secret(
        upstream.url, auth, upstream.machine_secret, TlsSettings(), (LOOPBACK,)
    )
    assert (grant.kind, grant.refresh_token) == ("client_credentials", None)

    elsewhere = auth.model_copy(update={"issuer": "https://issuer.example"})
    before = len(upstream.token_requests)
    with pytest.raises(QmError, match="issuer"):
        await log_in_by_secret(
            upstream.url, elsewhere, upstream.machine_secret, TlsSettings(), (LOOPBACK,)
        )
    assert len(upstream.token_requests) == before, "the secret was sent to another issuer"


async def test_a_server_that_wants_no_login_is_told() -> None:
    with (
        guarded_upstream(oauth=False) as open_upstream,
        pytest.raises(QmError, match="did not ask for a login") as caught,
    ):
        await grant_of(open_upstream)
    assert caught.value.slug == "login_failed"
