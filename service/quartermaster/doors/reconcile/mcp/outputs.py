"""What the tools that everybody sees answer."""

from __future__ import annotations

from typing import Final

from quartermaster.doors.reconcile.mcp.schemas import (
    MOST_RESPONSE,
    SCORE,
    SCORE_OR_NULL,
    STRINGS,
    TEXT_OR_NULL,
    Schema,
    gives,
)

_MILLISECONDS: Final[Schema] = {"type": "integer", "minimum": 0}
_CHOICE: Final[Schema] = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "value": {"type": "string"},
        "score": SCORE,
        "reason": {"type": "string"},
    },
    "required": ["id", "value", "score", "reason"],
}
_CANDIDATE: Final[Schema] = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "value": {"type": "string"},
        "name": {"type": "string", "description": "The name that fits: the value, or an alias."},
        "score": SCORE | {"description": "Probability that this row is meant."},
        "match": {"type": "boolean", "description": "Sure enough to be taken; at most one is."},
        "language": TEXT_OR_NULL,
        "active": {"type": "boolean"},
        "raw_scores": {
            "type": "object",
            "properties": {
                "trgm": SCORE,
                "sem": SCORE_OR_NULL,
                "blend": SCORE,
                "rerank": SCORE,
            },
            "required": ["trgm", "sem", "blend"],
        },
        "aliases": STRINGS,
    },
    "required": ["id", "value", "name", "score", "match", "language", "active"],
}
_GIVEN: Final[Schema] = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "value": {"type": "string"}},
    "required": ["id", "value"],
}

SEARCHED: Final[Schema] = gives(
    {
        "table": {"type": "string"},
        "query": {"type": "string"},
        "candidates": {"type": "array", "items": _CANDIDATE, "maxItems": MOST_RESPONSE},
        "limits": {
            "type": "object",
            "properties": {key: {"type": "integer"} for key in ("k_fuzzy", "k_sem", "k_final")},
            "required": ["k_fuzzy", "k_sem", "k_final"],
        },
        "reranked_by": {"type": "string"},
        "final": {
            "type": "object",
            "properties": {
                "model": {"type": "string"},
                "choices": {"type": "array", "items": _CHOICE, "maxItems": 5},
                "repaired": {"type": "boolean"},
                "tokens": {"type": "integer", "minimum": 0},
                "elapsed_ms": _MILLISECONDS,
            },
            "required": ["model", "choices", "repaired", "tokens", "elapsed_ms"],
        },
        "notes": STRINGS,
    },
    ["table", "query", "candidates", "limits"],
)
"""Of search_lookup."""

RERANKED: Final[Schema] = gives(
    {
        "query": {"type": "string"},
        "results": {
            "type": "array",
            "items": _GIVEN
            | {
                "properties": {**_GIVEN["properties"], "score": SCORE},
                "required": ["id", "value", "score"],
            },
            "maxItems": MOST_RESPONSE,
        },
        "model": {"type": "string", "description": "What ordered them."},
    },
    ["query", "results", "model"],
)
"""Of rerank."""

ROW: Final[Schema] = gives(
    {
        **_GIVEN["properties"],
        "aliases": STRINGS,
        "language": TEXT_OR_NULL,
        "active": {"type": "boolean"},
        "domain": TEXT_OR_NULL,
        "properties": {"type": "object"},
        "provenance": {"type": "object"},
    },
    ["id", "value", "aliases", "language", "active", "provenance"],
)
"""Of get_by_id."""
