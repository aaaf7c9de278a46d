"""Configurations of the clients, as their own documentation writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quartermaster.catalog.importers.mcp_servers import McpConfig, parse_config, read_config
from quartermaster.core.errors import QmError

HERE = Path("config.json")


def parse(text: str) -> McpConfig:
    return parse_config(text, HERE)


def only(text: str) -> dict[str, Any]:
    config = parse(text)
    assert not config.rejected
    [origin] = config.origins
    return origin.arguments


def test_claude_desktop() -> None:
    config = parse(
        """{"mcpServers": {"github": {
            "command": "npx", "args": ["-y", "server-github"], "env": {"TOKEN": "ghp_1234"}}}}"""
    )

    [origin] = config.origins
    assert origin.arguments == {
        "name": "github",
        "transport": "stdio",
        "command": ["npx", "-y", "server-github"],
        "description": "",
        "environment": {"TOKEN": "secret:github/TOKEN"},
        "headers": {},
        "meta": {},
    }
    assert origin.secrets == {"github/TOKEN": "ghp_1234"}
    assert config.warnings == []
    assert "ghp_1234" not in repr(config)


def test_claude_code_expands_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SET", "value")
    monkeypatch.delenv("UNSET", raising=False)
    config = parse(
        """{"mcpServers": {
            "local": {"type": "stdio", "command": "${SET}/bin", "args": ["${UNSET:-else}"],
                      "env": {"A": "${SET}", "B": "${UNSET:-b}", "C": "${UNSET}", "D": "<${SET}>"}},
            "remote": {"type": "http", "url": "https://${SET}.example/mcp",
                       "headers": {"Authorization": "Bearer ${SET}", "X-Key": "k"}},
            "lost": {"command": "${UNSET}"}}}"""
    )

    local, remote, lost = config.origins
    assert local.arguments["command"] == ["value/bin", "else"]
    assert local.arguments["environment"] == {
        "A": "env:SET",
        "B": "secret:local/B",
        "C": "env:UNSET",
        "D": "secret:local/D",
    }
    assert local.secrets == {"local/B": "b", "local/D": "<value>"}
    assert list(local.missing) == ["env:UNSET"]
    assert remote.arguments["url"] == "https://value.example/mcp"
    assert remote.arguments["auth_reference"] == "env:SET"
    assert remote.arguments["headers"] == {"X-Key": "secret:remote/X-Key"}
    assert lost.arguments["command"] == ["${env:UNSET}"]
    assert lost.missing == {"env:UNSET": "this variable is not set in the environment"}


def test_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "k")
    assert only(
        """{"mcpServers": {"docs": {
            "url": "http://localhost:3000/mcp", "headers": {"API_KEY": "${env:KEY}"}}}}"""
    ) == {
        "name": "docs",
        "transport": "http",
        "url": "http://localhost:3000/mcp",
        "description": "",
        "environment": {},
        "headers": {"API_KEY": "env:KEY"},
        "meta": {},
    }


def test_vs_code_with_comments_and_inputs(tmp_path: Path) -> None:
    folder = tmp_path / "project" / ".vscode"
    folder.mkdir(parents=True)
    (folder / "mcp.json").write_text(
        """{
  // Asked for once
  "inputs": [{"type": "promptString", "id": "token", "password": true,}],
  "servers": {
    "hub": {"type": "http", "url": "https://hub.example/mcp",
            "headers": {"Authorization": "Bearer ${input:token}"}},
    /* local */
    "files": {"type": "stdio", "command": "server", "args": ["${workspaceFolder}", "http://a"],
              "env": {"K": "${input:token}"}, "dev": {"watch": "*"}},
  },
}""",
        encoding="utf-8-sig",
    )

    config = read_config(folder / "mcp.json")

    hub, files = config.origins
    assert hub.arguments["auth_reference"] == "secret:hub/token"
    assert files.arguments["command"] == ["server", str(tmp_path / "project"), "http://a"]
    assert files.missing == {"secret:files/token": "the client asks its user for this value"}
    assert files.arguments["meta"] == {"dev": {"watch": "*"}}
    assert config.warnings == ["files: these members are only kept in meta, and not used: dev"]


def test_vs_codes_user_settings() -> None:
    assert only('{"mcp": {"servers": {"a": {"command": "b"}}}}')["command"] == ["b"]


def test_smartmcp() -> None:
    config = parse(
        """{"mcpServers": {"a": {"command": "b"}},
            "top_k": 3, "embedding_model": "all-mpnet-base-v2"}"""
    )

    assert (config.top_k, config.embedding_model) == (3, "all-mpnet-base-v2")
    assert config.warnings == []


@pytest.mark.parametrize(
    ("server", "transport"),
    [
        ('{"command": "x"}', "stdio"),
        ('{"url": "https://x/mcp"}', "http"),
        ('{"url": "https://x/mcp", "type": "streamable-http"}', "http"),
        ('{"url": "https://x/sse"}', "sse"),
        ('{"url": "https://x/sse/?a=b"}', "sse"),
        ('{"url": "https://x/mcp", "type": "sse"}', "sse"),
        ('{"url": "https://x/sse", "type": "http"}', "http"),
    ],
)
def test_the_transport_follows_from_type_command_and_url(server: str, transport: str) -> None:
    assert only(f'{{"mcpServers": {{"x": {server}}}}}')["transport"] == transport


@pytest.mark.parametrize(
    ("server", "reason"),
    [
        ("7", "not a JSON object"),
        ("{}", "either a command or a url"),
        ('{"command": "a", "url": "http://b"}', "either a command or a url"),
        ('{"command": 7}', "command is not text"),
        ('{"command": "a", "args": 7}', "args is not a list"),
        ('{"command": "a", "args": [{}]}', "args is not text"),
        ('{"command": "a", "env": []}', None),
        ('{"command": "a", "env": [7]}', "env is not an object"),
        ('{"command": "a", "type": "carrier-pigeon"}', "is not a transport"),
        ('{"command": "a", "type": "http"}', "cannot be combined with a command"),
        ('{"url": "wss://a/mcp"}', "begins with wss://"),
        ('{"type": "http", "url": "unix:///run/a.sock"}', "begins with unix://"),
        ('{"source": "extension", "settings": {}}', "a part of the client (extension)"),
        ('{"type": "builtin", "name": "developer"}', "a part of the client"),
    ],
)
def test_a_bad_server_does_not_stop_the_others(server: str, reason: str | None) -> None:
    config = parse(f'{{"mcpServers": {{"bad": {server}, "good": {{"command": "x"}}}}}}')

    assert config.origins[-1].name == "good"
    assert (reason or "") in config.rejected.get("bad", "")
    assert ("bad" in config.rejected) == (reason is not None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"mcpServers": {}} what', "config.json:1:20: "),
        ('{"mcpServers": {"a": {"command": "C:\\x"}}}', "config.json:1:37: invalid \\escape"),
        ('{"mcpServers": {\n "a" 1}}', "config.json:2:6: expected ':' delimiter, found 1"),
        ("", "config.json:1:1: expected value, found the end of the file"),
        ('{"servers": {\n // fine\n "a": }}', "config.json:3:7: expected value, found }"),
        (
            "[]",
            "config.json: no servers were found. Files of clients: JSON with mcpServers (Claude",
        ),
        ('{"mcpServers": 7}', "config.json: no servers were found"),
        ('{"editor.fontSize": 14}', "config.json: no servers were found"),
    ],
)
def test_a_syntax_error_names_file_line_column_and_what_was_expected(
    text: str, message: str
) -> None:
    with pytest.raises(QmError) as caught:
        parse(text)

    assert (caught.value.code, caught.value.slug) == ("QM422", "config_invalid")
    assert caught.value.message.startswith(message)
    assert caught.value.hint


def test_a_file_that_is_not_there_and_one_that_is_not_text(tmp_path: Path) -> None:
    with pytest.raises(QmError, match="file_not_found"):
        read_config(tmp_path / "none.json")
    (tmp_path / "bytes.json").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(QmError, match="byte 7 is not UTF-8"):
        read_config(tmp_path / "bytes.json")


def test_a_server_given_twice_is_told() -> None:
    config = parse('{"mcpServers": {"a": {"command": "b"}, "a": {"command": "c"}}}')

    assert [origin.arguments["command"] for origin in config.origins] == [["c"]]
    assert config.warnings == ["'a' is defined twice; the last definition is used"]


def test_names_of_any_script_have_plain_secrets() -> None:
    config = parse('{"mcpServers": {"天气 ☀": {"command": "b", "env": {"KEY": "v"}}}}')

    [origin] = config.origins
    assert origin.name == "天气 ☀"
    [locator] = origin.arguments["environment"].values()
    assert locator.isascii()
    assert locator == f"secret:{next(iter(origin.secrets))}"
