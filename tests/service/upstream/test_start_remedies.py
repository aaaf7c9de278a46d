"""What real servers wrote as they ended at their start, and what helps."""

from __future__ import annotations

import pytest

from quartermaster.upstream.start_remedies import remedy_in

_OF_THE_SDK = "uvx --with 'mcp<2' PACKAGE"


@pytest.mark.parametrize(
    ("output", "remedy"),
    [
        # mcp-server-tree-sitter
        ("ModuleNotFoundError: No module named 'mcp.server.fastmcp'. This is mcp 2", _OF_THE_SDK),
        # mcp-server-reddit
        (
            "ImportError: cannot import name 'McpError' from 'mcp.shared.exceptions' (x)",
            _OF_THE_SDK,
        ),
        # mcp-server-sqlite
        ("AttributeError: 'Server' object has no attribute 'list_resources'", _OF_THE_SDK),
        # yfmcp
        (
            "Because the current Python version (3.11.7) does not satisfy Python>=3.12 and all\n"
            "versions of yfmcp depend on Python>=3.12",
            "uvx --python 3.12 PACKAGE",
        ),
        # @dynatrace-oss/dynatrace-mcp-server
        ("TypeError: webidl.util.markAsUncloneable is not a function", "a newer Node.js"),
    ],
)
def test_what_helps_is_said(output: str, remedy: str) -> None:
    assert remedy in (remedy_in(f"Traceback\n{output}\n") or "")


@pytest.mark.parametrize(
    "output",
    [
        "",
        "ModuleNotFoundError: No module named 'mcp_of_ours'",
        "ImportError: cannot import name 'Image' from 'fastmcp' (x)",
        "AttributeError: 'Server' object has no attribute 'listen'",
        "usage: excel-mcp-server [-h] {stdio,streamable-http} ...",
    ],
)
def test_nothing_is_said_of_other_causes(output: str) -> None:
    assert remedy_in(output) is None
