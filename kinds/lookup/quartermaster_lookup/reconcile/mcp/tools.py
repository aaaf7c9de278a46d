"""The tools that all users see at ``/mcp/reconcile``. Do not change the texts of these tools,
because models have learned to use the tools with exactly these texts.
"""

from __future__ import annotations

from typing import Final

import mcp_types as types

from quartermaster.doors.wire.tool_schemas import (
    READ_ANNOTATIONS,
    Schema,
    flag,
    member,
    shape,
    takes,
)
from quartermaster_lookup.reconcile.mcp.schemas import (
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

_FLAG: Final[Schema] = {"type": "boolean"}
_ROW_MEMBERS: Final[Schema] = {"id": TEXT, "value": TEXT}
_SCORED_MEMBERS: Final[Schema] = {**_ROW_MEMBERS, "score": SCORE}
_CANDIDATE: Final = shape(
    {
        **_ROW_MEMBERS,
        "name": member("string", "The name that fits best: the value or an alias."),
        "score": SCORE | {"description": "Probability that the string refers to this row."},
        "match": member(
            "boolean", "Whether the row can be accepted automatically; true for at most one."
        ),
        "language": TEXT_OR_NULL,
        "active": _FLAG,
        "raw_scores": shape(
            {
                "trgm": SCORE,
                "sem": SCORE_OR_NULL,
                "blend": SCORE,
                "rerank": SCORE,
                "language": member("boolean", "Whether the row has the requested language."),
            },
            ["trgm", "sem", "blend"],
        ),
        "aliases": STRINGS,
    },
    ["id", "value", "name", "score", "match", "language", "active"],
)
_LIMITS: Final = ["k_fuzzy", "k_sem", "k_final"]

SEARCH_SCHEMA: Final = gives(
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
                    shape({**_SCORED_MEMBERS, "reason": TEXT}, ["id", "value", "score", "reason"]),
                    5,
                ),
                "repaired": _FLAG,
                "tokens": COUNT,
                "elapsed_ms": COUNT,
            },
            ["model", "choices", "repaired", "tokens", "elapsed_ms"],
        ),
        "notes": STRINGS,
        "meta": shape(
            {"retired": rows(shape({"id": TEXT, "value": TEXT}, ["id", "value"]))}, ["retired"]
        ),
    },
    ["table", "query", "candidates", "limits"],
)
"""JSON Schema of the answer of search_lookup."""

RERANK_SCHEMA: Final = gives(
    {
        "query": TEXT,
        "results": rows(shape(_SCORED_MEMBERS, [*_SCORED_MEMBERS])),
        "model": member("string", "The model or score that ordered the candidates."),
    },
    ["query", "results", "model"],
)
"""JSON Schema of the answer of rerank."""

ROW: Final = gives(
    {
        **_ROW_MEMBERS,
        "aliases": STRINGS,
        "language": TEXT_OR_NULL,
        "active": _FLAG,
        "domain": TEXT_OR_NULL,
        "properties": {"type": "object"},
        "provenance": {"type": "object"},
    },
    ["id", "value", "aliases", "language", "active", "provenance"],
)
"""JSON Schema of the answer of get_by_id."""


INSTRUCTIONS: Final = (
    "Lookup tables contain rows with names, to which messy strings can be matched. Read the "
    "resource lookup_tables, then call search_lookup with a table and the string. At most one "
    "candidate is marked as a match. If none is marked, none or several may be right: compare "
    "their scores, which are probabilities."
)

TOOLS: Final[tuple[types.Tool, ...]] = (
    types.Tool(
        name="search_lookup",
        title="Search a lookup table",
        description=(
            "In a lookup table, find the rows to which a string may refer, most probable "
            "first. The list is empty if no row is probable enough. If the string may "
            "refer to a retired row, meta.retired names this row."
        ),
        input_schema=takes(
            {
                "table": TABLE,
                "query": QUERY,
                "k_fuzzy": count(30, 100, "Number of candidates to find by trigrams."),
                "k_sem": count(
                    30, 100, "Number of candidates to find by meaning, if the table has vectors."
                ),
                "k_final": count(20, 100, "Number of candidates to keep."),
                "language": TEXT_OR_NULL
                | {"description": "Prefer names in this language, such as sv."},
                "active_only": flag("Leave out inactive rows.", default=True),
                "filters": takes(
                    {
                        "domain": TEXT_OR_NULL | {"description": "Only rows of this domain."},
                        "properties": {
                            "type": ["object", "null"],
                            "description": "Properties that the row should have: {name: value or "
                            "list of values}.",
                        },
                        "strict": flag("Leave out rows without these properties."),
                    },
                    [],
                ),
                "return": takes(
                    {
                        "raw_scores": flag("Return the score from each channel.", default=True),
                        "aliases": flag("Return the other names of each row."),
                        "limit": count(
                            20, MOST_RESPONSE, "Maximum number of candidates to return."
                        ),
                    },
                    [],
                ),
                "threshold": SCORE_OR_NULL
                | {"description": "Minimum probability of a candidate; 0 returns all."},
                "rerank": flag("Let a cross-encoder order the first five."),
                "finalize": flag(
                    "Let a language model choose among the first candidates, and give reasons."
                ),
                "context": member(
                    "string",
                    "For finalize: one sentence about the context of the string.",
                    maxLength=500,
                ),
            },
            ["table", "query"],
        ),
        output_schema=SEARCH_SCHEMA,
        annotations=READ_ANNOTATIONS,
    ),
    types.Tool(
        name="rerank",
        title="Order candidates",
        description=(
            "Order a few candidates by how well they fit a string. Uses a cross-encoder if one is "
            "configured, otherwise the table's learned score, otherwise trigrams."
        ),
        input_schema=takes(
            {
                "query": QUERY,
                "candidates": member(
                    "array",
                    "Candidates, such as those that search_lookup returned.",
                    items=takes(
                        {"id": ROW_ID, "value": TEXT | {"maxLength": LONGEST_QUERY}},
                        ["id", "value"],
                    ),
                    maxItems=100,
                ),
                "k": count(5, MOST_RESPONSE, "Maximum number of candidates to return."),
                "table": TABLE
                | {"description": "The lookup table from which the candidates come, if any."},
            },
            ["query", "candidates"],
        ),
        output_schema=RERANK_SCHEMA,
        annotations=READ_ANNOTATIONS,
    ),
    types.Tool(
        name="get_by_id",
        title="Get a row",
        description="Get one row of a lookup table, with all its names and its provenance.",
        input_schema=takes({"table": TABLE, "id": ROW_ID}, ["table", "id"]),
        output_schema=ROW,
        annotations=READ_ANNOTATIONS,
    ),
    types.Tool(
        name="normalize",
        title="Normalise a string",
        description="Get the normalised form of a text. Lookups compare names in this form.",
        input_schema=takes(
            {
                "text": TEXT | {"maxLength": 10_000},
                "ops": STRINGS
                | {
                    "description": "Steps to apply; default: all. They are always applied in "
                    "this order: mojibake, ligatures, deaccent, lower, digits, punctuation, "
                    "collapse_ws, trim.",
                },
            },
            ["text"],
        ),
        output_schema=gives({"result": TEXT}, ["result"]),
        annotations=READ_ANNOTATIONS,
    ),
)
