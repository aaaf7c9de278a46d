"""Settings of reconciliation: time budgets of its tools, and the language model that may finish."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from quartermaster.settings.base import Positive, Seconds, Section
from quartermaster.settings.models import Name


class Llm(Section):
    """The language model that says why, among the first candidates; ``none``: there is none.

    ``openai`` is any server of that protocol, Ollama's, too; ``url`` is up to and with ``/v1``.
    ``temperature`` and ``max_tokens`` null are not sent.
    """

    provider: Literal["none", "anthropic", "openai"] = "none"
    url: Name | None = None
    model: Name | None = None
    api_key: str | None = None
    timeout_s: Seconds = 10
    candidates: Annotated[int, Field(ge=5, le=10)] = 10
    temperature: Annotated[float, Field(ge=0, le=2)] | None = 0.0
    max_tokens: Positive | None = 500


class Reconcile(Section):
    """How long a tool of ``/mcp/reconcile`` may take, in milliseconds, and what finishes.

    ``open_as`` is the principal that those without a key are, over HTTP; null: they are nobody.
    """

    open_as: Name | None = None
    search_timeout_ms: Positive = 300
    rerank_timeout_ms: Positive = 150
    llm: Llm = Llm()
