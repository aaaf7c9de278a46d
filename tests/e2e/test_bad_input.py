"""Bad input at the outermost doors: a code, a next step, nothing half-written, the rest works."""

from __future__ import annotations

import functools
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from tests.support.instance import Instance, new_instance
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

LIMITS = {
    "QM_UPSTREAM__CONNECT_TIMEOUT_S": "10",
    "QM_UPSTREAM__LIST_TIMEOUT_S": "3",
    "QM_UPSTREAM__CALL_TIMEOUT_S": "3",
    "QM_INGEST__RETRIES": "0",
}


@pytest.fixture(scope="module")
def strict(stopped_data_dir: Path) -> Generator[Instance]:
    """A running one with short time limits, and a well-behaved upstream."""
    with new_instance(environment=LIMITS, copy_of=stopped_data_dir) as instance:
        instance.start().add_upstream("leaf", "leaf_server.py", "stdio")
        yield instance


@pytest.fixture(autouse=True)
def rest_works(strict: Instance) -> Generator[None]:
    """Whatever a test does: afterwards tools are found and called, and no call is left open."""
    yield
    found = _ask(strict, "search_tools", {"query": "the echo tool"})
    assert "leaf__echo" in [tool["name"] for tool in _structured(found)["tools"]]
    called = _ask(strict, "call_tool", {"name": "leaf__echo", "arguments": {"text": "still here"}})
    assert not called.is_error
    open_calls = "select from calls.call where outcome = 'pending'"
    assert wait_until(lambda: strict.rows(open_calls) == [])
    assert "Traceback" not in strict.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "summary"),
    [
        (["search", "x", "--mode", "turbo"], "QM422 argument_invalid", "'balanced', 'thorough'"),
        (["search", ""], "QM422 goal_empty", "in a few words"),
        (["search", " \t\n"], "QM422 goal_empty", "in a few words"),
        (["search", "word " * 20_000], "QM413 goal_too_long", "99999 characters"),
        (["search", "x", "--limit", "0"], "QM422 argument_invalid", "greater than or equal to 1"),
        (["call", "leaf__echo", "{text"], "QM422 json_invalid", "line 1 column 2"),
        (["call", "leaf__echo", "[1]"], "QM422 json_invalid", "must be a JSON object"),
        (["call", "leaf__echo", '{"text": 5}'], "QM422 arguments_invalid", "string"),
        (["call", "nobody__knows"], "QM404 tool_not_found", "nobody__knows"),
        (["origin", "show", "nobody"], "QM404 origin_not_found", "qm origin list"),
        (["origin", "add", "x"], "QM422 origin_invalid", "command"),
        (["import", "/nowhere.json"], "QM404 file_not_found", "/nowhere.json"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else "",
)
def test_a_command_explains_what_it_refuses(
    strict: Instance, arguments: list[str], code: str, summary: str
) -> None:
    before = _catalog(strict)
    refused = strict.qm(*arguments)
    assert refused.returncode == 2 if arguments[2:] and arguments[0] == "search" else 1
    assert code in refused.stderr
    assert summary in refused.stderr
    assert "Next:" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert _catalog(strict) == before


@pytest.mark.parametrize(
    ("tool", "arguments", "slug"),
    [
        ("search_tools", {"query": "x", "mode": "turbo"}, "arguments_invalid"),
        ("search_tools", {"query": "x", "limit": "many"}, "arguments_invalid"),
        ("search_tools", {"query": 5}, "arguments_invalid"),
        ("search_tools", {}, "arguments_invalid"),
        ("search_tools", {"query": "x", "moed": "fast"}, "arguments_invalid"),
        ("search_tools", {"query": "a\u0000b"}, None),
        ("search_tools", {"query": " "}, "goal_empty"),
        ("search_tools", {"query": "word " * 20_000}, "goal_too_long"),
        ("describe_tool", {"name": "nobody__knows"}, "tool_not_found"),
        ("describe_tool", {"name": "leaf__echo", "as_of": "Tuesday"}, None),
        ("call_tool", {"name": "leaf__echo", "arguments": {"text": 5}}, "arguments_invalid"),
        ("call_tool", {"name": "leaf__echo", "arguments": "text"}, "arguments_invalid"),
        ("call_tool", {"name": "nobody__knows"}, "tool_not_found"),
        ("call_tool", {"name": "日本\u0000\U0001f6e0"}, None),
    ],
)
def test_an_agent_is_told_what_is_wrong_and_what_to_do(
    strict: Instance, tool: str, arguments: dict[str, Any], slug: str | None
) -> None:
    error = _error(_ask(strict, tool, arguments))
    assert error["code"] in {"QM404", "QM413", "QM422"}
    assert slug in {None, error["slug"]}
    assert error["hint"]
    assert error["request_id"]


@pytest.mark.parametrize("goal", ["日本の天気 ☔", "'; drop table x; --", "%_\\", "\u202eabc"])
def test_any_text_may_be_a_goal(strict: Instance, goal: str) -> None:
    assert not _ask(strict, "search_tools", {"query": goal}).is_error


@pytest.mark.parametrize(
    ("body", "status", "slug"),
    [
        (b"{nope", 400, None),
        (b"[]", 400, None),
        (b'"' + b"x" * 5_000_000 + b'"', 413, "body_too_large"),
    ],
    ids=["no JSON", "no request", "5 MB"],
)
def test_a_request_that_is_none_is_refused(
    strict: Instance, body: bytes, status: int, slug: str | None
) -> None:
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    with strict.http() as http:
        refused = http.post("/mcp", content=body, headers=headers)
        assert refused.status_code == status
        assert slug is None or refused.json()["error"]["slug"] == slug
        assert refused.json()["error"]["message"]
        assert http.get("/nothing/here").json()["error"]["hint"]


def test_of_a_file_of_tools_the_good_ones_are_stored_and_the_others_told_by_line(
    strict: Instance, tmp_path: Path
) -> None:
    file = tmp_path / "tools.jsonl"
    lines = [
        {"origin": "o", "name": "no_schema", "description": "Needs nothing"},
        {"origin": "o", "name": "bad_schema", "input_schema": {"type": "nonsense"}},
        {"origin": "o", "name": "list_schema", "input_schema": [1]},
        {"origin": "o", "name": "twice", "description": "the first"},
        {"origin": "o", "name": "twice", "description": "the second"},
        {"origin": "Größe 日本", "name": "名前 с пробелом 🛠", "description": "Any Unicode"},
        {"origin": "o", "name": "nul\u0000", "description": "x"},
        {"origin": "o", "name": "half\ud800", "description": "x"},
        {"origin": "o", "name": 5},
        {"origin": "o", "name": "y" * 600},
        "just text",
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    file.write_text(f'{text}\n{{"origin": "o", "name":\n')
    report = strict.qm_json("import", "--no-wait", "--yes", file)
    assert report["tools"] == {"added": 5, "rejected": 7}
    numbers = {int(p.removeprefix(f"{file}:").partition(":")[0]) for p in report["problems"]}
    assert numbers == {5, 7, 8, 9, 10, 11, 12}
    assert strict.qm_json("import", "--no-wait", file)["tools"] == {"unchanged": 5, "rejected": 7}
    [(name, description)] = strict.rows(
        "select public_name, definition ->> 'description' from catalog.item"
        " where name like '名前%%'"
    )
    assert name.isascii()
    assert len(name) <= 64
    assert _structured(_ask(strict, "describe_tool", {"name": name}))["description"] == description
    assert strict.rows(
        "select definition ->> 'description' from catalog.item where name = 'twice'"
    ) == [("the first",)]


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ('{\n "mcpServers": {\n  "a": {"command" "x"}\n }\n}', ":3:19: expected ':' delimiter"),
        ('{"mcpServers": {"a": {"command": "x"}', "expected ',' delimiter, found the end"),
        ('{"mcpServers": 7}', "mcpServers"),
        ('{"mcpServer": {}}', "mcpServers"),
        ("", "expected"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_told_with_file_and_line(
    strict: Instance, tmp_path: Path, text: str, summary: str
) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(text)
    before = _catalog(strict)
    refused = strict.qm("import", file)
    assert refused.returncode == 1
    flat = refused.stderr.replace("\n", "")
    assert "QM422 config_invalid" in flat
    assert f"{file}:" in flat
    assert summary in flat
    assert "Next:" in flat
    assert _catalog(strict) == before


def test_of_a_configuration_the_good_servers_are_added_and_the_others_told(
    strict: Instance, tmp_path: Path
) -> None:
    file = tmp_path / "mcp.json"
    servers = {"five": 5, "empty": {}, "fine": {"url": "http://127.0.0.1:9/mcp"}}
    file.write_text(json.dumps({"mcpServers": servers}))
    report = strict.qm_json("import", "--no-wait", "--yes", file)
    outcomes = {origin["name"]: origin["outcome"] for origin in report["origins"]}
    assert outcomes == {"five": "rejected", "empty": "rejected", "fine": "added"}
    assert all(o["reason"] for o in report["origins"] if o["outcome"] == "rejected")


@pytest.mark.parametrize(
    ("mode", "failure"),
    [
        ("hang-at-start", "s of its start"),
        ("exit-at-start", "no configuration found"),
        ("hang-at-list", "took too long while listing"),
    ],
)
def test_an_upstream_that_cannot_be_read_is_told_and_kept_for_later(
    strict: Instance, mode: str, failure: str
) -> None:
    with pytest.raises(AssertionError) as summary:
        strict.add_upstream(mode, "rude_server.py", mode)
    assert failure in str(summary.value)
    [origin] = [o for o in strict.qm_json("origin", "list") if o["name"] == mode]
    assert origin["status"] == "failing"
    assert origin["items"] == {}
    assert failure in origin["failure"]


def test_garbage_on_stdout_is_skipped_and_an_upstream_that_ends_is_started_again(
    strict: Instance,
) -> None:
    strict.add_upstream("noisy", "rude_server.py", "banner")
    assert not _call(strict, "noisy__echo").is_error
    error = _error(_call(strict, "noisy__die"))
    assert error["slug"] == "upstream_died"
    assert error["detail"] == "last words"
    assert not _call(strict, "noisy__echo").is_error
    # Nothing but garbage, for ever: the call ends by its time limit, the upstream by its own.
    error = _error(_call(strict, "noisy__flood"))
    assert error["slug"] in {"upstream_timeout", "upstream_protocol"}
    assert wait_until(lambda: not _call(strict, "noisy__echo").is_error)


def test_a_list_whose_cursors_repeat_ends_with_a_warning(strict: Instance) -> None:
    strict.add_upstream("endless", "rude_server.py", "endless")
    origin = strict.qm_json("origin", "show", "endless")
    assert [item for item in origin["items"] if item["kind"] == "tool"]
    assert "its cursor 'again' repeats" in " ".join(origin["last_refresh"]["warnings"])


def test_of_malformed_definitions_the_others_are_kept(strict: Instance) -> None:
    strict.add_upstream("malformed", "rude_server.py", "malformed")
    origin = strict.qm_json("origin", "show", "malformed")
    assert len([i for i in origin["items"] if i["kind"] == "tool"]) == 9
    assert len(origin["last_refresh"]["rejected"]) == 2
    assert all(tool["reason"] for tool in origin["last_refresh"]["rejected"])


def test_an_upstream_may_list_five_thousand_tools(strict: Instance) -> None:
    strict.add_upstream("many", "rude_server.py", "many")
    items = strict.qm_json("origin", "show", "many")["items"]
    assert len([item for item in items if item["kind"] == "tool"]) == 5000
    assert not _call(strict, "many__tool_4999").is_error
    removed = strict.qm("origin", "remove", "many", "--yes")
    assert removed.returncode == 0
    assert _error(_call(strict, "many__tool_4999"))["slug"] == "tool_not_found"


def _ask(instance: Instance, tool: str, arguments: dict[str, Any]) -> CallToolResult:
    async def ask() -> CallToolResult:
        run = instance.run_file
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {run.token}"}) as http,
            Client(
                streamable_http_client(f"{run.url}/mcp", http_client=http), mode="2026-07-28"
            ) as client,
        ):
            return await client.call_tool(tool, arguments)

    return anyio.run(functools.partial(ask))


def _call(instance: Instance, name: str) -> CallToolResult:
    return _ask(instance, "call_tool", {"name": name})


def _structured(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def _error(result: CallToolResult) -> dict[str, Any]:
    assert result.is_error
    assert isinstance(result.structured_content, dict)
    return result.structured_content["error"]


def _catalog(instance: Instance) -> list[tuple[Any, ...]]:
    return instance.rows(
        "select (select count(*) from catalog.origin),"
        " (select count(*) from catalog.item where kind = 'tool'),"
        " (select count(*) from search.card)"
    )
