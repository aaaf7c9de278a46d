"""Definitions are checked, cleaned and put into the catalog's form before they are stored."""

from __future__ import annotations

import math
import socket
import threading
from typing import Any

import pytest

from quartermaster.catalog.tool_definition import ToolRejectedError, cleaned, stored_form

OBJECT = {"type": "object"}


def test_members_with_a_column_are_named_after_it_and_the_others_are_kept() -> None:
    definition = {
        "name": "a",
        "title": None,
        "inputSchema": OBJECT,
        "outputSchema": OBJECT,
        "annotations": {"readOnlyHint": True},
        "icons": [{"src": "x"}],
        "_meta": {"k": 1},
        "execution": {"taskSupport": "optional"},
    }

    assert stored_form(definition, 10_000) == {
        "name": "a",
        "input_schema": OBJECT,
        "output_schema": OBJECT,
        "annotations": {"readOnlyHint": True},
        "extra": {
            "icons": [{"src": "x"}],
            "_meta": {"k": 1},
            "execution": {"taskSupport": "optional"},
        },
    }


@pytest.mark.parametrize("missing", [{}, {"inputSchema": None}, {"inputSchema": "text"}])
def test_without_a_schema_all_arguments_are_allowed(missing: dict[str, Any]) -> None:
    assert stored_form({"name": "a", **missing}, 100) == {"name": "a", "input_schema": OBJECT}


@pytest.mark.parametrize(
    "dialect",
    [
        "https://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "http://json-schema.org/draft-07/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-04/schema#",
    ],
)
def test_every_draft_is_known(dialect: str) -> None:
    schema = {"$schema": dialect, "type": "object", "properties": {"a": {"type": "string"}}}
    assert stored_form({"name": "a", "inputSchema": schema}, 10_000)["input_schema"] == schema


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"inputSchema": {"default": math.inf}}, "input_schema/default is inf"),
        ({"inputSchema": {"properties": {"a\x00": {}}}}, "member name"),
        ({"annotations": {"title": "half \ud800"}}, "annotations/title"),
        ({"name": "\udfff"}, "name contains"),
        ({"description": "x" * 2_000}, "more than the 1,000"),
    ],
)
def test_what_cannot_be_stored_is_rejected_with_the_place(
    members: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ToolRejectedError, match=reason):
        stored_form({"name": "a", **members}, 1_000)


def test_nesting_without_end_is_rejected() -> None:
    schema: dict[str, Any] = {}
    for _ in range(5_000):
        schema = {"not": schema}

    with pytest.raises(ToolRejectedError, match="nested deeper"):
        stored_form({"name": "a", "inputSchema": schema}, 10**6)


def test_texts_for_people_are_cleaned() -> None:
    stored = stored_form({"name": "a", "title": "\ud800t", "description": "d\x00"}, 1_000)

    assert (stored["title"], stored["description"]) == ("\ufffdt", "d\ufffd")
    assert cleaned({"k\x00": ["\udc00", 1, None]}) == {"k\ufffd": ["\ufffd", 1, None]}


def test_texts_for_people_are_cleaned_in_schemas_too() -> None:
    schema = {"properties": {"a": {"description": "d\x00", "items": [{"title": "\udc00"}]}}}
    stored = stored_form({"name": "a", "inputSchema": schema}, 1_000)["input_schema"]

    assert stored["properties"]["a"] == {
        "description": "d\ufffd",
        "prefixItems": [{"title": "\ufffd"}],
    }


def test_no_reference_of_a_schema_is_ever_fetched() -> None:
    asked = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/schema"

        def accept() -> None:
            try:
                listener.accept()
            except OSError:
                return
            asked.set()

        thread = threading.Thread(target=accept)
        thread.start()
        stored_form({"name": "a", "inputSchema": {"$id": address, "$ref": address}}, 1_000)
        stored_form({"name": "a", "inputSchema": {"not": {"$schema": address}}}, 1_000)
        stored_form({"name": "a", "inputSchema": {"$schema": address}}, 1_000)
        was_asked = asked.is_set()
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()

    assert not was_asked
