"""A local server that plays the APIs of Anthropic and OpenAI, with a model that follows a script.

The model searches, calls the first tool that was found, and says what the tool said. Each request
is checked by the types of the vendors' SDKs, without any member that they do not know, and by the
rules that their types cannot say.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, cast

from anthropic.types import Message, MessageCreateParams
from openai.types.responses import Response, ResponseCreateParams
from pydantic import ConfigDict, TypeAdapter

Json = dict[str, Any]

GOAL: Final = "echo a text"
SAID: Final = "hello from the model"
MOVED: Final = "/moved"
"""Path from which the server sends requests elsewhere."""

_STRICT: Final = ConfigDict(extra="forbid")
_ANTHROPIC: Final = TypeAdapter[Any](MessageCreateParams, config=_STRICT)
_OPENAI: Final = TypeAdapter[Any](ResponseCreateParams, config=_STRICT)
_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_ARGUMENT: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_REFUSED_AT_ROOT: Final = {"allOf", "anyOf", "oneOf", "enum", "not"}


class Vendors:
    """What the server was sent, and what was wrong with it.

    Attributes:
        requests: bodies of the requests, in their order.
        problems: why requests were refused.
        url: address of the server.
        script: what the model does in each turn: the goal of a search, or arguments for the tool.
    """

    def __init__(self) -> None:
        self.requests: list[Json] = []
        self.problems: list[str] = []
        self.url = ""
        self.script: list[str | Json] = []
        self.begin()

    def begin(self, *script: str | Json) -> None:
        """Begins a new conversation; by default, the model searches and calls once."""
        self.requests, self.problems = [], []
        self.script = list(script or (GOAL, {"text": SAID}))

    def answer(self, path: str, body: Json) -> Json:
        """Returns the answer of a vendor.

        Raises:
            ValueError: the vendor would refuse the request.
        """
        earlier, self.requests = self.requests, [*self.requests, body]
        if path.endswith("/v1/messages"):
            _exhausted(_ANTHROPIC.validate_python(body))
            return self._anthropic(body, earlier)
        _exhausted(_OPENAI.validate_python(body))
        return self._openai(body, earlier)

    def _anthropic(self, body: Json, earlier: list[Json]) -> Json:
        tools: list[Json] = body["tools"]
        _check_functions(tools, "input_schema")
        deferred = {tool["name"] for tool in tools if tool.get("defer_loading")}
        _require(len(deferred) < len(tools), "at least one tool must not be deferred")
        if earlier:
            before = earlier[-1]["tools"]
            _require(tools[: len(before)] == before, "the cache of the tools is lost")
        results = _blocks(body["messages"], "tool_result")
        asked = [block["id"] for block in _blocks(body["messages"], "tool_use")]
        _require(asked == [block["tool_use_id"] for block in results], "a tool_use has no result")
        names = [
            block["tool_name"]
            for result in results
            if isinstance(result["content"], list)
            for block in cast("list[Json]", result["content"])
            if block["type"] == "tool_reference"
        ]
        _require(set(names) <= deferred, f"{names} are not among the deferred tools {deferred}")
        content: Json = {"type": "text", "text": _text_of(results)}
        if self.script:
            step = self.script.pop(0)
            name, given = (names[0], step) if isinstance(step, dict) else ("search_tools", step)
            arguments = given if isinstance(given, dict) else {"goal": given}
            content = {"type": "tool_use", "id": f"toolu_{len(earlier)}", "name": name}
            content["input"] = arguments
        message = {
            "id": f"msg_{len(earlier)}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [content],
            "stop_reason": "tool_use" if content["type"] == "tool_use" else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        Message.model_validate(message)
        return message

    def _openai(self, body: Json, earlier: list[Json]) -> Json:
        functions = [tool for tool in body["tools"] if tool["type"] == "function"]
        _check_functions(functions, "parameters")
        if earlier:
            _require(body["tools"] == earlier[-1]["tools"], "the cache of the tools is lost")
            _require(body.get("previous_response_id") is not None, "which conversation?")
        sent: list[Json] = [] if isinstance(body["input"], str) else body["input"]
        loaded = [
            tool
            for one in [*earlier, body]
            if isinstance(one["input"], list)
            for item in cast("list[Json]", one["input"])
            if item["type"] == "tool_search_output"
            for tool in item["tools"]
        ]
        _check_functions(loaded, "parameters")
        _require(all(tool["defer_loading"] for tool in loaded), "a tool is not deferred")
        if earlier:
            asked = f"call_{len(earlier) - 1}"
            _require([item["call_id"] for item in sent] == [asked], f"{asked} has no output")
        output: Json = {"type": "message", "id": "msg_1", "role": "assistant"}
        text = {"type": "output_text", "text": _text_of(sent), "annotations": []}
        output |= {"status": "completed", "content": [text]}
        if self.script:
            step = self.script.pop(0)
            call: Json = {"call_id": f"call_{len(earlier)}", "status": "completed"}
            if isinstance(step, dict):
                call |= {"type": "function_call", "id": "fc_1", "name": loaded[0]["name"]}
                output = call | {"arguments": json.dumps(step)}
            else:
                call |= {"type": "tool_search_call", "id": "tsc_1", "execution": "client"}
                output = call | {"arguments": {"goal": step}}
        response = {
            "id": f"resp_{len(earlier)}",
            "object": "response",
            "created_at": 1,
            "model": body["model"],
            "output": [output],
            "parallel_tool_calls": True,
            "status": "completed",
            "tool_choice": "auto",
            "tools": [],
        }
        Response.model_validate(response)
        return response


@contextmanager
def vendors_served() -> Generator[Vendors]:
    """Serves both APIs while the context is open."""
    vendors = Vendors()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if self.path.startswith(MOVED):
                self.send_response(307)
                self.send_header("location", f"{vendors.url}/v1/messages")
                self.send_header("content-length", "0")
                self.end_headers()
                return
            try:
                status, answer = 200, vendors.answer(self.path, body)
            except (ValueError, KeyError, IndexError) as error:
                vendors.problems.append(repr(error))
                status, answer = 400, {"error": {"type": "invalid_request_error"}}
            written = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(written)))
            self.end_headers()
            self.wfile.write(written)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """What is written here would be in the output of the tests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    vendors.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield vendors
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _require(holds: bool, problem: str) -> None:
    if not holds:
        raise ValueError(problem)


