"""A server of language models on loopback that speaks Anthropic's and OpenAI's protocols.

It is as strict as the real ones about what it is sent, and answers what a test lays out for it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.support.model_server import KEY, ModelServer

Body = dict[str, Any]


@dataclass
class LanguageServer(ModelServer):
    """What the server answers, and what it was asked.

    Attributes:
        answers: given first, one a request: JSON, or text that is none; then the first candidate.
    """

    answers: list[Any] = field(default_factory=list[Any])

    def app(self) -> Starlette:
        """Returns the application."""
        return Starlette(
            routes=[
                Route("/v1/messages", self._messages, methods=["POST"]),
                Route("/v1/chat/completions", self._completions, methods=["POST"]),
            ]
        )

    @property
    def prompts(self) -> list[str]:
        """The last thing that was said in each request."""
        return [body["messages"][-1]["content"] for _, body in self.requests]

    async def _messages(self, request: Request) -> Response:
        if request.headers.get("anthropic-version") != "2023-06-01":
            return JSONResponse({"type": "error", "error": "no version"}, 400)
        given = request.headers.get("x-api-key", "")
        body, refusal = await self._admitted(request, given)
        if refusal:
            return refusal
        [tool] = body["tools"]
        assert body["max_tokens"] > 0
        assert body["system"]
        assert body["tool_choice"] == {"type": "tool", "name": tool["name"]}
        answer = self._answer(body)
        if isinstance(answer, str):
            content = {"type": "text", "text": answer}
        else:
            content = {"type": "tool_use", "id": "t1", "name": tool["name"], "input": answer}
        usage = {"input_tokens": 70, "output_tokens": 30}
        return JSONResponse({"type": "message", "content": [content], "usage": usage})

    async def _completions(self, request: Request) -> Response:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        body, refusal = await self._admitted(request, given)
        if refusal:
            return refusal
        assert body["messages"][0]["role"] == "system"
        assert body["response_format"]["type"] == "json_schema"
        assert body["response_format"]["json_schema"]["strict"] is True
        answer = self._answer(body)
        text = answer if isinstance(answer, str) else json.dumps(answer)
        usage = {"prompt_tokens": 70, "completion_tokens": 30}
        choice = {"index": 0, "message": {"role": "assistant", "content": text}}
        return JSONResponse({"object": "chat.completion", "choices": [choice], "usage": usage})

    async def _admitted(self, request: Request, key: str) -> tuple[Body, Response | None]:
        # Some servers repeat what they were sent.
        if key != KEY:
            return {}, JSONResponse({"error": f"wrong key: {key}"}, 401)
        scope = {**request.scope, "headers": [(b"authorization", f"Bearer {KEY}".encode())]}
        return await self._admit(Request(scope, request.receive))

    def _answer(self, body: Body) -> Any:
        if self.answers:
            return self.answers.pop(0)
        asked = str(body["messages"][-1]["content"])
        first = re.search(r"^1\. (.*)$", asked, re.MULTILINE)
        assert first, asked
        return {"choices": [{"candidate": 1, "reason": f"It reads {first[1]}."}]}
