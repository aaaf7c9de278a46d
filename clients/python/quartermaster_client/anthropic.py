"""Quartermaster as the tool search of a program that calls Anthropic's Messages API."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, Unpack, cast

from quartermaster_client.client import AsyncQuartermaster, Quartermaster
from quartermaster_client.found import (
    NOTHING_FOUND,
    READ_DESCRIPTION,
    READ_RESULT,
    READ_SCHEMA,
    SEARCH_DESCRIPTION,
    SEARCH_SCHEMA,
    SEARCH_TOOLS,
    FoundTool,
    FoundTools,
    Image,
    Text,
    parts_of,
)
from quartermaster_client.wire import QuartermasterError, SearchAnswer, SearchOptions, ToolReply

if TYPE_CHECKING:
    from anthropic.types import (
        ImageBlockParam,
        TextBlockParam,
        ToolParam,
        ToolReferenceBlockParam,
        ToolResultBlockParam,
    )

# The API refuses a whole request if the name of one argument is another.
_ARGUMENT: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_MediaType = Literal["image/jpeg", "image/png", "image/gif", "image/webp"]


class ToolUse(Protocol):
    """A block `tool_use` of the SDK, of a message or of a beta message."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def input(self) -> Mapping[str, object]: ...


class _AnthropicAnswers(FoundTools):
    """The tools and answers of one conversation, without the requests to Quartermaster."""

    def tools(self) -> list[ToolParam]:
        """Returns what the next request needs in `tools`, behind the program's own tools: the
        search, and the definitions of all tools that were found.
        """
        return [
            _definition(SEARCH_TOOLS, SEARCH_DESCRIPTION, SEARCH_SCHEMA),
            _definition(READ_RESULT, READ_DESCRIPTION, READ_SCHEMA),
            *(_deferred(tool) for tool in self.found.values()),
        ]

    def _references(self, asked: ToolUse, answer: SearchAnswer) -> ToolResultBlockParam:
        found = [_reference(tool["name"]) for tool in self.add(answer)]
        return {
            "type": "tool_result",
            "tool_use_id": asked.id,
            "content": found or [{"type": "text", "text": NOTHING_FOUND}],
        }


def _definition(name: str, description: str, schema: dict[str, Any]) -> ToolParam:
    return {"name": name, "description": description, "input_schema": schema}


def _deferred(tool: FoundTool) -> ToolParam:
    schema = _with_accepted_names(tool["schema"])
    definition = _definition(tool["name"], tool["description"], schema)
    return {**definition, "defer_loading": True}


def _with_accepted_names(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns a schema without the arguments whose names Anthropic refuses. If a call needs one of
    them, the service answers with the schema of the tool.
    """
    named: dict[str, Any] = schema["properties"]
    refused = {name for name in named if not _ARGUMENT.fullmatch(name)}
    if not refused:
        return schema
    properties = {name: one for name, one in named.items() if name not in refused}
    required = [name for name in schema.get("required", []) if name not in refused]
    return {**schema, "properties": properties, "required": required}


def _reference(name: str) -> ToolReferenceBlockParam:
    return {"type": "tool_reference", "tool_name": name}


def _result(called: ToolUse, reply: ToolReply) -> ToolResultBlockParam:
    content = [_block(part) for part in parts_of(reply)]
    is_error = bool(reply.get("isError"))
    return {
        "type": "tool_result",
        "tool_use_id": called.id,
        "content": content,
        "is_error": is_error,
    }


def _block(part: Text | Image) -> TextBlockParam | ImageBlockParam:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    kind = cast("_MediaType", part.media_type)
    source = {"type": "base64", "media_type": kind, "data": part.data}
    return cast("ImageBlockParam", {"type": "image", "source": source})


def _refused(asked: ToolUse, error: QuartermasterError) -> ToolResultBlockParam:
    if not error.is_of_goal:
        raise error
    text = error.explained
    return {"type": "tool_result", "tool_use_id": asked.id, "content": text, "is_error": True}


class AnthropicToolSearch(_AnthropicAnswers):
    """The tool search of one conversation.

    Args:
        quartermaster: what searches and calls.
        found: tools that were found before, to go on with a stored conversation.
        options: options of each search, such as limit.
    """

    def __init__(
        self,
        quartermaster: Quartermaster,
        found: Mapping[str, FoundTool] | None = None,
        **options: Unpack[SearchOptions],
    ) -> None:
        super().__init__(found)
        self._quartermaster, self._options = quartermaster, options

    def answer(self, asked: ToolUse) -> ToolResultBlockParam:
        """Answers a search of the model, or calls the tool that the model calls.

        What was wrong with the goal or the arguments is part of the answer, for the model.

        Raises:
            QuartermasterError: the service refused the request for another reason.
        """
        if asked.name != SEARCH_TOOLS:
            receipt = self.receipt_of(asked.name)
            return _result(asked, self._quartermaster.call(asked.name, asked.input, receipt))
        try:
            goal = cast("str", asked.input.get("goal"))
            return self._references(asked, self._quartermaster.search(goal, **self._options))
        except QuartermasterError as error:
            return _refused(asked, error)


class AsyncAnthropicToolSearch(_AnthropicAnswers):
    """The same as `AnthropicToolSearch`, for programs with asyncio."""

    def __init__(
        self,
        quartermaster: AsyncQuartermaster,
        found: Mapping[str, FoundTool] | None = None,
        **options: Unpack[SearchOptions],
    ) -> None:
        super().__init__(found)
        self._quartermaster, self._options = quartermaster, options

    async def answer(self, asked: ToolUse) -> ToolResultBlockParam:
        """See `AnthropicToolSearch.answer`."""
        if asked.name != SEARCH_TOOLS:
            receipt = self.receipt_of(asked.name)
            return _result(asked, await self._quartermaster.call(asked.name, asked.input, receipt))
        try:
            goal = cast("str", asked.input.get("goal"))
            return self._references(asked, await self._quartermaster.search(goal, **self._options))
        except QuartermasterError as error:
            return _refused(asked, error)
