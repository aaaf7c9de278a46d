"""Opens the language model that the settings name."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

import httpx2

from quartermaster.core.errors import QmError
from quartermaster.lookup.llm.finaliser import Finaliser
from quartermaster.lookup.llm.llm_server import LlmServer
from quartermaster.lookup.llm.models import ANTHROPIC_VERSION, AnthropicModel, OpenAiModel
from quartermaster.secrets.store import SecretStore
from quartermaster.settings.sections import Llm

_ANTHROPIC: Final = "https://api.anthropic.com/v1"


@asynccontextmanager
async def open_finaliser(options: Llm, secrets: SecretStore) -> AsyncGenerator[Finaliser | None]:
    """Open the finaliser in the settings without contacting the server; None if there is none.

    Args:
        options: section `reconcile.llm`.
        secrets: the secret store with the server's key.

    Raises:
        QmError: 422 settings_invalid (no model or no URL), 404 secret_not_found.
    """
    if options.provider == "none":
        yield None
        return
    is_anthropic = options.provider == "anthropic"
    url = _required("url", options.url or (_ANTHROPIC if is_anthropic else None))
    name = _required("model", options.model)
    key = secrets.resolve(options.api_key) if options.api_key else None
    headers = {"anthropic-version": ANTHROPIC_VERSION} if is_anthropic else {}
    if key:
        headers |= {"x-api-key": key} if is_anthropic else {"authorization": f"Bearer {key}"}
    sent = {"temperature": options.temperature, "max_tokens": options.max_tokens}
    given = {name: value for name, value in sent.items() if value is not None}
    async with httpx2.AsyncClient(headers=headers, timeout=options.timeout_s) as client:
        server = LlmServer(url, client)
        model = (AnthropicModel if is_anthropic else OpenAiModel)(server, name, given)
        yield Finaliser(model, options.candidates, options.timeout_s)


def _required(name: str, value: str | None) -> str:
    if value is None:
        raise QmError(
            422,
            "settings_invalid",
            f"reconcile.llm.provider needs reconcile.llm.{name}, which is not set.",
            "Set it; docs/reconcile_mcp.md has an example of each provider.",
        )
    return value
