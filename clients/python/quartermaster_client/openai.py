"""Quartermaster as the tool search of a program that calls OpenAI's Responses API."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol, Unpack, cast

from quartermaster_client.client import AsyncQuartermaster, Quartermaster
from quartermaster_client.found import (
    READ_DESCRIPTION,
    READ_RESULT,
    READ_SCHEMA,
    SEARCH_DESCRIPTION,
    SEARCH_SCHEMA,
    FoundTool,
    FoundTools,
    Image,
    Text,
    parts_of,
)
from quartermaster_client.wire import QuartermasterError, SearchAnswer, SearchOptions, ToolReply

if TYPE_CHECKING:
    from openai.types.responses import (
        FunctionToolParam,
        ResponseFunctionCallOutputItemParam,
        ResponseToolSearchOutputItemParamParam,
        ToolParam,
        ToolSearchToolParam,
    )
    from openai.types.responses.response_input_item_param import FunctionCallOutput


class ToolSearchCall(Protocol):
    """An item `tool_search_call` of the SDK."""

    @property
    def type(self) -> Literal["tool_search_call"]: ...
    @property
    def call_id(self) -> str | None: ...
    @property
    def arguments(self) -> object: ...


class FunctionCall(Protocol):
    """An item `function_call` of the SDK."""

    @property
    def type(self) -> Literal["function_call"]: ...
    @property
    def call_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def arguments(self) -> str: ...


class _OpenAIAnswers(FoundTools):
    """The tools and answers of one conversation, without the requests to Quartermaster."""

    def tools(self) -> list[ToolParam]:
        """Returns what each request needs in `tools`, beside the program's own tools. What was
        found is in the answers to the searches.
        """
        search: ToolSearchToolParam = {
            "type": "tool_search",
            "execution": "client",
            "description": SEARCH_DESCRIPTION,
            "parameters": SEARCH_SCHEMA,
        }
        return [search, _function(READ_RESULT, READ_DESCRIPTION, READ_SCHEMA)]

    def _output(
        self, asked: ToolSearchCall, answer: SearchAnswer
    ) -> ResponseToolSearchOutputItemParamParam:
        return {
            "type": "tool_search_output",
            "execution": "client",
            "call_id": asked.call_id,
            "status": "completed",
            "tools": [_deferred(tool) for tool in self.add(answer)],
        }

    def _refused(
        self, asked: ToolSearchCall, error: QuartermasterError
    ) -> ResponseToolSearchOutputItemParamParam:
        # The output of a search has no place for a message.
        if not error.is_of_goal:
            raise error
        return self._output(asked, {})


def _function(name: str, description: str, schema: dict[str, Any]) -> FunctionToolParam:
    # The schemas of MCP servers do not follow the rules of strict ones.
    return {
        "type": "function",
        "name": name,
        "description": description,
        "parameters": schema,
        "strict": False,
    }


def _deferred(tool: FoundTool) -> FunctionToolParam:
    definition = _function(tool["name"], tool["description"], tool["schema"])
    return {**definition, "defer_loading": True}


def _goal(asked: ToolSearchCall) -> str:
    arguments = asked.arguments
    given = cast("dict[str, Any]", arguments) if isinstance(arguments, dict) else {}
    return given.get("goal", "")


def _arguments(called: FunctionCall) -> dict[str, Any] | None:
    """Returns the arguments of a call; None if they are no JSON object."""
    try:
        found: object = json.loads(called.arguments or "{}")
        # Python also reads NaN and Infinity, which cannot be sent.
        json.dumps(found, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


_NO_OBJECT: ToolReply = {
    "content": [{"type": "text", "text": "The arguments are not a JSON object."}],
    "isError": True,
}


def _result(called: FunctionCall, reply: ToolReply) -> FunctionCallOutput:
    parts = parts_of(reply)
    if reply.get("isError"):
        parts = [Text("The call failed."), *parts]
    texts = [part.text for part in parts if isinstance(part, Text)]
    is_text = len(texts) == len(parts)
    output = "\n".join(texts) if is_text else [_item(part) for part in parts]
    return {"type": "function_call_output", "call_id": called.call_id, "output": output}


def _item(part: Text | Image) -> ResponseFunctionCallOutputItemParam:
    if isinstance(part, Text):
        return {"type": "input_text", "text": part.text}
    return {"type": "input_image", "image_url": f"data:{part.media_type};base64,{part.data}"}


class OpenAIToolSearch(_OpenAIAnswers):
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

    def answer(
        self, asked: ToolSearchCall | FunctionCall
    ) -> ResponseToolSearchOutputItemParamParam | FunctionCallOutput:
        """Answers a search of the model, or calls the tool that the model calls.

        If the goal of a search is wrong, it finds nothing.

        Raises:
            QuartermasterError: the service refused the request for another reason.
        """
        if asked.type == "function_call":
            if (given := _arguments(asked)) is None:
                return _result(asked, _NO_OBJECT)
            receipt = self.receipt_of(asked.name)
            return _result(asked, self._quartermaster.call(asked.name, given, receipt))
        try:
            found = self._quartermaster.search(_goal(asked), **self._options)
        except QuartermasterError as error:
            return self._refused(asked, error)
        return self._output(asked, found)


class AsyncOpenAIToolSearch(_OpenAIAnswers):
    """The same as `OpenAIToolSearch`, for programs with asyncio."""

    def __init__(
        self,
        quartermaster: AsyncQuartermaster,
        found: Mapping[str, FoundTool] | None = None,
        **options: Unpack[SearchOptions],
    ) -> None:
        super().__init__(found)
        self._quartermaster, self._options = quartermaster, options

    async def answer(
        self, asked: ToolSearchCall | FunctionCall
    ) -> ResponseToolSearchOutputItemParamParam | FunctionCallOutput:
        """See `OpenAIToolSearch.answer`."""
        if asked.type == "function_call":
            if (given := _arguments(asked)) is None:
                return _result(asked, _NO_OBJECT)
            receipt = self.receipt_of(asked.name)
            return _result(asked, await self._quartermaster.call(asked.name, given, receipt))
        try:
            found = await self._quartermaster.search(_goal(asked), **self._options)
        except QuartermasterError as error:
            return self._refused(asked, error)
        return self._output(asked, found)
