"""Whatever JSON a query is: it is read, or it is a problem of its own."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quartermaster.core.errors import QmError
from quartermaster.doors.wire.payload import decode
from quartermaster_lookup.reconcile.http.endpoint import Endpoint
from quartermaster_lookup.reconcile.http.extension import extended, read_extension
from quartermaster_lookup.reconcile.http.queries import QueryProblem, read_conditions, read_query

NAMES = st.sampled_from(
    [
        "query",
        "type",
        "type_strict",
        "limit",
        "properties",
        "pid",
        "v",
        "id",
        "name",
        "lang",
        "conditions",
        "matchType",
        "propertyId",
        "propertyValue",
        "required",
        "matchQuantifier",
        "matchQualifier",
        "ids",
        "settings",
    ]
)
WORDS = st.sampled_from(["name", "id", "property", "any", "all", "none", "should", "plant:1", ""])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=6),
    max_leaves=25,
)
KINDS = {
    "query": str,
    "row": dict,
    "lookups": list,
    "language": str,
    "properties": dict,
    "strict": bool,
    "required": list,
    "excluded": dict,
    "limit": int,
}


def endpoint(table: str | None) -> Endpoint:
    return Endpoint("0.2", table, "http://x/reconcile", "http://x/reconcile/view?id=")


def check(read: dict[str, Any]) -> None:
    """It is what the database takes: members of known kinds, and JSON."""
    for name, value in read.items():
        assert type(value) is KINDS[name], (name, value)
    json.dumps(read, allow_nan=False)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a busy machine
@given(JSON, st.sampled_from(["plant", None]))
def test_any_query_of_0_2_is_read_or_refused_alone(query: Any, table: str | None):
    with suppress(QueryProblem):
        check(read_query(query, endpoint(table), None))


@given(JSON, st.sampled_from(["plant", None]))
def test_any_query_of_the_draft_is_read_or_refused_alone(query: Any, table: str | None):
    with suppress(QueryProblem):
        check(read_conditions(query, endpoint(table), "sv"))


@given(JSON)
def test_any_extension_is_read_or_refused(query: Any):
    with suppress(QmError):
        asked = read_extension(json.dumps(query))
        found = [{"cells": dict.fromkeys(asked.limits, query)} for _ in asked.ids]
        assert json.dumps(extended(asked, found, endpoint("plant")), allow_nan=False)


@given(JSON)
def test_what_is_decoded_can_be_kept_by_the_database(value: Any):
    with suppress(QmError):
        decoded = decode(json.dumps({"\0": [value, "\ud800\0"]}))
        text = json.dumps(decoded, ensure_ascii=False)
        assert "\\u0000" not in text
        text.encode()
