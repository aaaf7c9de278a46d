"""Logins as a person makes them, for tests that begin where one is there already."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import httpx2

from quartermaster.secrets.store import SecretStore
from quartermaster.upstream.auth.grant import Grant
from quartermaster.upstream.auth.login import log_in
from quartermaster.upstream.auth.loopback import open_loopback
from quartermaster.upstream.auth.oauth_tokens import OAuthTokens, keep_grant
from quartermaster.upstream.auth.settings import OriginAuth
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.tls import TlsSettings
from tests.support.guarded_upstream import GuardedUpstream
from tests.support.origins import LOOPBACK

NAME = "login/hub"


@dataclass
class Browser:
    """Opens an address, allows everything, and goes where it is sent.

    Attributes:
        opened: addresses.
        page: what it ended up at.
    """

    opened: list[str] = field(default_factory=list[str])
    page: str = ""

    async def show(self, address: str) -> None:
        self.opened.append(address)
        async with httpx2.AsyncClient(follow_redirects=True) as client:
            self.page = (await client.get(address)).text


async def grant_of(upstream: GuardedUpstream, **auth: Any) -> Grant:
    """Returns what a person's login grants."""
    browser = Browser()
    declared = OriginAuth(grant="authorization_code", **auth)
    async with open_loopback() as loopback:
        return await log_in(
            upstream.url,
            declared,
            None,
            TlsSettings(),
            loopback.url,
            (LOOPBACK,),
            loopback.showing(browser.show),
            loopback.result,
        )


async def tokens_of(store: SecretStore, grant: Grant) -> OAuthTokens:
    """Returns the tokens of a login that is kept."""
    await keep_grant(store, NAME, grant)
    return another_worker(store, grant)


def another_worker(store: SecretStore, grant: Grant) -> OAuthTokens:
    """Returns the same tokens, in the hands of somebody else."""
    return OAuthTokens("hub", NAME, store, grant, "qm origin login hub", TlsSettings(), (LOOPBACK,))


def spec_of(upstream: GuardedUpstream, tokens: OAuthTokens) -> OriginSpec:
    """Returns how the upstream is reached with them."""
    return OriginSpec(
        id=1,
        name="hub",
        transport="http",
        url=upstream.url,
        authoriser=tokens,
        networks=(LOOPBACK,),
    )
