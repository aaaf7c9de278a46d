"""Role x door: who is refused, and which operations each door runs for whom it lets in.

The doors are those of the application: a route without a request here fails, and so do a tool of
/mcp or /mcp/reconcile without one, and an operation that a door runs and its row in
operations_of_doors.toml does not name. Who may run an operation is said by its row in
tests/sql/operations.toml.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from quartermaster import api
from quartermaster.core.api_call import ApiCall
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.db.database import Database as ServiceDatabase
from quartermaster.db.principal import Principal
from quartermaster.doors.mcp.bridge_tools import own_tools
from quartermaster.doors.mcp.package_doors import place_doors
from quartermaster.service import open_service
from quartermaster.settings.sections import LimitSettings
from quartermaster.settings.settings import schema
from quartermaster_lookup.reconcile.mcp.curator_tools import CURATOR_TOOLS
from quartermaster_lookup.reconcile.mcp.tools import TOOLS
from quartermaster_lookup.settings import Reconcile
from tests.service.doors.http.test_http import Door, add_key, serving
from tests.support.database import Database, Server
from tests.support.model import cached_model_dir
from tests.support.offers import offer_leaf
from tests.support.reading import text_of
from tests.support.sql_files import toml_members

pytestmark = pytest.mark.anyio

OPERATIONS: dict[str, dict[str, Any]] = toml_members("tests/sql/operations.toml")
DOORS: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parent / "operations_of_doors.toml").read_text(encoding="utf-8")
)
ROLES = ("nobody", "user", "curator", "operator", "admin")
PRINCIPALS = {"user": "alice", "curator": "cora", "operator": "oscar", "admin": "boss"}
ROW = {"table": "plant", "id": "2"}
BRIDGE_CALLS: dict[str, Mapping[str, Any]] = {
    "search_tools": {"goal": "echo a text"},
    "describe_tool": {"name": "leaf__echo"},
    "call_tool": {"name": "leaf__echo", "arguments": {"text": "a"}},
}
# Requests of MCP tools by door and tool, and of HTTP by method and route.
TOOL_CALLS: dict[str, dict[str, Mapping[str, Any]]] = {
    "/mcp": BRIDGE_CALLS,
    "/mcp/{toolset}": BRIDGE_CALLS,
    "/mcp/transparent/{origin}": {"echo": {"text": "a"}},
    # The other tools read and scan files; their rights are tested in kinds/quality/tests/service.
    "/mcp/quality": {
        "tapps_server_info": {},
        "tapps_session_notes": {"action": "list"},
        "tapps_report": {},
        "tapps_stats": {},
    },
    "/mcp/decisions": {
        "get_decisions_for_context": {"file_path_or_area": "a.py", "task_description": "a task"},
        "submit_candidate_decision": {
            "pattern": "Use pathlib for paths",
            "scope": "global",
            "rationale": "It is shorter",
            "source_refs": [{"kind": "file", "path": "a.py", "line": 1}],
        },
    },
    "/mcp/knowledge": {
        "tapps_list_experts": {},
        "tapps_consult_expert": {"question": "What does an index cost?"},
        "start_task": {"goal": "a task"},
        "resolve-library-id": {"libraryName": "nothing"},
        "project_invitations": {},
    },
    "/mcp/reconcile": {
        "search_lookup": {"table": "plant", "query": "Betula"},
        "rerank": {
            "query": "Betula",
            "candidates": [{"id": "1", "value": "Betula pendula"}],
            "table": "plant",
        },
        "get_by_id": ROW,
        "normalize": {"text": "Betula"},
        "add_alias": {**ROW, "alias": "dwarf birch"},
        "remove_alias": {**ROW, "alias": "dwarf birch"},
        "retire_row": ROW,
        "restore_row": ROW,
        "attach_provenance": {**ROW, "provenance": {"source": "Flora"}},
        "list_curations": {"table": "plant"},
        "suggest_aliases": {"table": "plant"},
    },
}
CONDITION = {"matchType": "name", "propertyValue": "Bromus"}
REQUESTS: dict[str, tuple[str, Any]] = {
    "GET /status": ("/status", None),
    "GET /metrics": ("/metrics", None),
    "GET /v1/origins/{origin}/log": ("/v1/origins/leaf/log", None),
    "GET /v1/debug/select": ("/v1/debug/select?goal=echo", None),
    "POST /v1/why": ("/v1/why", {"goal": "echo a text", "tool": "leaf__echo"}),
    "POST /v1/search": ("/v1/search", {"goal": "echo a text"}),
    "POST /v1/lookups/{table}": ("/v1/lookups/plant", {"queries": ["Betula"]}),
    # What each role may read is tested for every operation in http/test_v1.py.
    "POST /v1/read/{operation}": ("/v1/read/list_origins", {}),
}
# The API of reconciliation has these paths below each of its roots.
ROOTS = ("/reconcile", "/reconcile/1.0", "/reconcile/plant", "/reconcile/1.0/plant")
RECONCILIATION: dict[str, tuple[str, Any]] = {
    "GET /reconcile": ("", None),
    "POST /reconcile": ("", {"queries": {"q0": {"query": "Betula", "type": "plant"}}}),
    "POST /reconcile/match": (
        "/match",
        {"queries": [{"type": "plant", "conditions": [CONDITION]}]},
    ),
    "POST /reconcile/extend": (
        "/extend",
        {"ids": ["plant/1", "1"], "properties": [{"id": "family"}]},
    ),
    "GET /reconcile/extend/propose": ("/extend/propose?type=plant", None),
    "GET /reconcile/suggest/{kind}": ("/suggest/entity?prefix=Be", None),
    "GET /reconcile/flyout/{kind}": ("/flyout/entity?id=1", None),
    "GET /reconcile/preview": ("/preview?id=1", None),
    "GET /reconcile/view": ("/view?id=1", None),
}
# Doors that need no key, and tell nothing about what is installed.
OPEN = {
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource/mcp/reconcile",
    "/.well-known/oauth-protected-resource/mcp/decisions",
    "/.well-known/oauth-protected-resource/mcp/knowledge",
    "/.well-known/oauth-protected-resource/mcp/quality",
    "/.well-known/oauth-protected-resource/mcp/{toolset}",
    "/.well-known/jwks.json",
    "/healthz",
    "/readyz",
}
MCP_PATHS = {
    "/mcp": "/mcp",
    "/mcp/{toolset}": "/mcp/few",
    "/mcp/reconcile": "/mcp/reconcile",
    "/mcp/decisions": "/mcp/decisions",
    "/mcp/knowledge": "/mcp/knowledge",
    "/mcp/quality": "/mcp/quality",
    "/mcp/transparent/{origin}": "/mcp/transparent/leaf",
}
# What tools of /mcp/reconcile, and those of other doors, answer to who may not call them.
REFUSAL = re.compile("FORBIDDEN|QM403")
# The service runs them as itself, and remembers what they return.
RUN_FOR_EVERYBODY = {"GET /metrics": {"list_queues"}}


def token_of(role: str) -> str:
    return f"the token of the {role}"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def catalog(embedded_server: Server) -> Generator[Database]:
    with embedded_server.clone() as clone:
        yield clone


@pytest.fixture(scope="module")
async def served(
    anyio_backend: str, catalog: Database, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Door]:
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    folder, runtime_dir = tmp_path_factory.mktemp("doors"), cached_model_dir().parents[1]
    settings = schema()(
        # What takes long on a busy machine is not what these tests are about.
        reconcile=Reconcile(search_timeout_ms=20_000, rerank_timeout_ms=20_000),
        limits=LimitSettings(lookups_per_s=0),
    )
    async with open_service(
        settings, folder, runtime_dir, catalog.service_dsn, "up", uuid4()
    ) as service:
        await offer_leaf(service)
        with catalog.connect() as connection:
            connection.execute("select t.make_lookups()")
            for role, name in PRINCIPALS.items():
                rights = "user" if role == "curator" else role
                connection.execute("select t.make_principal(%s, %s)", [name, rights])
            connection.execute("update policy.principal set is_curator = name = 'cora'")
        admin = await service.database.find_principal(LOCAL_PRINCIPAL)
        await service.database.call(
            api.put_toolset(name="few", pinned={"origins": ["leaf"]}, description=""), admin
        )
        await place_doors(service)
        await service.database.call(api.add_project(name="shop", root=str(folder)), admin)
        for role, name in PRINCIPALS.items():
            await add_key(service, name, token_of(role))
            await service.database.call(api.put_project_member(member=name, project="shop"), admin)
        async with serving(service) as door:
            yield door


@dataclass
class Seen:
    """What the requests to one door met.

    Attributes:
        refused: the roles whose requests were refused.
        operations: the operations that ran for somebody.
    """

    refused: set[str] = field(default_factory=set[str])
    operations: set[str] = field(default_factory=set[str])


@pytest.fixture(scope="module")
async def seen(served: Door) -> dict[str, Seen]:
    """Every door, tried by every role."""
    found: dict[str, Seen] = {}
    with noting() as reached:
        for role in ROLES:
            tries = Tries(served, role, reached, found)
            for door, (path, body) in REQUESTS.items():
                await tries.over_http(door, path, body)
            for root in ROOTS:
                for door, (path, body) in RECONCILIATION.items():
                    if door != "POST /reconcile" or "1.0" not in root:
                        await tries.over_http(door, root + path, body)
            for route, path in MCP_PATHS.items():
                if TOOL_CALLS[route] is BRIDGE_CALLS:
                    await tries.connect(route, path)
                await tries.over_mcp(route, path)
    return found


@contextmanager
def noting() -> Generator[set[str]]:
    """Provides the operations that run for one of the principals."""
    reached: set[str] = set()
    call, read = ServiceDatabase.call, ServiceDatabase.read

    async def note(
        self: ServiceDatabase, asked: ApiCall[Any], principal: Principal | None, /
    ) -> list[Any]:
        if principal is not None and principal.name in PRINCIPALS.values():
            reached.add(asked.operation)
        return await call(self, asked, principal)

    async def note_read(
        self: ServiceDatabase,
        operation: str,
        principal: Principal,
        arguments: Mapping[str, object],
    ) -> Any:
        if principal.name in PRINCIPALS.values():
            reached.add(operation)
        return await read(self, operation, principal, arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ServiceDatabase, "call", note)
        patch.setattr(ServiceDatabase, "read", note_read)
        yield reached


class Tries:
    """The requests of one role.

    Args:
        served: the application.
        role: who asks.
        reached: the operations that have run; it is emptied before each request.
        found: where it is noted what each door did.
    """

    def __init__(self, served: Door, role: str, reached: set[str], found: dict[str, Seen]) -> None:
        self._served, self._role, self._reached, self._found = served, role, reached, found

    @contextmanager
    def _at(self, door: str) -> Generator[Seen]:
        self._reached.clear()
        seen = self._found.setdefault(door, Seen())
        yield seen
        seen.operations |= self._reached

    async def over_http(self, door: str, path: str, body: Any) -> None:
        method = door.split(maxsplit=1)[0]
        with self._at(door) as seen:
            async with self._served.http(token_of(self._role)) as http:
                answer = await http.request(method, path, json=body)
            if answer.status_code in (401, 403):
                seen.refused.add(self._role)

    async def connect(self, route: str, path: str) -> None:
        with self._at(f"{route} connect") as seen:
            async with self._served.http(token_of(self._role)) as http:
                if self._role == "nobody":
                    assert (await http.post(path, json={})).status_code == 401
                    seen.refused.add(self._role)
                    return
                async with Client(
                    streamable_http_client(self._served.url + path, http_client=http)
                ):
                    pass

    async def over_mcp(self, route: str, path: str) -> None:
        url = self._served.url + path
        calls = TOOL_CALLS[route]
        if self._role == "nobody":
            async with self._served.http(token_of(self._role)) as http:
                assert (await http.post(path, json={})).status_code == 401
            for tool in ("list", *calls):
                self._found.setdefault(f"{route} {tool}", Seen()).refused.add(self._role)
            return
        async with (
            self._served.http(token_of(self._role)) as http,
            Client(streamable_http_client(url, http_client=http), mode="2026-07-28") as client,
        ):
            with self._at(f"{route} list"):
                await client.list_tools()
                if route == "/mcp":
                    await client.list_resources()
                    await client.list_prompts()
            for tool, arguments in calls.items():
                with self._at(f"{route} {tool}") as seen:
                    result = await client.call_tool(tool, dict(arguments))
                    if result.is_error:
                        assert REFUSAL.search(text_of(result)), f"{route} {tool}: {text_of(result)}"
                        seen.refused.add(self._role)


def test_every_route_and_every_tool_is_tried(served: Door):
    tried = {door.split()[-1] for door in REQUESTS} | MCP_PATHS.keys() | OPEN
    tried |= {
        f"{root}{path.partition('?')[0]}".replace("/plant", "/{table}")
        .replace("suggest/entity", "suggest/{kind}")
        .replace("flyout/entity", "flyout/{kind}")
        for root in ROOTS
        for path, _ in RECONCILIATION.values()
    }
    assert {route.path for route in served.app.routes} == tried
    assert TOOL_CALLS["/mcp"].keys() == {tool.name for tool in own_tools()}
    assert TOOL_CALLS["/mcp/reconcile"].keys() == {t.name for t in (*TOOLS, *CURATOR_TOOLS)}


def test_each_row_has_a_request_and_each_request_a_row(seen: dict[str, Seen]):
    without_request = sorted(DOORS.keys() - seen.keys())
    assert not without_request, "give each of them a request in TOOL_CALLS or REQUESTS"
    without_row = {door: sorted(seen[door].operations) for door in seen.keys() - DOORS.keys()}
    assert not without_row, "give each of them a row in operations_of_doors.toml"


def test_a_door_runs_the_operations_of_its_row(seen: dict[str, Seen]):
    reached = {door: sorted(met.operations) for door, met in seen.items()}
    declared = {
        door: sorted(set(operations) - RUN_FOR_EVERYBODY.get(door, set()))
        for door, operations in DOORS.items()
    }
    differing = {
        door: (operations, declared[door])
        for door, operations in reached.items()
        if door in declared and operations != declared[door]
    }
    assert not differing, "what each door ran, and its row in operations_of_doors.toml"


def test_who_may_not_run_what_a_door_runs_is_refused(seen: dict[str, Seen]):
    for door in DOORS.keys() & seen.keys():
        operations = DOORS[door]
        roles = {OPERATIONS[operation]["lowest"] for operation in operations} & {*ROLES}
        lowest = max((ROLES.index(role) for role in roles), default=ROLES.index("user"))
        assert seen[door].refused == set(ROLES[:lowest]), door


async def test_what_is_open_to_everybody_runs_nothing(served: Door):
    with noting() as reached:
        async with served.http(None) as http:
            for path in OPEN:
                answer = await http.get(path.replace("{toolset}", "few"))
                assert answer.status_code not in (401, 403), path
    assert not reached
