"""One served application with lookup tables, for all tests of the door, and who comes to it."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any
from uuid import uuid4

import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from quartermaster import api as core_api
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.service import Service, open_service
from quartermaster.settings.sections import LimitSettings
from quartermaster.settings.settings import schema
from quartermaster_lookup import api
from quartermaster_lookup.settings import Reconcile
from tests.service.doors.http.test_http import Door, add_key, serving
from tests.support.database import Database, Server
from tests.support.model import cached_model_dir
from tests.support.reading import text_of

ROLES = {"alice": "user", "cora": "user", "op": "operator", "boss": "admin"}
PLANTS = [
    {
        "id": "1",
        "value": "Betula pendula",
        "aliases": ["vårtbjörk"],
        "language": "la",
        "properties": {"family": "Betulaceae"},
        "provenance": {"source": "SEAD"},
    },
    {"id": "2", "value": "Betula nana", "language": "la", "properties": {"family": "Betulaceae"}},
    {"id": "3", "value": "Bromus pendula", "language": "la", "properties": {"family": "Poaceae"}},
    {"id": "4", "value": "Betula alba", "active": False, "language": "la"},
    {"id": "5", "value": "Magnetic susceptibility", "language": "en"},
    {"id": "6", "value": "Salix repens", "language": "sv", "domain": "shrubs"},
    {"id": "7", "value": "Salix repens", "language": "la", "domain": "shrubs"},
]
Connect = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def catalog(embedded_server: Server) -> Generator[Database]:
    with embedded_server.clone() as clone:
        yield clone


@pytest.fixture(scope="module")
async def service(
    anyio_backend: str, catalog: Database, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Service]:
    """It has a table of plants, a hidden one, and principals of every role."""
    settings = schema()(
        # What takes long on a busy machine is not what these tests are about.
        reconcile=Reconcile(search_timeout_ms=20_000, rerank_timeout_ms=20_000),
        limits=LimitSettings(lookups_per_s=0),
    )
    folder, runtime_dir = tmp_path_factory.mktemp("reconcile"), cached_model_dir().parents[1]
    async with open_service(
        settings, folder, runtime_dir, catalog.service_dsn, "up", uuid4()
    ) as it:
        admin = await it.database.find_principal(LOCAL_PRINCIPAL)
        for name, rows in (("plant", PLANTS), ("hidden", PLANTS[:1])):
            await it.database.call(api.create_lookup(name=name, description="", domain=""), admin)
            await it.database.call(api.load_lookup(lookup=name, rows=rows), admin)
        with catalog.connect() as connection:
            for name, role in ROLES.items():
                connection.execute("select policy.put_principal(%s, 'agent', %s)", (name, role))
            deny = '{"effect": "deny", "subject": "role:user", "origins": ["hidden"]}'
            connection.execute(
                "select catalog.activate_rules(policy.put_version(%s), false)",
                (f'{{"rules": [{deny}]}}',),
            )
        await it.database.call(core_api.appoint_curator(name="cora", is_curator=True), admin)
        for name in ROLES:
            await add_key(it, name, token_of(name))
        yield it


def token_of(name: str) -> str:
    return f"the token of {name}"


@pytest.fixture(scope="module")
async def door(service: Service) -> AsyncGenerator[Door]:
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    async with serving(service) as door:
        yield door


@pytest.fixture(params=["legacy", "2026-07-28"], ids=["session", "stateless"])
def era(request: pytest.FixtureRequest) -> str:
    """Both kinds of client, as the mode of the SDK's."""
    return request.param


@pytest.fixture
def connect(door: Door) -> Connect:
    """The official client at the door of the lookup tables."""

    @asynccontextmanager
    async def client(name: str = "alice", era: str = "2026-07-28") -> AsyncGenerator[Client]:
        url = f"{door.url}/mcp/reconcile"
        async with (
            door.http(token_of(name)) as http,
            Client(streamable_http_client(url, http_client=http), mode=era) as client,
        ):
            yield client

    return client


def answer_of(result: CallToolResult) -> dict[str, Any]:
    """Returns the structured answer of a tool that must not have failed."""
    assert not result.is_error, text_of(result)
    answer: dict[str, Any] = result.structured_content
    assert answer["schema_version"] == "0.1"
    assert answer["elapsed_ms"] >= 0
    return answer


def error_of(result: CallToolResult) -> Mapping[str, Any]:
    """Returns the error of a tool that must have failed, in the one shape that there is."""
    assert result.is_error, text_of(result)
    body = result.structured_content
    assert body.keys() == {"schema_version", "error"}
    assert body["error"].keys() == {"code", "message", "details"}
    assert body["error"]["code"] in text_of(result)
    return body["error"]


def ids_of(answer: Mapping[str, Any]) -> list[str]:
    """Returns ids of the candidates, best first."""
    return [candidate["id"] for candidate in answer["candidates"]]
