"""Tells whether the validators of clients can compile an output schema.

A client of the TypeScript SDK compiles the output schemas of a list, in draft 7 or in the newest
draft. If one of them does not compile, the client refuses the whole list. So a schema counts as
compiling only if it certainly compiles in both drafts, with the same meaning.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any, Final

from cachetools import LRUCache, cached

from quartermaster.core.ecma_pattern import is_ecma_pattern
from quartermaster.core.json_schema import (
    DRAFT_7_METASCHEMA,
    HOLDS_SCHEMAS,
    NAMES,
    NEWEST_METASCHEMA,
    Schema,
    follows,
    judgements,
    objects,
    places,
    referred,
    usable,
    words,
)

_MAX_CHARACTERS: Final = 200_000
# Validators write the code of a schema again at each reference to it, and this takes seconds soon.
_MOST_COPIES: Final = 5_000
# Keywords that name places across schemas, that one of the validators does not support, or that
# the two drafts read differently.
_AVOIDED_KEYWORDS: Final = words(
    "$id id $anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $vocabulary $async"
    " $data formatMinimum formatMaximum formatExclusiveMinimum formatExclusiveMaximum discriminator"
    " prefixItems additionalItems dependencies minContains maxContains"
)
# No validator looks for schemas in these.
_PLAIN_VALUES: Final = frozenset({"const", "default", "enum"})
_DIALECTS: Final = frozenset(
    f"{scheme}://json-schema.org/{draft}/schema{end}"
    for scheme in ("http", "https")
    for draft in ("draft-06", "draft-07", "draft/2019-09", "draft/2020-12")
    for end in ("", "#")
)


def compiles_everywhere(schema: Schema) -> bool:
    """Returns whether all clients compile a schema, so that it can be part of a list."""
    text = json.dumps(schema)
    return len(text) <= _MAX_CHARACTERS and _compiles_everywhere(text)


@cached(LRUCache[Any, bool](2_000))
def _compiles_everywhere(text: str) -> bool:
    schema: Schema = json.loads(text)
    known = {id(place) for place in places(schema)}
    return (
        str(schema.get("$schema", "http://json-schema.org/draft-07/schema#")) in _DIALECTS
        and follows(NEWEST_METASCHEMA, schema)
        and follows(DRAFT_7_METASCHEMA, schema)
        and all(_is_plain(place, schema, known) for place in places(schema))
        and judgements(schema) < math.inf
        and _copies(schema) <= _MOST_COPIES
        and usable(schema) == schema
    )


def _is_plain(place: Schema, root: Schema, known: set[int]) -> bool:
    patterns: list[str] = [*place.get("patternProperties", {})]
    if "pattern" in place:
        patterns.append(place["pattern"])
    return (
        not _AVOIDED_KEYWORDS & place.keys()
        and (place is root or "$schema" not in place)
        and place.get("enum", [None]) != []
        and "__proto__" not in place.get("properties", {})
        and _is_plain_nullable(place)
        and not _has_hidden_names(place)
        and ("$ref" not in place or _is_plain_pointer(place["$ref"]))
        and ("$ref" not in place or id(referred(place["$ref"], root)) in known)
        and all(is_ecma_pattern(pattern) for pattern in patterns)
    )


def _copies(root: Schema) -> int:
    """Returns how many schemas there would be if each reference were replaced by a copy of the
    schema that it names.
    """
    targets = (referred(place["$ref"], root) for place in places(root) if "$ref" in place)
    counts = Counter(id(target) for target in targets)
    return sum(
        counts[id(place)] * sum(1 for _ in places(place))
        for place in places(root)
        if id(place) in counts
    )


def _is_plain_nullable(place: Schema) -> bool:
    if "nullable" not in place:
        return True
    return place["nullable"] is True and isinstance(place.get("type"), str)


def _has_hidden_names(place: Schema) -> bool:
    """Returns whether the value of a keyword contains names of schemas, such as ``$id``. Only
    keywords that some validators do not know are checked.
    """
    return any(
        NAMES & found.keys()
        for keyword, value in place.items()
        if keyword not in HOLDS_SCHEMAS and keyword not in _PLAIN_VALUES
        for found in objects(value)
    )


def _is_plain_pointer(reference: str) -> bool:
    """Returns whether all validators read a reference in the same way. A pointer with percent signs
    is excluded, because only some validators decode it.
    """
    return reference == "#" or (
        reference.startswith("#/")
        and reference.isascii()
        and all(step.replace("_", "").replace(".", "").replace("-", "").isalnum()
                for step in reference[2:].replace("$", "").split("/"))
    )  # fmt: skip
