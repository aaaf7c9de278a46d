"""The table of MCP clients: where the file of each client is, its format, and the names in it.

``qm import`` and ``qm connect`` read all their facts about a client from this table. To add a
client, add a row, with the page of its documentation and the day on which you read it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from quartermaster.clients.client import Client

EXAMPLE: Final = Path(__file__).with_name("example.json")
"""A file with comments, with one server of each transport."""

_CODE: Final = "{applications}/Code/User"

CLIENTS: Final = {
    client.name: client
    for client in (
        Client(
            "claude",
            "Claude Desktop",
            "modelcontextprotocol.io: Connect to local MCP servers (not read again)",
            "2026-11-30",
            user=("{applications}/Claude/claude_desktop_config.json",),
            speaks_http=False,
        ),
        Client(
            "claude-code",
            "Claude Code",
            "Claude Code 2.1.332; code.claude.com: Connect Claude Code to tools via MCP",
            "2026-11-30",
            user=("{CLAUDE_CONFIG_DIR|~}/.claude.json",),
            project=(".mcp.json",),
            keys=(("mcpServers",), ("projects", "*", "mcpServers")),
            off_lists=(
                ("projects", "*", "disabledMcpServers"),
                ("projects", "*", "disabledMcpjsonServers"),
            ),
            types={"stdio": "stdio", "http": "http", "sse": "sse"},
            more={"alwaysLoad": True},
        ),
        Client(
            "cursor",
            "Cursor",
            "cursor.com/docs: Model Context Protocol (MCP), as other pages quote it",
            "2026-11-30",
            user=("~/.cursor/mcp.json",),
            project=(".cursor/mcp.json",),
            types={"stdio": "stdio", "http": "http"},
            off=("disabled", True),
        ),
        Client(
            "vscode",
            "VS Code",
            "code.visualstudio.com/docs: MCP configuration reference",
            "2026-11-30",
            user=(f"{_CODE}/mcp.json",),
            further=(f"{_CODE}/settings.json",),
            project=(".vscode/mcp.json", ".vscode/settings.json"),
            keys=(("servers",), ("mcp", "servers"), ("mcp.servers",), ("mcp.mcpServers",)),
            types={"stdio": "stdio", "http": "http", "sse": "sse"},
        ),
        Client(
            "windsurf",
            "Windsurf",
            "docs.windsurf.com: Cascade MCP Integration",
            "2026-11-30",
            user=("~/.codeium/windsurf/mcp_config.json", "~/.codeium/mcp_config.json"),
            members={"url": "serverUrl"},
            older={"url": ("url",)},
            off=("disabled", True),
        ),
        Client(
            "zed",
            "Zed",
            "zed.dev/docs: Model Context Protocol",
            "2026-11-30",
            user=("{config}/zed/settings.json",),
            project=(".zed/settings.json",),
            keys=(("context_servers",),),
            off=("enabled", False),
        ),
        Client(
            "codex",
            "Codex",
            "Codex 0.171.0; developers.openai.com/codex: Model Context Protocol",
            "2026-11-30",
            user=("{CODEX_HOME|~/.codex}/config.toml",),
            project=(".codex/config.toml",),
            keys=(("mcp_servers",),),
            format="toml",
            members={"headers": "http_headers"},
            off=("enabled", False),
        ),
        Client(
            "gemini",
            "Gemini CLI",
            "Gemini CLI 0.61.0; geminicli.com/docs: MCP servers with Gemini CLI",
            "2026-11-30",
            user=("~/.gemini/settings.json",),
            project=(".gemini/settings.json",),
            off_lists=(("mcp", "excluded"), ("excludeMCPServers",)),
            older={"url": ("httpUrl",)},
            types={"http": "http", "sse": "sse"},
        ),
        Client(
            "cline",
            "Cline",
            "docs.cline.bot: Adding and configuring MCP servers, as other pages quote it",
            "2026-11-30",
            user=(
                f"{_CODE}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
                "{CLINE_DATA_DIR|~/.cline/data}/settings/cline_mcp_settings.json",
            ),
            types={"stdio": "stdio", "http": "streamableHttp", "sse": "sse"},
            older={"type": ("transportType",)},
            off=("disabled", True),
        ),
        Client(
            "roo",
            "Roo Code",
            "docs.roocode.com: Using MCP in Roo Code",
            "2026-11-30",
            user=(f"{_CODE}/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",),
            project=(".roo/mcp.json",),
            types={"stdio": "stdio", "http": "streamable-http", "sse": "sse"},
            off=("disabled", True),
        ),
        Client(
            "goose",
            "Goose",
            "goose documentation: Configuration Overview; Using Extensions",
            "2026-11-30",
            user=("{config}/goose/config.yaml",),
            keys=(("extensions",),),
            format="yaml",
            members={"command": "cmd", "env": "envs", "url": "uri"},
            types={"stdio": "stdio", "http": "streamable_http", "sse": "sse"},
            off=("enabled", False),
            more={"enabled": True, "name": "qm", "timeout": 300},
        ),
        Client(
            "continue",
            "Continue",
            "docs.continue.dev: How to set up MCP in Continue, as other pages quote it",
            "2026-11-30",
            user=("~/.continue/config.yaml",),
            further=("~/.continue/mcpServers/*",),
            project=(".continue/mcpServers/*",),
            keys=(("mcpServers",),),
            format="yaml",
            members={"headers": "requestOptions.headers"},
            types={"stdio": "stdio", "http": "streamable-http", "sse": "sse"},
            is_list=True,
        ),
        Client(
            "librechat",
            "LibreChat",
            "librechat.ai/docs: MCP Servers Object Structure",
            "2026-11-30",
            project=("librechat.yaml",),
            format="yaml",
            types={"stdio": "stdio", "http": "streamable-http", "sse": "sse"},
        ),
        Client(
            "opencode",
            "opencode",
            "opencode 1.18.33; opencode.ai/docs: MCP servers",
            "2026-11-30",
            user=(
                "{config}/opencode/opencode.jsonc",
                "{config}/opencode/opencode.json",
                "{config}/opencode/config.json",
            ),
            project=("opencode.jsonc", "opencode.json"),
            keys=(("mcp",),),
            members={"env": "environment"},
            types={"stdio": "local", "http": "remote"},
            off=("enabled", False),
            more={"enabled": True},
            has_line=True,
        ),
        Client(
            "amp",
            "Amp",
            "Amp 0.0.1790142911; ampcode.com/manual: MCP",
            "2026-11-30",
            user=("{config}/amp/settings.json",),
            project=(".amp/settings.json",),
            keys=(("amp.mcpServers",), ("amp", "mcpServers")),
            off=("disabled", True),
        ),
        Client(
            "copilot",
            "GitHub Copilot CLI",
            "Copilot CLI 1.0.102; docs.github.com: Adding MCP servers for GitHub Copilot CLI",
            "2026-11-30",
            user=("{COPILOT_HOME|~/.copilot}/mcp-config.json",),
            project=(".mcp.json", ".github/mcp.json"),
            off_file=("settings.json", ("disabledMcpServers",)),
            types={"stdio": "local", "http": "http", "sse": "sse"},
            more={"tools": ["*"]},
        ),
    )
}

MEMBERS: Final = ("command", "args", "env", "cwd", "url", "headers", "type", "description")

# Names that no client above writes, and that people write all the same.
_OTHER_MEMBER_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "command": ("cmd", "executable", "program"),
    "args": ("arguments",),
    "env": ("envs", "environment", "environmentVariables", "env_vars"),
    "cwd": ("workingDirectory", "working_directory", "workdir"),
    "url": ("serverUrl", "server_url", "httpUrl", "http_url", "sseUrl", "uri", "endpoint"),
    "headers": ("http_headers", "httpHeaders", "requestHeaders"),
    "type": ("transport", "transportType", "transport_type"),
}


def names_of(member: str) -> tuple[str, ...]:
    """Returns all names that clients use for a member of a server. The given name comes first."""
    names = [member]
    for client in CLIENTS.values():
        names += [client.members.get(member, member), *client.older.get(member, ())]
    return tuple(dict.fromkeys([*names, *_OTHER_MEMBER_NAMES.get(member, ())]))


# How transports are written, in lower case and without - and _.
TRANSPORTS: Final = {
    "stdio": "stdio",
    "http": "http",
    "streamablehttp": "http",
    "httpstream": "http",
    "sse": "sse",
} | {
    written.lower().replace("-", "").replace("_", ""): transport
    for client in CLIENTS.values()
    for transport, written in client.types.items()
}
