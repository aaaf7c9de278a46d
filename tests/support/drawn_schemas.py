"""JSON Schemas drawn by lot, with the faults that real servers have."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

_PATTERNS = (
    r"^ $ \d \w+ [a-z] [^\s,] (?:a|b) (?=x) (?<!y) (?<n>z) * + ? {2} {2,1} { } ] [ ( ) | \b \-"
    r" \p{L} \p{Greek} [\w-z] \Z (?P<p>q) (?i) \1 \u{1F600} \u00e9 é / [a-] [\d\-.] [z-a] \x4"
    r" \cA \0 \07 ++ (?>a) (?#c) [[:alpha:]]"
)
PATTERNS = tuple(_PATTERNS.split())
_NAMES = st.sampled_from(["a", "b", "größe", "名前", "a.b", "required", "type", "$ref", "x/y~z"])
_VALUES = st.sampled_from([None, True, 0, 1, -1.5, "", "a", "5", [], [1], {}, {"a": None}])
_TYPES = st.sampled_from(
    ["string", "number", "integer", "boolean", "object", "array", "null", "any", "dict", "str",
     "String", "file", None, 5, [], ["string", "null"], ["object", None], ["string", "any"]]
)  # fmt: skip
_DIALECTS = st.sampled_from(
    [
        "http://json-schema.org/draft-03/schema#",
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
        "https://example.com/my-schema",
        "",
        None,
        7,
    ]
)
_REFERENCES = st.sampled_from(
    ["#", "#/$defs/a", "#/definitions/a", "#/properties/a", "#/nowhere", "a.json", "", 5]
)
# Most schemas have few faults, as in reality.
_PLAIN = {
    "type": st.sampled_from(["string", "number", "integer", "boolean", "array", "object"]),
    "description": st.sampled_from(["text", ""]),
    "default": _VALUES,
    "minLength": st.integers(0, 3),
    "enum": st.lists(st.sampled_from(["a", "b", 1, None]), min_size=1, unique=True),
    "format": st.sampled_from(["date-time", "uint64", "email"]),
}
_ODD = {
    "type": _TYPES,
    "description": _VALUES,
    "enum": _VALUES,
    "required": _VALUES,
    "minimum": _VALUES,
    "exclusiveMinimum": _VALUES,
    "minLength": _VALUES,
    "pattern": st.sampled_from(PATTERNS),
    "nullable": _VALUES,
    "format": _VALUES,
    "$ref": _REFERENCES,
    "$id": st.sampled_from(["a", "https://example.com/a", 5, None]),
    "$anchor": st.sampled_from(["a", "", None]),
    "$schema": _DIALECTS,
    "id": _VALUES,
    "const": _VALUES,
    "uniqueItems": _VALUES,
    "multipleOf": _VALUES,
    "x-own": _VALUES,
    "discriminator": _VALUES,
    "dependencies": _VALUES,
    "$comment": _VALUES,
}


def _deeper(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    odd = st.one_of(inner, _VALUES)
    by_name = st.dictionaries(_NAMES, st.one_of(inner, inner, odd), max_size=3)
    holders = {
        "properties": st.one_of(by_name, by_name, _VALUES),
        "$defs": by_name,
        "definitions": by_name,
        "patternProperties": st.dictionaries(st.sampled_from(PATTERNS), odd, max_size=2),
        "items": st.one_of(inner, st.lists(odd, max_size=2), _VALUES),
        "prefixItems": st.one_of(st.lists(odd, max_size=2), _VALUES),
        "additionalProperties": odd,
        "anyOf": st.one_of(st.lists(odd, max_size=2), _VALUES),
        "allOf": st.one_of(st.lists(odd, max_size=2), _VALUES),
        "oneOf": st.lists(inner, min_size=1, max_size=2),
        "not": odd,
        "if": odd,
        "then": odd,
        "dependentSchemas": by_name,
        "propertyNames": odd,
        "contains": odd,
        "unevaluatedProperties": odd,
    }
    plain = st.fixed_dictionaries({}, optional=_PLAIN)
    faults = st.fixed_dictionaries(
        {}, optional={name: value for name, value in (_ODD | holders).items() if name not in _PLAIN}
    )
    one_fault = st.sampled_from(sorted(_ODD | holders)).flatmap(
        lambda name: (_ODD | holders)[name].map(lambda value: {name: value})
    )
    fine = st.fixed_dictionaries(
        {}, optional={"properties": by_name, "items": inner, "$defs": by_name}
    )
    return st.one_of(
        st.tuples(plain, fine).map(lambda both: both[0] | both[1]),
        st.tuples(plain, one_fault).map(lambda both: both[0] | both[1]),
        st.tuples(plain, one_fault, one_fault).map(lambda all_: all_[0] | all_[1] | all_[2]),
        faults,
    )


def drawn_schemas() -> st.SearchStrategy[dict[str, Any]]:
    """Returns schemas of objects, with any faults below the root and at it."""
    leaf = st.fixed_dictionaries({}, optional=_PLAIN)
    inner = st.recursive(leaf, _deeper, max_leaves=8)
    root = st.sampled_from([{"type": "object"}, {"type": "object"}, {}])
    return st.tuples(_deeper(inner), root).map(lambda both: both[0] | both[1])


_SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


def examples_of(drawn: st.SearchStrategy[Any], count: int) -> list[Any]:
    """Returns the same examples in every run, to hand all of them to one program."""
    found: list[Any] = []

    @seed(1)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.filter_too_much,
            HealthCheck.data_too_large,
        ],
    )
    @given(drawn)
    def collect(example: Any) -> None:
        found.append(example)

    collect()
    return found
