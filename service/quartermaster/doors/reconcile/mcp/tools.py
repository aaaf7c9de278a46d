"""The tools that everybody sees at ``/mcp/reconcile``. Models learn them, so their bytes never
vary.
"""

from __future__ import annotations

from typing import Final

import mcp_types as types

from quartermaster.doors.reconcile.mcp.schemas import (
    COUNT,
    LONGEST_QUERY,
    MOST_RESPONSE,
    QUERY,
    ROW_ID,
    SCORE,
    SCORE_OR_NULL,
    STRINGS,
    TABLE,
    TEXT,
    TEXT_OR_NULL,
    count,
    gives,
    rows,
)
from quartermaster.doors.wire.tool_schemas import READS, Schema, flag, member, shape, takes

_FLAG: Final[Schema] = {"type": "boolean"}
_GIVEN: Final[Schema] = {"id": TEXT, "value": TEXT}
_SCORED: Final[Schema] = {**_GIVEN, "score": SCORE}
_CANDIDATE: Final = shape(
    {
        **_GIVEN,
        "name": member("string", "The name that fits: the value, or an alias."),
        "score": SCORE | {"description": "Probability that this row is meant."},
        "match": member("boolean", "Sure enough to be taken; at most one is."),
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
"""Of search_lookup."""

RERANKED: Final = gives(
    {
        "query": TEXT,
        "results": rows(shape(_SCORED, [*_SCORED])),
        "model": member("string", "What ordered them."),
    },
    ["query", "results", "model"],
)
"""Of rerank."""

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
"""Of get_by_id."""


SEARCH_LOOKUP: Final = "search_lookup"
RERANK: Final = "rerank"
GET_BY_ID: Final = "get_by_id"
NORMALIZE: Final = "normalize"

INSTRUCTIONS: Final = (
    "Lookup tables hold the rows that messy strings mean. Read the resource lookup_tables, then "
    "ask search_lookup with a table and the string. At most one candidate is a match; where none "
    "is, no candidate or several may be right: look at their scores, which are probabilities."
)

TOOLS: Final[tuple[types.Tool, ...]] = (
    types.Tool(
        name=SEARCH_LOOKUP,
        title="Search a lookup table",
        description=(
            "Find the rows of a lookup table that a string may mean, most probable first. Empty "
            "where none is probable enough."
        ),
        input_schema=takes(
            {
                "table": TABLE,
                "query": QUERY,
                "k_fuzzy": count(30, 100, "Candidates by trigrams."),
                "k_sem": count(30, 100, "Candidates by meaning, where the table has vectors."),
                "k_final": count(20, 100, "Candidates kept of all."),
                "language": TEXT_OR_NULL | {"description": "Preferred, such as sv."},
                "active_only": flag("Leave out rows that are retired.", default=True),
                "filters": takes(
                    {
                        "domain": TEXT_OR_NULL | {"description": "Rows of this domain only."},
                        "properties": {
                            "type": ["object", "null"],
                            "description": "What the row should have: {name: value or values}.",
                        },
                        "strict": flag("Leave out rows that do not have the properties."),
                    },
                    [],
                ),
                "return": takes(
                    {
                        "raw_scores": flag("Score of each channel.", default=True),
                        "aliases": flag("Other names of each row."),
                        "limit": count(20, MOST_RESPONSE, "Candidates in the answer."),
                    },
                    [],
                ),
                "threshold": SCORE_OR_NULL
                | {"description": "Probability below which nothing is returned; 0: the nearest."},
                "rerank": flag("Let a cross-encoder order the first five."),
                "finalize": flag("Let a language model choose among the first, and say why."),
                "context": member(
                    "string",
                    "For finalize: what the string is about, in a sentence.",
                    maxLength=500,
                ),
            },
            ["table", "query"],
        ),
        output_schema=SEARCHED,
        annotations=READS,
    ),
    types.Tool(
        name=RERANK,
        title="Order candidates",
        description=(
            "Order a few candidates by how well they fit a string: by a cross-encoder where one "
            "is configured, else by the learned score of their table, or by trigrams."
        ),
        input_schema=takes(
            {
                "query": QUERY,
                "candidates": member(
                    "array",
                    "Such as search_lookup returned.",
                    items=takes(
                        {"id": ROW_ID, "value": TEXT | {"maxLength": LONGEST_QUERY}},
                        ["id", "value"],
                    ),
                    maxItems=100,
                ),
                "k": count(5, MOST_RESPONSE, "How many to return."),
                "table": TABLE | {"description": "Their lookup table, if they have one."},
            },
            ["query", "candidates"],
        ),
        output_schema=RERANKED,
        annotations=READS,
    ),
    types.Tool(
        name=GET_BY_ID,
        title="Get a row",
        description="One row of a lookup table, with all its names and where it comes from.",
        input_schema=takes({"table": TABLE, "id": ROW_ID}, ["table", "id"]),
        output_schema=ROW,
        annotations=READS,
    ),
    types.Tool(
        name=NORMALIZE,
        title="Normalise a string",
        description="The form in which names and queries are compared.",
        input_schema=takes(
            {
                "text": TEXT | {"maxLength": 10_000},
                "ops": STRINGS
                | {
                    "description": "Steps, done in this order whatever the order given: mojibake, "
                    "ligatures, deaccent, lower, digits, punctuation, collapse_ws, trim. All of "
                    "them where this is left out.",
                },
            },
            ["text"],
        ),
        output_schema=gives({"result": TEXT}, ["result"]),
        annotations=READS,
    ),
)
