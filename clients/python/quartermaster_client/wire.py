"""What the client and the service send each other, without the sending."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypedDict, cast

Json = dict[str, Any]

_REVISION: Final = "2026-07-28"
_ENVELOPE: Final = {
    "io.modelcontextprotocol/protocolVersion": _REVISION,
    "io.modelcontextprotocol/clientInfo": {"name": "quartermaster-client", "version": "0.2.0"},
    # No questions of servers to the user: a program that answers them uses an MCP client.
    "io.modelcontextprotocol/clientCapabilities": {},
}
_CALL_TOOL: Final = "call_tool"
_OF_GOAL: Final = {"goal_empty", "goal_too_long"}
_KEY: Final = re.compile(r"[!-~]+")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")


class QuartermasterError(Exception):
    """The service has refused a request.

    Attributes:
        status: HTTP status of the answer.
        code: code of the error, such as QM401.
        slug: name of the error, such as key_invalid.
        message: what happened.
        hint: what to do next, if the service knows.
        detail: further facts, if there are any.
        request_id: id of the request in the log of the service.
    """

    def __init__(self, status: int, error: Mapping[str, Any]) -> None:
        self.status = status
        self.code: str = error.get("code") or f"HTTP{status}"
        self.slug: str = error.get("slug") or "unknown"
        self.message: str = error.get("message") or ""
        self.hint: str | None = error.get("hint")
        self.detail: str | None = error.get("detail")
        self.request_id: str | None = error.get("request_id")
        super().__init__(f"{self.code} {self.slug}: {self.explained}")

    @property
    def explained(self) -> str:
        """The message and the hint, for a reader."""
        return f"{self.message}\nNext: {self.hint}" if self.hint else self.message

    @property
    def is_of_goal(self) -> bool:
        """Whether the goal of a search was wrong, so that the model can search for another one.
        Wrong options of the program are no matter of the model.
        """
        return self.slug in _OF_GOAL or self.message.startswith("/goal:")


class SearchOptions(TypedDict, total=False):
    """Options of a search; the service has the defaults (docs/selection.md)."""

    mode: str
    limit: int
    budget_tokens: int
    recent_context: str
    kinds: list[str]
    full: bool
    as_of: str


class SearchAnswer(TypedDict, total=False):
    """What a search found. Each tool is its MCP definition, with rank, score and origin."""

    tools: list[Json]
    cards: list[Json]
    receipt: int | None
    advice: str


class ToolReply(TypedDict, total=False):
    """The result of a call, as MCP writes it."""

    content: list[Json]
    structuredContent: Any
    isError: bool


@dataclass(frozen=True)
class Outgoing:
    """A request to the service, to be sent with POST."""

    path: str
    body: Json
    headers: Mapping[str, str]

    @property
    def content(self) -> bytes:
        """The body as JSON. Half of a surrogate pair, which a model may write, is escaped."""
        return json.dumps(self.body, separators=(",", ":"), allow_nan=False).encode()


def service_url(url: str) -> str:
    """Returns the address of the service. People know the address of its MCP endpoint."""
    return url.rstrip("/").removesuffix("/mcp")


def headers_with(key: str) -> dict[str, str]:
    """Returns the headers of each request.

    Raises:
        ValueError: what is given is no key. Libraries that send requests would show it in errors.
    """
    if not _KEY.fullmatch(found := key.strip()):
        message = "The key is empty, or contains characters that no key has."
        raise ValueError(message)
    return {"Authorization": f"Bearer {found}", "Content-Type": "application/json"}


def search_request(goal: str, options: Mapping[str, Any]) -> Outgoing:
    """Returns the request of a search."""
    return Outgoing("/v1/search", {**options, "goal": goal}, {})


def call_request(name: str, arguments: Mapping[str, Any], receipt: int | None) -> Outgoing:
    """Returns the request of a call: one MCP request, which needs no session.

    Args:
        name: callable name of the tool.
        arguments: arguments for the tool.
        receipt: receipt of the search that found the tool.
    """
    given: Json = {"name": name, "arguments": dict(arguments)}
    if receipt is not None:
        given["receipt"] = receipt
    params = {"name": _CALL_TOOL, "arguments": given, "_meta": _ENVELOPE}
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": _REVISION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": _CALL_TOOL,
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return Outgoing("/mcp", body, headers)


def search_answer(status: int, text: str) -> SearchAnswer:
    """Returns the answer to a search.

    Raises:
        QuartermasterError: the service refused it.
    """
    return cast("SearchAnswer", _accepted(status, _object(text), text))


def call_answer(status: int, text: str) -> ToolReply:
    """Returns the answer to a call. A call that failed is a reply with isError.

    Raises:
        QuartermasterError: the service refused the request.
    """
    answer = _accepted(status, _answer_in(text), text)
    if "error" in answer:
        error: Json = answer["error"]
        data: Json = error.get("data") or {}
        raise QuartermasterError(status, error | data.get("error", {"code": None}))
    result: object = answer.get("result")
    if not isinstance(result, dict):
        raise QuartermasterError(status, {"message": text[:500]})
    result = cast("Json", result)
    if result.get("resultType", "complete") != "complete":
        message = "The tool asks the user a question, which needs an MCP client."
        raise QuartermasterError(status, {"slug": "input_required", "message": message})
    return cast("ToolReply", result)


def _accepted(status: int, answer: Json | None, text: str) -> Json:
    if answer is not None and status < 400:
        return answer
    found: object = (answer or {}).get("error")
    known = cast("Json", found) if isinstance(found, dict) else {}
    raise QuartermasterError(status, known or {"message": text[:500]})


def _answer_in(text: str) -> Json | None:
    """Returns the answer in a body that is JSON, or a stream of events whose last is the answer."""
    if text.lstrip().startswith("{"):
        return _object(text)
    # Not `splitlines`: U+2028 and others that it splits at stand in JSON as they are.
    lines = _LINE_END.split(text)
    events = [line.removeprefix("data:") for line in lines if line.startswith("data:")]
    return next((one for one in map(_object, reversed(events)) if one and "id" in one), None)


def _object(text: str) -> Json | None:
    try:
        found: object = json.loads(text)
    except ValueError:
        return None
    return cast("Json", found) if isinstance(found, dict) else None
