"""Opens the language model that the settings name."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, cast

import httpx2

from quartermaster.core.errors import QmError
from quartermaster.models.llm.llm_server import LlmServer
from quartermaster.models.llm.provider import Completion, LanguageModel, Turn
from quartermaster.secrets.store import SecretStore
from quartermaster.settings.sections import LanguageModelSettings

ANTHROPIC_VERSION: Final = "2023-06-01"
_NAME: Final = "answer"
_MOST_TOKENS: Final = 1_000
_ANTHROPIC: Final = "https://api.anthropic.com/v1"


@dataclass(frozen=True)
class _ServedModel:
    """A language model on a server.

    Attributes:
        server: the server that runs the model.
        name: name of the model on the server.
        options: temperature and max_tokens; the request contains only options that are set.
    """

    server: LlmServer
    name: str
    options: Mapping[str, object]


class AnthropicModel(_ServedModel):
    """A model behind `POST /v1/messages`. The request forces the model to call a tool, so that it
    answers in JSON.
    """

    async def complete(
        self, system: str, turns: Sequence[Turn], schema: Mapping[str, Any]
    ) -> Completion:
        """See `LanguageModel.complete`."""
        answer = await self.server.post(
            "/messages",
            {
                "model": self.name,
                "system": system,
                "messages": [{"role": turn.role, "content": turn.text} for turn in turns],
                "tools": [
                    {"name": _NAME, "description": "Give the answer.", "input_schema": schema}
                ],
                "tool_choice": {"type": "tool", "name": _NAME},
                "max_tokens": _MOST_TOKENS,
                **self.options,
            },
        )
        try:
            [text] = [
                json.dumps(block["input"], ensure_ascii=False)
                for block in answer["content"]
                if block["type"] == "tool_use"
            ]
            usage = answer["usage"]
            return Completion(text, int(usage["input_tokens"]), int(usage["output_tokens"]))
        except (KeyError, TypeError, ValueError) as error:
            raise self.server.invalid("the answer contains no call of the tool") from error


class OpenAiModel(_ServedModel):
    """A model behind `POST /v1/chat/completions`, as offered by OpenAI, vLLM, Ollama and others."""

    async def complete(
        self, system: str, turns: Sequence[Turn], schema: Mapping[str, Any]
    ) -> Completion:
        """See `LanguageModel.complete`."""
        said = [{"role": turn.role, "content": turn.text} for turn in turns]
        answer = await self.server.post(
            "/chat/completions",
            {
                "model": self.name,
                "messages": [{"role": "system", "content": system}, *said],
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": _NAME, "strict": True, "schema": schema},
                },
                **self.options,
            },
        )
        try:
            text = answer["choices"][0]["message"]["content"]
            usage = cast("dict[str, Any]", answer.get("usage") or {})
            tokens = int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0))
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            raise self.server.invalid("the answer contains no message") from error
        # If the model refuses, the content is null, and the reason is in another member.
        return Completion(text if isinstance(text, str) else "", *tokens)


@asynccontextmanager
async def open_model(
    options: LanguageModelSettings, secrets: SecretStore, section: str
) -> AsyncGenerator[LanguageModel | None]:
    """Opens a language model without contacting its server; None if the settings name none.

    Args:
        options: the section of the settings.
        secrets: the secret store with the server's key.
        section: name of the section, for errors.

    Raises:
        QmError: 422 settings_invalid (no model or no URL), 404 secret_not_found.
    """
    if options.provider == "none":
        yield None
        return
    is_anthropic = options.provider == "anthropic"
    url = _required(section, "url", options.url or (_ANTHROPIC if is_anthropic else None))
    name = _required(section, "model", options.model)
    key = secrets.resolve(options.api_key) if options.api_key else None
    headers = {"anthropic-version": ANTHROPIC_VERSION} if is_anthropic else {}
    if key:
        headers |= {"x-api-key": key} if is_anthropic else {"authorization": f"Bearer {key}"}
    sent = {"temperature": options.temperature, "max_tokens": options.max_tokens}
    given = {name: value for name, value in sent.items() if value is not None}
    async with httpx2.AsyncClient(headers=headers, timeout=options.timeout_s) as client:
        server = LlmServer(url, client)
        yield (AnthropicModel if is_anthropic else OpenAiModel)(server, name, given)


def _required(section: str, name: str, value: str | None) -> str:
    if value is None:
        raise QmError(
            422,
            "settings_invalid",
            f"{section}.provider needs {section}.{name}, which is not set.",
            "Add this setting; docs/models.md has an example of each provider.",
        )
    return value
