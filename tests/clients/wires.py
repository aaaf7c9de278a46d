"""The three formats in which clients speak to a model: Messages, Responses and generateContent."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol
from uuid import uuid4

Json = dict[str, Any]
Sight = Literal["loaded", "named", "hidden"]
"""What a model sees of a tool: its definition, its name, or nothing."""
# No client is near the end of its context.
_TOKENS: Final = 100
_LAST_WORD: Final = "I am done."


@dataclass(frozen=True)
class Call:
    """A tool call of the model.

    Attributes:
        name: of the tool, as the client offers it.
        arguments: its arguments.
        id: which the result repeats.
        is_search: whether it is a search of Codex, which has a kind of its own.
        namespace: of the tool in Codex.
    """

    name: str
    arguments: Json
    id: str = field(default_factory=lambda: f"call_{uuid4().hex[:24]}")
    is_search: bool = False
    namespace: str | None = None


@dataclass(frozen=True)
class Offer:
    """What a client sent its model.

    Attributes:
        tools: the definitions by name. In Codex, those in a namespace are ``namespace.name``.
        deferred: names of those among them that the model does not see yet.
        text: all other text, such as instructions and messages.
        results: the results of calls, by the id of the call: text, or names of found tools.
    """

    tools: dict[str, Json]
    deferred: frozenset[str]
    text: str
    results: dict[str, Any]

    @property
    def loaded(self) -> dict[str, Json]:
        """The definitions that the model sees."""
        return {name: one for name, one in self.tools.items() if name not in self.deferred}

    @property
    def characters(self) -> int:
        """How many characters the model reads."""
        written = (
            json.dumps(tool, ensure_ascii=False, separators=(",", ":"))
            for tool in self.loaded.values()
        )
        return len(self.text) + sum(map(len, written))

    def sees(self, tool: str) -> Sight:
        """Returns what the model sees of a tool of a server."""
        if any(name.endswith(tool) for name in self.loaded):
            return "loaded"
        # Some clients write about tools into the description of their own search.
        return "named" if tool in self.text + json.dumps(list(self.loaded.values())) else "hidden"


class Wire(Protocol):
    """A format."""

    def read(self, body: Json) -> Offer:
        """Reads the request of a client."""
        ...

    def is_stream(self, path: str, body: Json) -> bool:
        """Returns whether the client wants events."""
        ...

    def whole(self, calls: list[Call]) -> Json:
        """Returns the answer of the model in one object."""
        ...

    def events(self, calls: list[Call]) -> list[str]:
        """Returns the answer of the model as events."""
        ...


class Messages:
    """That of Anthropic, which Claude Code uses."""

    def read(self, body: Json) -> Offer:
        """See `Wire`."""
        tools = {str(tool["name"]): tool for tool in _objects(body.get("tools"))}
        deferred = frozenset(name for name, tool in tools.items() if tool.get("defer_loading"))
        texts = [_text(body.get("system"))]
        results: dict[str, Any] = {}
        for message in body["messages"]:
            content = message["content"]
            parts = [{"text": content}] if isinstance(content, str) else content
            for part in _objects(parts):
                if part.get("type") == "tool_result":
                    results[part["tool_use_id"]] = self._result(part.get("content"))
                else:
                    texts.append(str(part.get("text") or ""))
        return Offer(tools, deferred, "\n".join(texts), results)

    def is_stream(self, path: str, body: Json) -> bool:
        """See `Wire`."""
        return bool(body.get("stream"))

    def whole(self, calls: list[Call]) -> Json:
        """See `Wire`."""
        blocks = [
            {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}
            for call in calls
        ]
        return {
            "id": f"msg_{uuid4().hex}",
            "type": "message",
            "role": "assistant",
            "model": "stand-in",
            "content": blocks or [{"type": "text", "text": _LAST_WORD}],
            "stop_reason": "tool_use" if calls else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": _TOKENS, "output_tokens": _TOKENS},
        }

    def events(self, calls: list[Call]) -> list[str]:
        """See `Wire`."""
        whole = self.whole(calls)
        begun: Json = whole | {"content": [], "stop_reason": None}
        events: list[Json] = [{"type": "message_start", "message": begun}]
        for index, block in enumerate(whole["content"]):
            first: Json = {"text": ""}
            delta = {"type": "text_delta", "text": block.get("text")}
            if block["type"] == "tool_use":
                first = {"input": {}}
                delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            events += [
                {"type": "content_block_start", "index": index, "content_block": block | first},
                {"type": "content_block_delta", "index": index, "delta": delta},
                {"type": "content_block_stop", "index": index},
            ]
        end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        events.append({"type": "message_delta", "delta": end, "usage": whole["usage"]})
        events.append({"type": "message_stop"})
        return [f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events]

    @staticmethod
    def _result(content: Any) -> Any:
        """The names of found tools, or text."""
        parts = [] if isinstance(content, str) else _objects(content)
        if any(part.get("type") == "tool_reference" for part in parts):
            return [part["tool_name"] for part in parts if part["type"] == "tool_reference"]
        return _text(content)


class Responses:
    """That of OpenAI, which Codex uses."""

    def read(self, body: Json) -> Offer:
        """See `Wire`."""
        tools = dict(self._named(_objects(body.get("tools"))))
        texts = [str(body.get("instructions") or "")]
        results: dict[str, Any] = {}
        for item in body["input"]:
            kind = item.get("type")
            if kind == "tool_search_output":
                results[item["call_id"]] = [name for name, _ in self._named(item["tools"])]
            elif kind in {"function_call_output", "custom_tool_call_output"}:
                results[item["call_id"]] = _text(item["output"])
            elif kind == "additional_tools":
                tools |= dict(self._named(_objects(item.get("tools"))))
            elif kind == "message":
                texts.append(_text(item.get("content")))
        return Offer(tools, frozenset(), "\n".join(texts), results)

    def is_stream(self, path: str, body: Json) -> bool:
        """See `Wire`."""
        return True

    def whole(self, calls: list[Call]) -> Json:
        """See `Wire`."""
        items = [self._item(call) for call in calls] or [
            {
                "type": "message",
                "role": "assistant",
                "id": f"msg_{uuid4().hex}",
                "content": [{"type": "output_text", "text": _LAST_WORD}],
            }
        ]
        usage = {"input_tokens": _TOKENS, "output_tokens": _TOKENS, "total_tokens": 2 * _TOKENS}
        return {"id": f"resp_{uuid4().hex}", "output": items, "usage": usage}

    def events(self, calls: list[Call]) -> list[str]:
        """See `Wire`."""
        whole = self.whole(calls)
        events: list[Json] = [{"type": "response.created", "response": {"id": whole["id"]}}]
        events += [{"type": "response.output_item.done", "item": one} for one in whole["output"]]
        events.append({"type": "response.completed", "response": whole})
        return [f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events]

    @staticmethod
    def _item(call: Call) -> Json:
        if call.is_search:
            return {
                "type": "tool_search_call",
                "call_id": call.id,
                "execution": "client",
                "arguments": call.arguments,
            }
        space = {"namespace": call.namespace} if call.namespace else {}
        return {
            "type": "function_call",
            "call_id": call.id,
            "name": call.name,
            "arguments": json.dumps(call.arguments),
            **space,
        }

    @classmethod
    def _named(cls, tools: Iterable[Json], space: str = "") -> Iterable[tuple[str, Json]]:
        for tool in tools:
            if tool.get("type") == "namespace":
                yield from cls._named(tool["tools"], f"{tool['name']}.")
            else:
                yield space + str(tool.get("name") or tool["type"]), tool


class GenerateContent:
    """That of Google, which Gemini CLI uses."""

    def read(self, body: Json) -> Offer:
        """See `Wire`."""
        tools: dict[str, Json] = {}
        for group in _objects(body.get("tools")):
            for one in _objects(group.get("functionDeclarations")):
                tools[str(one["name"])] = one
        system: Json = body.get("systemInstruction") or {}
        texts = [_text(system.get("parts"))]
        results: dict[str, Any] = {}
        for content in _objects(body.get("contents")):
            for part in _objects(content.get("parts")):
                texts.append(str(part.get("text") or ""))
                if "functionResponse" in part:
                    found: Json = part["functionResponse"]
                    output: Json = found["response"]
                    results[found["id"]] = output.get("output") or json.dumps(output)
        return Offer(tools, frozenset(), "\n".join(texts), results)

    def is_stream(self, path: str, body: Json) -> bool:
        """See `Wire`."""
        return path.endswith(":streamGenerateContent")

    def whole(self, calls: list[Call]) -> Json:
        """See `Wire`."""
        parts: list[Json] = [
            {"functionCall": {"name": call.name, "args": call.arguments, "id": call.id}}
            for call in calls
        ]
        content = {"role": "model", "parts": parts or [{"text": _LAST_WORD}]}
        return {
            "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {
                "promptTokenCount": _TOKENS,
                "candidatesTokenCount": _TOKENS,
                "totalTokenCount": 2 * _TOKENS,
            },
            "modelVersion": "stand-in",
        }

    def events(self, calls: list[Call]) -> list[str]:
        """See `Wire`."""
        return [f"data: {json.dumps(self.whole(calls))}\n\n"]


_MESSAGES: Final = Messages()
_RESPONSES: Final = Responses()
_GENERATE: Final = GenerateContent()


def by_path(path: str) -> Wire | None:
    """Returns the format of the requests to a path; None if no client asks there for an answer."""
    if "/messages" in path:
        return _MESSAGES
    if path.endswith("/responses"):
        return _RESPONSES
    if path.endswith((":streamGenerateContent", ":generateContent", ":countTokens")):
        return _GENERATE
    return None


def _objects(value: Any) -> list[Json]:
    """Returns a list of objects that may be absent."""
    return value or []


def _text(content: Any) -> str:
    """Returns the text of a text, or of a list of parts."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(str(part.get("text") or "") for part in _objects(content))
