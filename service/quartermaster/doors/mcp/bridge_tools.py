"""The tools that every client sees. Clients cache these tools and models learn them, so their bytes
never vary.
"""

from __future__ import annotations

from typing import Any, Final

import mcp_types as types

from quartermaster.core.kind_packages import KindTool, kind_packages
from quartermaster.doors.wire.tool_schemas import READ_ANNOTATIONS, Schema, flag, member, takes

SEARCH_TOOLS: Final = "search_tools"
DESCRIBE_TOOL: Final = "describe_tool"
CALL_TOOL: Final = "call_tool"

# Some clients show a model only the first line of it, and no tool.
INSTRUCTIONS: Final = (
    "For any task that your other tools do not do, call search_tools with goal, what you want to "
    "do in English (if you do not see this tool, load it by its name first), and run a tool that "
    "it finds with call_tool. Search again for each new task, and before you say that something "
    "cannot be done."
)

ALWAYS_LOADED: Final = "anthropic/alwaysLoad"
"""Member of a tool's ``_meta``. Some clients hide tools until a model searches for them. They
always show tools with this member.
"""

_LARGEST_ID: Final = 2**63 - 1

_NAME: Final = member("string", "Name that search_tools returned, such as time__get_current_time.")


def _tool(
    name: str, title: str, description: str, input_schema: Schema, claims: types.ToolAnnotations
) -> types.Tool:
    return types.Tool(
        name=name,
        title=title,
        description=description,
        input_schema=input_schema,
        annotations=claims.model_copy(update={"title": title}),
        # A search that has to be searched for is not found.
        _meta={ALWAYS_LOADED: True},
    )


BRIDGE_TOOLS: Final[tuple[types.Tool, ...]] = (
    _tool(
        SEARCH_TOOLS,
        "Search tools",
        "Find tools for a task. Many tools of many servers can be found only through this "
        "search, so search before you say that something cannot be done. Returns the few best "
        "tools, each with its name, its arguments and what it does; run one with call_tool.",
        takes(
            {
                "goal": member(
                    "string",
                    "What you want to do, in plain English even if the user speaks another "
                    "language: 'what time is it in Tokyo', 'read a file from disk'. Search for "
                    "one task at a time.",
                ),
                "recent_context": member(
                    "string",
                    "What was said before; used only if the goal refers to it.",
                    maxLength=20_000,
                ),
                "mode": member(
                    "string",
                    "Search effort: fast returns at most 5 tools, balanced and thorough 8.",
                    enum=["fast", "balanced", "thorough"],
                    default="balanced",
                ),
                "kinds": member(
                    "array",
                    "Kinds of card to search, such as resource or prompt; default: tool. To read "
                    "a card of another kind than tool, use describe_tool with its kind.",
                    items={"type": "string"},
                    minItems=1,
                ),
                "limit": member(
                    "integer",
                    "Maximum number of tools; the default depends on the mode.",
                    minimum=1,
                    maximum=100,
                ),
                "budget_tokens": member(
                    "integer", "Maximum total number of tokens in the definitions.", minimum=1
                ),
                "full": flag("Return complete definitions with schemas instead of signatures."),
                "as_of": member(
                    "string", "Search the tools that were offered at this past time (ISO 8601)."
                ),
            },
            ["goal"],
        ),
        READ_ANNOTATIONS,
    ),
    _tool(
        DESCRIBE_TOOL,
        "Describe a tool",
        "Get the complete definition of one tool: its description, the JSON Schemas of its "
        "arguments and its result, and its annotations. You need it only if the signature that "
        "search_tools returned does not say enough.",
        takes(
            {
                "name": _NAME,
                "kind": member("string", "Kind of the card; default: tool."),
                "as_of": member("string", "Get the definition as it was at this time (ISO 8601)."),
                "why": member(
                    "string", "A goal: get the reason why its search did not return this tool."
                ),
            },
            ["name"],
        ),
        READ_ANNOTATIONS,
    ),
    _tool(
        CALL_TOOL,
        "Call a tool",
        "Run a tool that search_tools found, and return its result unchanged. If the arguments "
        "do not match the tool's schema, the answer lists the problems and shows the schema: "
        "correct the arguments and call again.",
        takes(
            {
                "name": _NAME,
                "arguments": member("object", "The tool's own arguments, by name."),
                "receipt": member(
                    "integer",
                    "Number of the receipt of the search that found the tool.",
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
