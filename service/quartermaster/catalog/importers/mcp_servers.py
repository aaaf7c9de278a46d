"""Reads configurations of MCP clients: Claude, Cursor, VS Code, smartmcp."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from quartermaster.catalog.importers.origin_definition import OriginDefinition, define_origin
from quartermaster.core.errors import QmError, unreadable
from quartermaster.core.json_text import (
    SyntaxProblem,
    parse,
    syntax_error,
    without_comments,
)

JsonObject = dict[str, Any]

_TOP_LEVEL: Final = frozenset({"mcpServers", "servers", "inputs", "mcp", "top_k"})


@dataclass(slots=True)
class McpConfig:
    """The parsed content of a configuration.

    Attributes:
        origins: the servers with a valid definition.
        rejected: the other servers, with the reasons.
        warnings: messages about ignored content.
        top_k: number of tools that smartmcp returns for a search.
        embedding_model: the model that smartmcp searches with.
    """

    origins: list[OriginDefinition] = field(default_factory=list[OriginDefinition])
    rejected: dict[str, str] = field(default_factory=dict[str, str])
    warnings: list[str] = field(default_factory=list[str])
    top_k: int | None = None
    embedding_model: str | None = None


def read_config(path: Path) -> McpConfig:
    """Read a configuration file.

    Args:
        path: path of a JSON file with ``mcpServers`` (Claude, Cursor, smartmcp) or ``servers`` (VS
            Code, whose files may contain comments and trailing commas).

    Raises:
        QmError: QM422 config_invalid, with file, line and column if known; QM404 file_not_found. An
            invalid server definition raises no error: see `McpConfig.rejected`.
    """
    return parse_config(read_text(path), path)


def read_text(path: Path) -> str:
    """Read the text in a UTF-8 file, with or without a byte order mark.

    Raises:
        QmError: QM404 file_not_found, QM422 config_invalid.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise unreadable(path, error) from error
    except UnicodeDecodeError as error:
        raise QmError(
            422,
            "config_invalid",
            f"{path}: byte {error.start} is not UTF-8",
            "Save the file as UTF-8.",
        ) from error


def parse_config(text: str, path: Path) -> McpConfig:
    """Like `read_config`, but for a text that has already been read; errors name the path."""
    try:
        found, repeated = parse(text)
    except SyntaxProblem as problem:
        found, repeated = _parse_tolerantly(text, path, problem)
    top = cast("JsonObject", found) if isinstance(found, dict) else {}
    config = McpConfig(
        warnings=[f"{name!r} is defined twice; the last definition is used" for name in repeated]
    )
    nested = cast("JsonObject", top["mcp"]) if isinstance(top.get("mcp"), dict) else {}
    servers = top.get("mcpServers", top.get("servers", nested.get("servers")))
    if not isinstance(servers, dict):
        raise QmError(
            422,
            "config_invalid",
            f"{path}:1:1: expected an object with the member mcpServers (in VS Code files:"
            " servers)",
            'Write {"mcpServers": {"NAME": {"command": "...", "args": []}}}.',
        )
    _read_smartmcp(top, config)
    unknown = sorted(top.keys() - _TOP_LEVEL - {"embedding_model"})
    if unknown:
        config.warnings.append(f"these members are unknown and are left out: {', '.join(unknown)}")
    for name, server in cast("JsonObject", servers).items():
        try:
            config.origins.append(define_origin(name, server, path, config.warnings))
        except ValueError as reason:
            config.rejected[name] = str(reason)
    return config


def _read_smartmcp(top: JsonObject, config: McpConfig) -> None:
    top_k, model = top.get("top_k"), top.get("embedding_model")
    if isinstance(top_k, int) and not isinstance(top_k, bool) and top_k > 0:
        config.top_k = top_k
    elif top_k is not None:
        config.warnings.append(f"top_k {top_k!r} is not a positive number, so it is left out")
    if isinstance(model, str):
        config.embedding_model = model
    elif model is not None:
        config.warnings.append(f"embedding_model {model!r} is not text, so it is left out")


def _parse_tolerantly(text: str, path: Path, problem: SyntaxProblem) -> tuple[Any, list[str]]:
    """Parse a text; in a file of VS Code, allow comments and trailing commas."""
    try:
        found, repeated = parse(without_comments(text))
    except SyntaxProblem as still:
        # In a file that may contain comments, a comment is not an error.
        told = still if '"servers"' in text else problem
        raise syntax_error(str(path), told) from None
    if not isinstance(found, dict):
        raise syntax_error(str(path), problem) from None
    top = cast("JsonObject", found)
    if not {"servers", "inputs", "mcp"} & top.keys():
        raise syntax_error(str(path), problem) from None
    return top, repeated
