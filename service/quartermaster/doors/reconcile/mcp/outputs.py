"""Schemas for the answers from the tools that everybody sees."""

from __future__ import annotations

from typing import Final

from quartermaster.doors.reconcile.mcp.schemas import (
    COUNT,
    SCORE,
    SCORE_OR_NULL,
    STRINGS,
    TEXT,
    TEXT_OR_NULL,
    gives,
    rows,
)
from quartermaster.doors.wire.tool_schemas import Schema, member, shape

_FLAG: Final[Schema] = {"type": "boolean"}
_GIVEN: Final[Schema] = {"id": TEXT, "value": TEXT}
_SCORED: Final[Schema] = {**_GIVEN, "score": SCORE}
_CANDIDATE: Final = shape(
    {
        **_GIVEN,
        "name": member("string", "The name that fits best: the value or an alias."),
        "score": SCORE | {"description": "Probability that the string means this row."},
        "match": member(
            "boolean", "Whether the row can be accepted automatically; true for at most one."
        ),
        "language": TEXT_OR_NULL,
        "active": _FLAG,
        "raw_scores": shape(
            {"trgm": SCORE, "sem": SCORE_OR_NULL, "blend": SCORE, "rerank": SCORE},
            ["trgm", "sem", "blend"],
        ),
        "aliases": STRINGS,
    },
    ["id", "value", "name", "score", "match", "language", "active"],
)
_LIMITS: Final = ["k_fuzzy", "k_sem", "k_final"]

SEARCHED: Final = gives(
    {
        "table": TEXT,
        "query": TEXT,
        "candidates": rows(_CANDIDATE),
        "limits": shape({name: {"type": "integer"} for name in _LIMITS}, _LIMITS),
        "reranked_by": TEXT,
        "final": shape(
            {
                "model": TEXT,
                "choices": rows(
                    shape({**_SCORED, "reason": TEXT}, ["id", "value", "score", "reason"]), 5
                ),
                "repaired": _FLAG,
                "tokens": COUNT,
                "elapsed_ms": COUNT,
            },
            ["model", "choices", "repaired", "tokens", "elapsed_ms"],
        ),
        "notes": STRINGS,
    },
    ["table", "query", "candidates", "limits"],
)
"""The answer of search_lookup."""

RERANKED: Final = gives(
    {
        "query": TEXT,
        "results": rows(shape(_SCORED, [*_SCORED])),
        "model": member("string", "The model or score that ordered the candidates."),
    },
    ["query", "results", "model"],
)
"""The answer of rerank."""

ROW: Final = gives(
    {
        **_GIVEN,
        "aliases": STRINGS,
        "language": TEXT_OR_NULL,
        "active": _FLAG,
        "domain": TEXT_OR_NULL,
        "properties": {"type": "object"},
        "provenance": {"type": "object"},
    },
    ["id", "value", "aliases", "language", "active", "provenance"],
)
"""The answer of get_by_id."""
