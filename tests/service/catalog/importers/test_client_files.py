"""Files of many clients, and of people who write them by hand: nothing in them is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quartermaster.catalog.importers.mcp_servers import McpConfig, read_config
from quartermaster.core.errors import QmError


def read(folder: Path, name: str, text: str | bytes) -> McpConfig:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    config = read_config(path)
    assert config.rejected == {}
    return config


def connections(config: McpConfig) -> dict[str, Any]:
    """Returns what is started or called, by the name of the origin; a server that is off is in
    brackets.
    """
    found: dict[str, Any] = {}
    for origin in config.origins:
        given = origin.arguments["meta"].get("off", origin.arguments)
        what = given.get("url") or given["command"]
        found[origin.name] = [what] if origin.is_off else what
    return found


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "amp.json",
            '{"amp.mcpServers": {"a": {"command": "x", "args": ["y"]}}}',
            {"a": ["x", "y"]},
        ),
        (
            "bare.json",
            '{"a": {"command": "x"}, "b": {"url": "https://b.example/mcp"}}',
            {"a": ["x"], "b": "https://b.example/mcp"},
        ),
        ("bom.json", b'\xef\xbb\xbf{"mcpServers": {"a": {"command": "x"}}}', {"a": ["x"]}),
        ("utf16.json", '{"mcpServers": {"a": {"command": "x"}}}'.encode("utf-16"), {"a": ["x"]}),
        (
            "comments.mcp.json",
            '{\n // team\n "mcpServers": {\n  /* "old": {}, */\n  "a": {"command": "x",'
            ' "args": ["http://y", "#z"],},  # ours\n },\n}',
            {"a": ["x", "http://y", "#z"]},
        ),
        (
            ".claude.json",
            '{"numStartups": 3, "mcpServers": {"u": {"command": "x"}}, "projects": {"/p/shop":'
            ' {"mcpServers": {"p": {"command": "y"}, "u": {"command": "z"}, "d": {"command": "d"}},'
            ' "disabledMcpServers": ["d"]}, "/p/other": {"mcpServers": {"u": {"command": "x"}}}}}',
            {"u": ["x"], "p": ["y"], "u-shop": ["z"], "d": [["d"]]},
        ),
        (
            "only-projects.json",
            '{"projects": {"/p": {"mcpServers": {"p": {"command": "x", "env": {}}}}}}',
            {"p": ["x"]},
        ),
        (
            "config.toml",
            'model = "m"\n[mcp_servers.a]\ncommand = "x"\nargs = ["y"]\nenv = {K = "v"}\n'
            '[mcp_servers.b]\nurl = "https://b.example/mcp"\nbearer_token_env_var = "T"\n'
            "enabled = false\n",
            {"a": ["x", "y"], "b": ["https://b.example/mcp"]},
        ),
        (
            "gemini.json",
            '{"theme": "x", "mcp": {"excluded": ["c"]}, "mcpServers": {"a": {"httpUrl":'
            ' "https://a.example/mcp"}, "b": {"url": "https://b.example/sse"},'
            ' "c": {"command": "x"}}}',
            {"a": "https://a.example/mcp", "b": "https://b.example/sse", "c": [["x"]]},
        ),
        (
            "goose.yaml",
            "GOOSE_MODEL: m\nextensions:\n  a:\n    type: stdio\n    cmd: x\n    args: [y]\n"
            "    envs: {K: v}\n    enabled: true\n  b:\n    enabled: false\n"
            "    type: streamable_http\n    uri: https://b.example/mcp\n"
            "  c:\n    enabled: true\n    config: {type: stdio, cmd: z}\n",
            {"a": ["x", "y"], "b": ["https://b.example/mcp"], "c": ["z"]},
        ),
        (
            "continue.yaml",
            "name: mine\nmcpServers:\n  - name: a\n    command: x\n  - name: b\n"
            "    type: streamable-http\n    url: https://b.example/mcp\n",
            {"a": ["x"], "b": "https://b.example/mcp"},
        ),
        (
            "librechat.yaml",
            "version: 1.2.1\nmcpServers:\n  a:\n    type: sse\n    url: https://a.example/mcp\n",
            {"a": "https://a.example/mcp"},
        ),
        (
            "opencode.jsonc",
            '{"mcp": {"a": {"type": "local", "command": ["x", "y"], "environment": {"K": "v"}},'
            ' "b": {"type": "remote", "url": "https://b.example/mcp", "enabled": false}}}',
            {"a": ["x", "y"], "b": ["https://b.example/mcp"]},
        ),
        (
            "vscode.json",
            '{"editor.fontSize": 14, "mcp.servers": {"a": {"command": "x"}}}',
            {"a": ["x"]},
        ),
        (
            "windsurf.json",
            '{"mcpServers": {"a": {"serverUrl": "https://a.example/mcp"}, "b": {"command": "npx",'
            ' "args": ["-y", "x"], "disabled": true}}}',
            {"a": "https://a.example/mcp", "b": [["npx", "-y", "x"]]},
        ),
        (
            "zed.json",
            '{ // mine\n "context_servers": {"a": {"source": "custom", "command": "x", "args": []},'
            ' "b": {"command": {"path": "y", "args": ["z"]}, "settings": {}}}}',
            {"a": ["x"], "b": ["y", "z"]},
        ),
        (
            "copilot.json",
            '{"mcpServers": {"a": {"type": "local", "command": "x", "tools": ["*"]}}}',
            {"a": ["x"]},
        ),
        ("nested.json", '{"agent": {"mcpServers": {"a": {"command": "x"}}}}', {"a": ["x"]}),
        ("alone.json", '{"command": "npx", "args": ["-y", "x"]}', {"alone": ["npx", "-y", "x"]}),
        ("pasted.json", '"a": {"command": "x"},\n"b": {"command": "y"},', {"a": ["x"], "b": ["y"]}),
        ("pasted.json", '"mcpServers": {"a": {"command": "x"}} // new', {"a": ["x"]}),
        ("no-suffix", '[mcp_servers.a]\ncommand = "x"\n', {"a": ["x"]}),
        ("empty.json", '{"mcpServers": {}}', {}),
    ],
)
def test_each_format_is_read_with_what_it_holds(
    tmp_path: Path, name: str, text: str | bytes, expected: dict[str, Any]
) -> None:
    assert connections(read(tmp_path, name, text)) == expected


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        ({"command": "python3 /x.py a", "args": ["b"]}, ["python3", "/x.py", "a", "b"]),
        ({"command": "docker run -i --rm i"}, ["docker", "run", "-i", "--rm", "i"]),
        ({"command": "uvx 'a b' \"c d\""}, ["uvx", "a b", "c d"]),
        (
            {"command": 'C:\\Program Files\\nodejs\\npx.cmd -y "a b" C:\\x'},
            ["C:\\Program Files\\nodejs\\npx.cmd", "-y", "a b", "C:\\x"],
        ),
        ({"command": '"C:\\a b\\x.exe" --y'}, ["C:\\a b\\x.exe", "--y"]),
        ({"command": "node C:\\srv\\index.js"}, ["node", "C:\\srv\\index.js"]),
        ({"command": "cmd", "args": ["/c", "npx", "C:\\me"]}, ["cmd", "/c", "npx", "C:\\me"]),
        ({"command": "npx", "args": "-y server"}, ["npx", "-y", "server"]),
        ({"command": "npx", "args": ["-y", None, 8080, True]}, ["npx", "-y", "8080", "true"]),
        ({"command": ["npx", "-y", "x"]}, ["npx", "-y", "x"]),
        ({"command": "cd /srv && npx x"}, ["sh", "-c", "cd /srv && npx x"]),
        ({"command": "an unclosed 'quote"}, ["an unclosed 'quote"]),
        ({"cmd": "x", "arguments": ["y"]}, ["x", "y"]),
        ({"url": "example.com/mcp"}, "https://example.com/mcp"),
        ({"url": "localhost:8080/mcp"}, "http://localhost:8080/mcp"),
        ({"type": "http", "command": "x", "url": "https://a.example"}, "https://a.example"),
        ({"type": "remote", "url": "https://a.example"}, "https://a.example"),
        ({"transport": {"type": "http", "url": "https://a.example"}}, "https://a.example"),
    ],
)
def test_what_people_write_is_repaired(
    tmp_path: Path, server: dict[str, Any], expected: Any
) -> None:
    text = json.dumps({"mcpServers": {"a": server}})
    assert connections(read(tmp_path, "mcp.json", text)) == {"a": expected}


def test_a_program_with_a_space_in_its_path_stays_one(tmp_path: Path) -> None:
    program = tmp_path / "my tools" / "server"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for command in (str(program), f"{program} --port 1"):
        config = read(
            tmp_path, "mcp.json", f'{{"mcpServers": {{"a": {{"command": "{command}"}}}}}}'
        )
        assert connections(config)["a"][0] == str(program)


@pytest.mark.parametrize(
    "environment",
    ['{"K": "v"}', '["K=v"]', '[{"name": "K", "value": "v"}]'],
)
def test_variables_are_read_from_objects_and_lists(tmp_path: Path, environment: str) -> None:
    text = f'{{"mcpServers": {{"a": {{"command": "x", "envs": {environment}, "extra": 1}}}}}}'
    [origin] = read(tmp_path, "mcp.json", text).origins
    assert origin.secrets == {"a/K": "v"}
    assert origin.arguments["meta"] == {"extra": 1}


@pytest.mark.parametrize(
    "written",
    ["${KEY}", "${env:KEY}", "$KEY", "%KEY%", "{env:KEY}", "$env:KEY"],
)
@pytest.mark.parametrize("is_set", [True, False])
def test_every_reference_to_a_variable_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, is_set: bool
) -> None:
    monkeypatch.delenv("KEY", raising=False)
    if is_set:
        monkeypatch.setenv("KEY", "/srv/me")
    text = (
        f'{{"mcpServers": {{"a": {{"command": "x", "args": ["{written}/y"],'
        f' "env": {{"K": "{written}"}}}}}}}}'
    )
    [origin] = read(tmp_path, "mcp.json", text).origins

    assert origin.arguments["environment"] == {"K": "env:KEY"}
    assert origin.arguments["command"][1] == ("/srv/me/y" if is_set else "${env:KEY}/y")
    assert ("env:KEY" in origin.missing) is not is_set


def test_a_variable_of_the_server_itself_is_left_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AUTH", raising=False)
    text = (
        '{"mcpServers": {"a": {"command": "npx", "args": ["mcp-remote", "--header",'
        ' "Authorization:${AUTH}"], "env": {"AUTH": "Bearer abcdef123456"}}}}'
    )
    [origin] = read(tmp_path, "mcp.json", text).origins
    assert origin.arguments["command"][-1] == "Authorization:${AUTH}"
    assert origin.missing == {}


@pytest.mark.parametrize(
    ("server", "hidden"),
    [
        ('{"url": "https://a.example/mcp?api_key=S3CRETvalue1&x=1"}', "S3CRETvalue1"),
        ('{"url": "https://a.example/mcp?tavilyApiKey=S3CRETvalue1"}', "S3CRETvalue1"),
        ('{"url": "https://a.example/mcp?access_token=S3CRETvalue1"}', "S3CRETvalue1"),
        ('{"url": "https://a.example/mcp?key=S3CRETvalue1#f"}', "S3CRETvalue1"),
        ('{"url": "https://a.example/mcp#access_token=S3CRETvalue1"}', "S3CRETvalue1"),
        ('{"url": "https://me:S3CRETvalue1@a.example/mcp"}', "S3CRETvalue1"),
        ('{"url": "https://S3CRETvalue1@a.example/mcp"}', "S3CRETvalue1"),
        (
            '{"url": "https://a.example/s/Zk9vQ2x1c3Rlcjo4ODQyN2FiY2Q/mcp"}',
            "Zk9vQ2x1c3Rlcjo4ODQyN2FiY2Q",
        ),
        ('{"command": "x", "args": ["--token", "S3CRETvalue1"]}', "S3CRETvalue1"),
        ('{"command": "x", "args": ["--user", "me:S3CRETvalue1"]}', "S3CRETvalue1"),
        ('{"command": "x", "args": ["--api-key=S3CRETvalue1"]}', "S3CRETvalue1"),
        ('{"command": "x", "args": ["-e", "GITHUB_TOKEN=S3CRETvalue1"]}', "S3CRETvalue1"),
        ('{"command": "x", "args": ["--header", "X-Api-Key: S3CRETvalue1"]}', "S3CRETvalue1"),
        ('{"command": "x", "args": ["postgresql://me:S3CRETvalue1@db/shop"]}', "S3CRETvalue1"),
        ('{"command": "x", "args": ["{\\"apiKey\\": \\"S3CRETvalue1\\"}"]}', "S3CRETvalue1"),
        ('{"command": "x --password S3CRETvalue1"}', "S3CRETvalue1"),
        ('{"command": "TOKEN=S3CRETvalue1 npx x"}', "S3CRETvalue1"),
        ('{"command": "x", "oauth": {"clientSecret": "S3CRETvalue1"}}', "S3CRETvalue1"),
        ('{"command": "x", "disabled": true, "args": ["--token", "S3CRETvalue1"]}', "S3CRETvalue1"),
    ],
)
def test_secrets_in_arguments_and_urls_are_moved(tmp_path: Path, server: str, hidden: str) -> None:
    config = read(tmp_path, "mcp.json", f'{{"mcpServers": {{"a": {server}}}}}')

    [origin] = config.origins
    assert hidden not in repr(origin.arguments) + repr(config)
    assert origin.secrets


@pytest.mark.parametrize(
    "args",
    [
        ["--max-tokens", "4096"],
        ["--token-file", "/run/secrets/token"],
        ["--key", "./cert.pem"],
        ["--auth", "none"],
        ["--port", "8080"],
        ["--no-token", "--verbose"],
        ["-y", "@scope/server-github@1.2.3"],
        ["https://a.example/api/v1/projects"],
        ["--sort-by", "author"],
        ["--user", "1000:1000"],
        ["--tokenizer", "gpt2", "--keyboard", "us"],
    ],
)
def test_what_is_no_secret_stays_readable(tmp_path: Path, args: list[str]) -> None:
    listed = ", ".join(f'"{arg}"' for arg in args)
    text = f'{{"mcpServers": {{"a": {{"command": "x", "args": [{listed}]}}}}}}'
    [origin] = read(tmp_path, "mcp.json", text).origins
    assert origin.arguments["command"] == ["x", *args]
    assert origin.secrets == {}


def test_a_secret_in_a_variable_stays_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "S3CRETvalue1")
    text = (
        '{"mcpServers": {"a": {"command": "x", "args": ["--token", "${GITHUB_TOKEN}",'
        ' "${GITHUB_TOKEN}"]}, "b": {"url": "https://b.example/mcp?key=${GITHUB_TOKEN}"}}}'
    )
    first, second = read(tmp_path, "mcp.json", text).origins
    assert first.arguments["command"][1:] == ["--token", *["${env:GITHUB_TOKEN}"] * 2]
    assert second.arguments["url"] == "https://b.example/mcp?key=${env:GITHUB_TOKEN}"


def test_variables_in_a_file_of_the_project_become_secrets(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text('# mine\nexport A=one\nB="two"\n')
    text = '{"mcpServers": {"a": {"command": "x", "envFile": "${workspaceFolder}/.env"}}}'
    [origin] = read(tmp_path, "mcp.json", text).origins
    assert origin.secrets == {"a/A": "one", "a/B": "two"}


def test_a_configuration_cannot_choose_files_of_others(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("K=three\n")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "link").symlink_to(tmp_path / "key")
    for named in ("../key", "none", "link"):
        text = (
            f'{{"mcpServers": {{"a": {{"command": "x", "envFile": "{named}",'
            f' "env": {{"D": "{{file:{named}}}"}}}}}}}}'
        )
        config = read(tmp_path, "shop/mcp.json", text)
        [origin] = config.origins
        assert origin.secrets == {}
        assert f"a: the variables in {named} were not read" in config.warnings[0]
        assert origin.missing == {"secret:a/D": f"it is the content of {named}"}
        assert origin.arguments["meta"] == {"envFile": named}


def test_quartermaster_itself_is_not_imported(tmp_path: Path) -> None:
    text = (
        '{"mcpServers": {"qm": {"url": "http://127.0.0.1:8765/mcp", "headers": {"Authorization":'
        ' "Bearer qm_abc"}}, "x": {"command": "/venv/bin/qm", "args": ["stdio"]},'
        ' "a": {"command": "y"}}}'
    )
    assert connections(read(tmp_path, "mcp.json", text)) == {"a": ["y"]}


@pytest.mark.parametrize(
    ("name", "text", "format_"),
    [
        ("config.toml", "[mcp_servers.a\n", "TOML"),
        ("config.yaml", "extensions: [\n", "YAML"),
        ("config.toml", 'model = "x"\n', "TOML with mcp_servers (Codex)"),
        ("config.yaml", "GOOSE_MODEL: x\n", "YAML with extensions (Goose)"),
        ("settings.json", '{"theme": "x"}', "JSON with context_servers (Zed)"),
    ],
)
def test_a_file_without_servers_names_the_formats(
    tmp_path: Path, name: str, text: str, format_: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(QmError, match="config_invalid") as caught:
        read_config(tmp_path / name)
    assert format_ in caught.value.message + caught.value.hint


def test_a_block_of_a_hub_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(
        "mcpServers:\n  - name: a\n    command: x\n  - uses: acme/memory-mcp\n"
    )
    config = read_config(tmp_path / "config.yaml")
    assert [origin.name for origin in config.origins] == ["a"]
    assert config.rejected == {
        "acme/memory-mcp": "it lies in the hub of the client (acme/memory-mcp)"
    }


def test_one_server_that_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text(
        '{"mcpServers": {"a": {"command": "x"}, "b": 7, "c": {"url": "ws://c"}, "d": {"type":'
        ' "carrier-pigeon", "command": "x"}, "Wïn 4/ü": {"command": "y"},'
        ' "e__f": {"command": "z"}}}'
    )
    config = read_config(tmp_path / "mcp.json")
    assert [origin.name for origin in config.origins] == ["a", "Wïn 4/ü", "e__f"]
    assert list(config.rejected) == ["b", "c", "d"]
