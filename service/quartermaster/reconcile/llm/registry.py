"""The language model of the settings."""

from __future__ import annotations

from typing import Final

from quartermaster.errors import QmError
from quartermaster.reconcile.llm.finaliser import Finaliser
from quartermaster.reconcile.llm.llm_server import LlmServer
from quartermaster.reconcile.llm.models import ANTHROPIC_VERSION, AnthropicModel, OpenAiModel
from quartermaster.secret_store import SecretStore
from quartermaster.settings_reconcile import Llm

_ANTHROPIC: Final = "https://api.anthropic.com/v1"


def open_finaliser(options: Llm, secrets: SecretStore) -> Finaliser | None:
    """What finishes answers, as the settings have it; None where nothing does. Asks nobody.

    Args:
        options: section `reconcile.llm`.
        secrets: holds the key of the server.

    Raises:
        QmError: 422 settings_invalid (no model or no URL), 404 secret_not_found.
    """
    if options.provider == "none":
        return None
    url = options.url or (_ANTHROPIC if options.provider == "anthropic" else None)
    for name, value in (("model", options.model), ("url", url)):
        if value is None:
            raise QmError(
                422,
                "settings_invalid",
                f"reconcile.llm.provider needs reconcile.llm.{name}, which is not set.",
                "Set it; docs/reconcile_mcp.md has an example of each provider.",
            )
    assert url is not None
    assert options.model is not None
    key = secrets.resolve(options.api_key) if options.api_key else None
    sent = {"temperature": options.temperature, "max_tokens": options.max_tokens}
    given = {name: value for name, value in sent.items() if value is not None}
    if options.provider == "anthropic":
        headers = {"anthropic-version": ANTHROPIC_VERSION} | ({"x-api-key": key} if key else {})
        model = AnthropicModel(LlmServer(url, headers, options.timeout_s), options.model, given)
    else:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        model = OpenAiModel(LlmServer(url, headers, options.timeout_s), options.model, given)
    return Finaliser(model, options.candidates, options.timeout_s)