def _exhausted(value: object) -> None:
    """Reads all of it: iterables are checked only when they are read."""
    if isinstance(value, dict):
        value = cast("Json", value).values()
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        for one in cast("Iterable[object]", value):
            _exhausted(one)


def _check_functions(tools: list[Json], schema: str) -> None:
    for tool in tools:
        _require(_NAME.fullmatch(tool["name"]) is not None, f"no name: {tool['name']}")
        root: Json = tool[schema]
        _require(root.get("type") == "object", f"{tool['name']} takes no object")
        _require(not _REFUSED_AT_ROOT & root.keys(), f"{tool['name']} has alternatives")
        for name, argument in cast("Json", root.get("properties", {})).items():
            if schema == "input_schema":
                _require(_ARGUMENT.fullmatch(name) is not None, f"no name: {name}")
            elif argument.get("type") == "array":
                _require("items" in argument, f"{name} has no items")


def _blocks(messages: list[Json], kind: str) -> list[Json]:
    contents: list[Any] = [message["content"] for message in messages]
    blocks: list[Json] = [one for each in contents if isinstance(each, list) for one in each]
    return [block for block in blocks if block["type"] == kind]


def _text_of(results: list[Json]) -> str:
    """Returns the text of the last result, whichever vendor it is for."""
    if not results:
        return ""
    found: Any = results[-1].get("content", results[-1].get("output", ""))
    return found if isinstance(found, str) else "".join(one.get("text", "") for one in found)
