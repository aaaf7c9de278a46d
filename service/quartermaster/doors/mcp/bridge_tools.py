"""The tools that every client sees. Clients cache them and models learn them, so their bytes never
vary.
"""

from __future__ import annotations

from typing import Any, Final

import mcp_types as types

from quartermaster.core.kind_packages import KindTool, kind_packages
from quartermaster.doors.wire.tool_schemas import READS, Schema, flag, member, takes

SEARCH_TOOLS: Final = "search_tools"
DESCRIBE_TOOL: Final = "describe_tool"
CALL_TOOL: Final = "call_tool"

INSTRUCTIONS: Final = (
    "Quartermaster holds many tools of many servers and hands out the few that a task needs. "
    "Say what you want to do, in English, to search_tools, then run a tool it names with call_tool. "
    "Search again for each different task."
)

_LARGEST_ID: Final = 2**63 - 1

_NAME: Final = member("string", "Name as search_tools returned it, such as time__get_current_time.")


def _tool(
    name: str, title: str, description: str, input_schema: Schema, claims: types.ToolAnnotations
) -> types.Tool:
    return types.Tool(
        name=name,
        title=title,
        description=description,
        input_schema=input_schema,
        annotations=claims.model_copy(update={"title": title}),
    )


BRIDGE_TOOLS: Final[tuple[types.Tool, ...]] = (
    _tool(
        SEARCH_TOOLS,
        "Search tools",
        "Find the tools that can do something. Many tools of many servers are available "
        "through this one search and none of them is listed beforehand, so search before "
        "saying that something cannot be done. Returns the best few, each with the name to "
        "call it by, its arguments and what it does; run one with call_tool.",
        takes(
            {
                "goal": member(
                    "string",
                    "What is to be done, in plain English, even if the user speaks another "
                    "language: 'what time is it in Tokyo', 'read a file from disk'. One task for "
                    "each search.",
                ),
                "mode": member(
                    "string",
                    "How hard to look. Use thorough when balanced missed.",
                    enum=["fast", "balanced", "thorough"],
                    default="balanced",
                ),
                "kinds": member(
                    "array",
                    "Kinds of card to look for, such as resource or prompt; by default tools. "
                    "Read one that is no tool with describe_tool and its kind.",
                    items={"type": "string"},
                    minItems=1,
                ),
                "limit": member(
                    "integer",
                    "How many tools at most; by default what the mode gives.",
                    minimum=1,
                    maximum=100,
                ),
                "budget_tokens": member(
                    "integer", "How many tokens their definitions may have together.", minimum=1
                ),
                "full": flag("Return whole definitions with schemas, not just signatures."),
                "as_of": member(
                    "string", "ISO 8601 moment in the past, to find what was there then."
                ),
            },
            ["goal"],
        ),
        READS,
    ),
    _tool(
        DESCRIBE_TOOL,
        "Describe a tool",
        "The whole definition of one tool: description, JSON Schema of its arguments and of "
        "its result, annotations. Needed only when the signature that search_tools returned "
        "does not say enough.",
        takes(
            {
                "name": _NAME,
                "kind": member("string", "Of what search_tools found as another kind than tool."),
                "as_of": member(
                    "string", "ISO 8601 moment in the past, to see the definition of then."
                ),
            },
            ["name"],
        ),
        READS,
    ),
    _tool(
        CALL_TOOL,
        "Call a tool",
        "Run a tool that search_tools found and return its result as it is. If the arguments "
        "do not fit, the answer says where and shows the schema: correct them and call again.",
        takes(
            {
                "name": _NAME,
                "arguments": member("object", "The tool's own arguments, by name."),
                "receipt": member(
                    "integer",
                    "Receipt number of the search that found it.",
                    minimum=1,
                    maximum=_LARGEST_ID,
                ),
            },
            ["name"],
        ),
        # The effects of the called tool are not known in advance, so no annotation claims that it
        # is harmless.
        types.ToolAnnotations(
            read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True
        ),
    ),
)

_SCHEMAS: Final[dict[str, dict[str, Any]]] = {tool.name: tool.input_schema for tool in BRIDGE_TOOLS}


def kind_tools() -> dict[str, KindTool]:
    """Returns the tools that installed packages provide for their kinds, by name."""
    return {tool.definition.name: tool for package in kind_packages() for tool in package.tools}


def own_tools() -> list[types.Tool]:
    """Returns the tools that every client sees: the bridge tools, then the kinds' own tools."""
    return [*BRIDGE_TOOLS, *(tool.definition for tool in kind_tools().values())]


def bridge_schema(name: str) -> dict[str, Any] | None:
    """Returns the arguments schema for a tool in `own_tools`; None for any other name."""
    of_kind = kind_tools().get(name)
    return of_kind.definition.input_schema if of_kind else _SCHEMAS.get(name)
