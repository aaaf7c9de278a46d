"""Real MCP servers of npm and PyPI, started as their manuals say, and a call without network."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.clients.sdks import Call
from tests.support.node_tools import NPX

UVX: Final = Path(sys.executable).with_name("uvx")


@dataclass(frozen=True)
class RealServer:
    """A server.

    Attributes:
        package: on PyPI or npm, with the version that these tests were written for.
        call: one that answers the same each time.
        arguments: of the program.
    """

    package: str
    call: Call
    arguments: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of its origin."""
        package = self.package.partition("==")[0].lstrip("@").partition("@")[0]
        return package.replace(".", "-").replace("/", "-")

    @property
    def command(self) -> tuple[str, ...]:
        """The program and its arguments."""
        program, is_of_pypi, _ = self.package.partition("==")
        if is_of_pypi:
            return (str(UVX), "--quiet", "--from", self.package, program, *self.arguments)
        return (*NPX, "--yes", self.package, *self.arguments)


_SERIES: Final = [{"time": "2026", "value": 1}, {"time": "2027", "value": "two"}]

SERVERS: Final = (
    RealServer("arxiv-mcp-server==0.8.2", Call("list_papers", {})),
    RealServer(
        "awslabs.aws-documentation-mcp-server==1.2.3",
        Call("read_documentation", {"url": "https://example.org/"}),
    ),
    RealServer("code-index-mcp==2.17.1", Call("find_files", {"pattern": "*.py"})),
    RealServer("duckduckgo-mcp-server==0.7.0", Call("expand_link", {"token": "none"})),
    RealServer(
        "excel-mcp-server==2.2.2", Call("describe_workbook", {"path": "/missing.xlsx"}), ("stdio",)
    ),
    RealServer(
        "markitdown-mcp==0.0.1a8",
        Call("convert_to_markdown", {"uri": "data:text/html,<h1>Tide</h1>"}),
    ),
    RealServer("mcp-pandoc==0.11.1", Call("convert-contents", {"contents": "# Tide"})),
    RealServer("mcp-pdf==2026.9.22", Call("list_capabilities", {})),
    RealServer("mcp-shell-server==1.1.14", Call("shell_execute", {"command": ["tide"]})),
    RealServer("mcp-ssh==0.2.7", Call("list_sessions", {})),
    RealServer("wikipedia-mcp==2.0.1", Call("get_article", {"title": 7})),
    RealServer("@antv/mcp-server-chart@0.9.10", Call("generate_area_chart", {"data": _SERIES})),
    RealServer("@cyanheads/git-mcp-server@2.15.3", Call("git_status", {"path": "/missing"})),
    RealServer("@eslint/mcp@0.3.13", Call("lint-files", {"filePaths": []})),
    RealServer("@kazuph/mcp-taskmanager@1.1.1", Call("get_next_task", {"requestId": "req-7"})),
    RealServer("@upstash/context7-mcp@4.1.1", Call("query-docs", {"libraryId": "none"})),
    RealServer("mcp-searxng@2.4.0", Call("web_url_read", {"url": "none"})),
    RealServer("mcp-server-commands@0.5.0", Call("run_command", {"command": "echo tide"})),
    RealServer("mongodb-mcp-server@3.0.4", Call("list-connections", {})),
    RealServer("nx-mcp@0.25.0", Call("nx_docs", {})),
)
