"""The database fails inside: no client sees the cause, and the log has it under the request id."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from quartermaster.core import logs
from tests.service.doors.http.test_http import Door
from tests.service.doors.test_rights_of_doors import (
    MCP_PATHS,
    RECONCILIATION,
    REQUESTS,
    ROOTS,
    TOOL_CALLS,
    anyio_backend,
    catalog,
    served,
    token_of,
)
from tests.support.database import Database
from tests.support.instance import QM, Instance, new_instance

__all__ = ["anyio_backend", "catalog", "served"]

CAUSE = "canary 4711 of the injected failure"
_BODY = re.compile(r"LANGUAGE \w+(.*)AS \$(\w*)\$.*\$\2\$", re.DOTALL)
_RAISE = rf"""LANGUAGE plpgsql\1AS $broken$
#variable_conflict use_column
begin
    raise exception '{CAUSE}' using errcode = 'XX001';
end $broken$"""


@pytest.fixture(scope="module")
def broken(stopped_data_dir: Path) -> Generator[Instance]:
    """A service whose operations fail with SQLSTATE XX001."""
    with new_instance(copy_of=stopped_data_dir) as instance:
        instance.start()
        break_operations(instance.admin_dsn)
        yield instance


def break_operations(dsn: str) -> None:
    """Replaces the bodies of the operations, except those that are called at a start."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        found = connection.execute(
            "select pg_get_functiondef(oid) from pg_proc"
            " where pronamespace in ('api'::regnamespace, 'service'::regnamespace)"
            " and prokind = 'f'"
            " and proname !~ '^(find_|check_|know_|configure_|authenticate)'"
        ).fetchall()
        for (definition,) in found:
            text, count = _BODY.subn(_RAISE, str(definition))
            assert count == 1
            connection.execute(text.encode())


def rpc(instance: Instance, path: str, method: str, **params: Any) -> tuple[str, str]:
    """Returns the text of an answer to a request without a session, and its request id."""
    body, headers = message(method, params)
    with instance.http() as client:
        answer = client.post(path, json=body, headers=headers)
        return answer.text, answer.headers["x-request-id"]


def message(method: str, params: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Returns body and headers of a request without a session."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        **({"mcp-name": params["name"]} if "name" in params else {}),
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    return body, headers


def has_cause(log: str, request_id: str) -> bool:
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    report = [json.dumps(line) for line in lines if line.get("request_id") == request_id]
    return any(CAUSE in line for line in report)


@pytest.mark.parametrize(
    ("path", "method", "params"),
    [
        ("/mcp", "tools/call", {"name": "search_tools", "arguments": {"query": "time"}}),
        ("/mcp", "resources/list", {}),
        ("/mcp/reconcile", "tools/list", {}),
    ],
)
def test_mcp_over_http(broken: Instance, path: str, method: str, params: dict[str, Any]) -> None:
    text, request_id = rpc(broken, path, method, **params)
    assert "QM500" in text or "internal error" in text.lower(), text
    assert CAUSE not in text
    assert request_id in text
    assert has_cause(broken.stderr, request_id)


@pytest.mark.parametrize("path", ["/status", "/reconcile"])
def test_other_doors_over_http(broken: Instance, path: str) -> None:
    with broken.http() as client:
        answer = client.get(path)
    assert answer.status_code == 500, answer.text
    assert CAUSE not in answer.text
    assert answer.json()["error"]["request_id"] == answer.headers["x-request-id"]
    assert has_cause(broken.stderr, answer.headers["x-request-id"])


@pytest.mark.anyio
async def test_mcp_over_stdio_without_a_service(stopped_data_dir: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with new_instance(copy_of=stopped_data_dir) as instance, log.open("w") as errors:
        instance.start()
        options = ["stdio", "--data-dir", str(tmp_path / "other"), "--dsn", instance.admin_dsn]
        server = StdioServerParameters(command=str(QM), args=options, env=instance.environment)
        async with Client(stdio_client(server, errlog=errors), mode="auto") as client:
            break_operations(instance.admin_dsn)
            answer = await client.call_tool("search_tools", {"goal": "time"})
    content: dict[str, Any] = answer.structured_content or {}
    error = content["error"]
    assert (error["code"], answer.is_error) == ("QM500", True)
    assert CAUSE not in str(answer)
    assert has_cause(log.read_text(), error["request_id"])


@pytest.fixture(scope="module")
def failing(served: Door, catalog: Database) -> Door:
    """All doors, whose operations fail."""
    break_operations(catalog.dsn)
    return served


# The doors are those of the matrix of rights, which fails if it does not have all of them.
OVER_HTTP = [(door.split()[0], path, body) for door, (path, body) in REQUESTS.items()] + [
    (door.split()[0], root + path.replace("id=1", "id=plant:1"), body)
    for root in ROOTS
    for door, (path, body) in RECONCILIATION.items()
    if door != "POST /reconcile" or "1.0" not in root
]


@pytest.mark.anyio
@pytest.mark.parametrize(("method", "path", "body"), OVER_HTTP, ids=str)
async def test_every_door_over_http(
    failing: Door, capsys: pytest.CaptureFixture[str], method: str, path: str, body: Any
) -> None:
    logs.configure("info")
    async with failing.http(token_of("admin")) as http:
        answer = await http.request(method, path, json=body)
    assert CAUSE not in answer.text
    # Metrics leave out what they cannot read.
    assert answer.status_code == (200 if path == "/metrics" else 500), answer.text
    assert has_cause(capsys.readouterr().err, answer.headers["x-request-id"])


@pytest.mark.anyio
@pytest.mark.parametrize("route", MCP_PATHS)
async def test_every_door_and_tool_of_mcp(
    failing: Door, capsys: pytest.CaptureFixture[str], route: str
) -> None:
    logs.configure("info")
    asked: list[tuple[str, dict[str, Any]]] = [("tools/list", {})]
    asked += [
        ("tools/call", {"name": name, "arguments": given})
        for name, given in TOOL_CALLS[route].items()
    ]
    failed = 0
    async with failing.http(token_of("admin")) as http:
        for method, params in asked:
            body, headers = message(method, params)
            answer = await http.post(MCP_PATHS[route], json=body, headers=headers)
            assert CAUSE not in answer.text
            if "QM500" in answer.text or "internal error" in answer.text.lower():
                failed += 1
                request_id = answer.headers["x-request-id"]
                assert request_id in answer.text, answer.text
                assert has_cause(capsys.readouterr().err, request_id), params
    assert failed
