"""The sections ``lookup`` and ``reconcile`` of the settings."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from quartermaster.settings.sections import (
    LanguageModelSettings,
    Name,
    NotNegative,
    Positive,
    Seconds,
    Section,
)


class Lookup(Section):
    """Settings of lookup tables: the size of the cache, and whether queries are stored."""

    cache_rows: NotNegative = 50_000
    cache_ttl_s: Seconds = 86_400
    keep_queries: bool = False


class Llm(LanguageModelSettings):
    """The language model that chooses among the first candidates, and gives reasons."""

    timeout_s: Seconds = 10
    candidates: Annotated[int, Field(ge=5, le=10)] = 10
    max_tokens: Positive | None = 500


class Reconcile(Section):
    """Settings of reconciliation: the time limits of the tools at ``/mcp/reconcile``, in
    milliseconds, and the language model.

    ``open_as`` names the principal for HTTP requests without a key. If it is null, such requests
    get only a manifest. ``server_id`` is the name that the MCP server at ``/mcp/reconcile`` reports
    to clients.
    """

    server_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$")] = (
        "quartermaster.reconcile"
    )
    open_as: Name | None = None
    search_timeout_ms: Positive = 300
    rerank_timeout_ms: Positive = 150
    llm: Llm = Llm()
