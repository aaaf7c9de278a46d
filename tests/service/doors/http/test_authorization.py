"""MCP authorization over HTTP: where to get a token, and who comes in with one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from mcp.shared.auth import ProtectedResourceMetadata

from quartermaster import api
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.service import Service
from quartermaster.settings.sections import AuthSettings, OidcSettings, ServerSettings
from quartermaster.settings.settings import Settings
from tests.service.doors.http.test_http import JSON, PING, Door, add_key, error_in, serving
from tests.support.token_issuer import AUDIENCE, TokenIssuer, token_issuer

pytestmark = pytest.mark.anyio

KEY = "a key of the tests"
WELL_KNOWN = "/.well-known/oauth-protected-resource"


@pytest.fixture(scope="module")
def issuer() -> Generator[TokenIssuer]:
    with token_issuer() as issuer:
        yield issuer


@pytest.fixture
async def door(service: Service, issuer: TokenIssuer) -> AsyncGenerator[Door]:
    """A service that believes the issuer; alice is bound to the subject alice-1."""
    admin = await service.database.find_principal(LOCAL_PRINCIPAL)
    await service.database.call(api.create_principal(name="alice"), admin)
    await service.database.call(
        api.bind_subject(name="alice", issuer=issuer.url, subject="alice-1"), admin
    )
    await add_key(service, LOCAL_PRINCIPAL, KEY)
    async with serving(believing(service, issuer, required_scopes=("mcp",))) as door:
        yield door


def believing(service: Service, issuer: TokenIssuer, **settings: Any) -> Service:
    oidc = OidcSettings.model_validate({"issuer": issuer.url, "audience": (AUDIENCE,), **settings})
    return replace(service, settings=Settings(auth=AuthSettings(oidc=oidc)))


async def knock(door: Door, bearer: str | None, path: str = "/status") -> httpx2.Response:
    async with door.http(bearer) as http:
        if path == "/status":
            return await http.get(path)
        return await http.post(path, json=PING, headers=JSON)


async def test_who_has_no_token_learns_where_to_get_one(door: Door, issuer: TokenIssuer):
    for path in ("/mcp", "/mcp/reading"):
        refused = await knock(door, None, path)
        assert refused.status_code == 401
        assert error_in(refused)["slug"] == "token_missing"
        address = f"{door.url}{WELL_KNOWN}{path}"
        challenge = refused.headers["www-authenticate"]
        assert challenge == (
            f'Bearer realm="quartermaster", resource_metadata="{address}", scope="mcp"'
        )
        async with door.http(None) as http:
            answer = await http.get(address)
        assert answer.headers["access-control-allow-origin"] == "*"
        found = ProtectedResourceMetadata.model_validate_json(answer.content)
        assert str(found.resource) == f"{door.url}{path}"
        assert [str(url).rstrip("/") for url in found.authorization_servers] == [issuer.url]
        assert found.scopes_supported == ["mcp"]


async def test_a_wrong_token_is_told_apart_from_none(door: Door, issuer: TokenIssuer):
    refused = await knock(door, issuer.sign(aud="https://other.example", scope="mcp"))
    assert refused.status_code == 401
    assert error_in(refused)["slug"] == "token_invalid"
    assert 'error="invalid_token"' in refused.headers["www-authenticate"]
    refused = await knock(door, issuer.sign(scope="other"))
    assert refused.status_code == 403
    assert error_in(refused)["slug"] == "scope_missing"
    challenge = refused.headers["www-authenticate"]
    assert 'error="insufficient_scope"' in challenge
    assert 'scope="mcp"' in challenge


async def test_only_a_bound_subject_comes_in(door: Door, issuer: TokenIssuer):
    for claims in (
        {"sub": "eve"},
        {"sub": LOCAL_PRINCIPAL},
        {"sub": "eve", "name": LOCAL_PRINCIPAL},
    ):
        refused = await knock(door, issuer.sign(scope="mcp", **claims))
        assert refused.status_code == 403
        assert error_in(refused)["slug"] == "subject_unknown"
    assert (await knock(door, issuer.sign(scope="mcp"))).status_code == 200
    assert (await knock(door, KEY)).status_code == 200


async def test_a_disabled_principal_is_refused_at_once(
    door: Door, issuer: TokenIssuer, service: Service
):
    token = issuer.sign(scope="mcp")
    assert (await knock(door, token)).status_code == 200
    admin = await service.database.find_principal(LOCAL_PRINCIPAL)
    await service.database.call(api.enable_principal(name="alice", enabled=False), admin)
    assert (await knock(door, token)).status_code == 403


async def test_subjects_become_principals_where_the_settings_say_so(
    service: Service, issuer: TokenIssuer, execute: Callable[[str], Any]
):
    settings = {"create_principals": True, "name_claim": "name", "role_claim": "groups"}
    roles = {"roles": {"ops": "operator"}}
    async with serving(believing(service, issuer, **settings, **roles)) as door:
        token = issuer.sign(sub="bob-1", name="bob", groups=["ops"])
        assert (await knock(door, token)).status_code == 200
        refused = await knock(door, issuer.sign(sub="eve-1", name=LOCAL_PRINCIPAL))
        assert refused.status_code == 409
        assert error_in(refused)["slug"] == "principal_exists"
    made = execute(
        "select name, kind, role from policy.principal as p"
        " inner join policy.identity as i on i.principal_id = p.id"
    )
    assert made == [("bob", "person", "operator")]


async def test_without_an_issuer_there_is_nowhere_to_send_anybody(
    service: Service, issuer: TokenIssuer
):
    async with serving(service) as door:
        refused = await knock(door, issuer.sign())
        assert error_in(refused)["slug"] == "key_invalid"
        assert "resource_metadata" not in refused.headers["www-authenticate"]
        async with door.http(None) as http:
            assert error_in(await http.get(WELL_KNOWN))["slug"] == "path_not_found"


async def test_the_public_address_is_that_of_the_settings(service: Service, issuer: TokenIssuer):
    opened = believing(service, issuer)
    server = ServerSettings(public_url="https://qm.example/", allowed_hosts=("qm.example",))
    opened = replace(opened, settings=opened.settings.model_copy(update={"server": server}))
    async with serving(opened) as door:
        async with door.http(None, host="qm.example") as http:
            found = (await http.get(f"{WELL_KNOWN}/mcp")).json()
        assert found["resource"] == "https://qm.example/mcp"
        refused = await knock(door, None, "/mcp")
        address = f"https://qm.example{WELL_KNOWN}/mcp"
        assert f'resource_metadata="{address}"' in refused.headers["www-authenticate"]
        async with door.http(None, host="evil.example") as http:
            assert (await http.get(WELL_KNOWN)).status_code == 421


async def test_a_session_begun_with_a_token_is_its_subjects_alone(door: Door, issuer: TokenIssuer):
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "0"},
    }
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    async with door.http(issuer.sign(scope="mcp")) as http, door.http(KEY) as others:
        begun = await http.post("/mcp", json=begin, headers=JSON)
        session = {"mcp-session-id": begun.headers["mcp-session-id"], **JSON}
        assert (await others.post("/mcp", json=PING, headers=session)).status_code == 404
        assert (await http.post("/mcp", json=PING, headers=session)).status_code == 200
        renewed = {**session, "authorization": f"Bearer {issuer.sign(scope='mcp', jti='2')}"}
        assert (await http.post("/mcp", json=PING, headers=renewed)).status_code == 200
