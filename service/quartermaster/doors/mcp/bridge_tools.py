"""The tools every client sees. Clients cache them and models learn them: bytes never vary."""

from __future__ import annotations

from typing import Any, Final

import mcp_types as types

from quartermaster.core.kind_packages import KindTool, kind_packages

SEARCH_TOOLS: Final = "search_tools"
DESCRIBE_TOOL: Final = "describe_tool"
CALL_TOOL: Final = "call_tool"

INSTRUCTIONS: Final = (
    "Quartermaster holds many tools of many servers and hands out the few that a task needs. "
    "Say what you want to do to search_tools, then run a tool it names with call_tool. "
    "Search again for each different task."
)

_LARGEST_ID: Final = 2**63 - 1

BRIDGE_TOOLS: Final[tuple[types.Tool, ...]] = (
    types.Tool(
        name=SEARCH_TOOLS,
        title="Search tools",
        description=(
            "Find the tools that can do something. Many tools of many servers are available "
            "through this one search and none of them is listed beforehand, so search before "
            "saying that something cannot be done. Returns the best few, each with the name to "
            "call it by, its arguments and what it does; run one with call_tool."
        ),
        input_schema={
            "type": "object",
            "properties": {
                "goal": {
                    "type": "string",
                    "description": "What is to be done, in plain words: 'what time is it in "
                    "Tokyo', 'read a file from disk'. One task for each search.",
                },
                "mode": {
                    "type": "string",
                    "enum": ["fast", "balanced", "thorough"],
                    "default": "balanced",
                    "description": "How hard to look. Use thorough when balanced missed.",
                },
                "kinds": {
                    "type": "array",
                    "items": {"type": "string"},
                    "minItems": 1,
                    "description": "Kinds of card to look for, such as resource or prompt; by "
                    "default tools. Read one that is no tool with describe_tool and its kind.",
                },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 100,
                    "description": "How many tools at most; by default what the mode gives.",
                },
                "budget_tokens": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "How many tokens their definitions may have together.",
                },
                "full": {
                    "type": "boolean",
                    "default": False,
                    "description": "Return whole definitions with schemas, not just signatures.",
                },
                "as_of": {
                    "type": "string",
                    "description": "ISO 8601 moment in the past, to find what was there then.",
                },
            },
            "required": ["goal"],
            "additionalProperties": False,
        },
        annotations=types.ToolAnnotations(
            title="Search tools",
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    ),
    types.Tool(
        name=DESCRIBE_TOOL,
        title="Describe a tool",
        description=(
            "The whole definition of one tool: description, JSON Schema of its arguments and of "
            "its result, annotations. Needed only when the signature that search_tools returned "
            "does not say enough."
        ),
        input_schema={
            "type": "object",
            "properties": {
                "name": {
                    "type": "string",
                    "description": "Name as search_tools returned it, such as "
                    "time__get_current_time.",
                },
                "kind": {
                    "type": "string",
                    "description": "Of what search_tools found as another kind than tool.",
                },
                "as_of": {
                    "type": "string",
                    "description": "ISO 8601 moment in the past, to see the definition of then.",
                },
            },
            "required": ["name"],
            "additionalProperties": False,
        },
        annotations=types.ToolAnnotations(
            title="Describe a tool",
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    ),
    types.Tool(
        name=CALL_TOOL,
        title="Call a tool",
        description=(
            "Run a tool that search_tools found and return its result as it is. If the arguments "
            "do not fit, the answer says where and shows the schema: correct them and call again."
        ),
        input_schema={
            "type": "object",
            "properties": {
                "name": {
                    "type": "string",
                    "description": "Name as search_tools returned it, such as "
                    "time__get_current_time.",
                },
                "arguments": {
                    "type": "object",
                    "description": "The tool's own arguments, by name.",
                },
                "receipt": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": _LARGEST_ID,
                    "description": "Receipt number of the search that found it.",
                },
            },
            "required": ["name"],
            "additionalProperties": False,
        },
        # What the called tool does is not known beforehand, so this claims nothing harmless.
        annotations=types.ToolAnnotations(
            title="Call a tool",
            read_only_hint=False,
            destructive_hint=True,
            idempotent_hint=False,
            open_world_hint=True,
        ),
    ),
)

_SCHEMAS: Final[dict[str, dict[str, Any]]] = {tool.name: tool.input_schema for tool in BRIDGE_TOOLS}


def kind_tools() -> dict[str, KindTool]:
    """The tools that installed packages bring for their kinds, by name."""
    return {tool.definition.name: tool for package in kind_packages() for tool in package.tools}


def own_tools() -> list[types.Tool]:
    """What every client sees: the bridge tools, then those of kinds."""
    return [*BRIDGE_TOOLS, *(tool.definition for tool in kind_tools().values())]


def bridge_schema(name: str) -> dict[str, Any] | None:
    """Schema of the arguments of one of `own_tools`; None for any other name."""
    of_kind = kind_tools().get(name)
    return of_kind.definition.input_schema if of_kind else _SCHEMAS.get(name)
