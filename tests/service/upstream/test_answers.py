"""Answers of executed calls are relayed in a form that all clients can read."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mcp_types import methods

from quartermaster.calls.replies import fitted
from quartermaster.upstream.answer_repair import repaired_answer
from tests.support.drawn_schemas import examples_of
from tests.support.node_tools import asked_of_node

PNG = "iVBORw0KGgoAAAANSUhEUg=="


def text(of: str) -> dict[str, Any]:
    return {"type": "text", "text": of}


def image(**members: Any) -> dict[str, Any]:
    return {"type": "image", "data": PNG, "mimeType": "image/png", **members}


def test_a_good_answer_stays_as_it_is():
    good = {
        "content": [text("a"), image(annotations={"audience": ["user"], "priority": 1})],
        "structuredContent": {"a": None},
        "isError": False,
        "_meta": {"a": None},
        "x-own": 1,
    }
    assert repaired_answer(good) == good


def test_a_question_of_the_tool_stays_as_it_is():
    asked = {"resultType": "input_required", "content": None, "inputRequests": {}}
    assert repaired_answer(asked) is asked


@pytest.mark.parametrize("content", [{}, {"content": None}, {"content": []}, {"content": [None]}])
def test_no_content_is_empty(content: dict[str, Any]):
    assert repaired_answer({**content, "structuredContent": {"a": 1}}) == {
        "content": [],
        "structuredContent": {"a": 1},
    }


@pytest.mark.parametrize(
    ("content", "relayed"),
    [
        ("just text", [text("just text")]),
        (7, [text("7")]),
        (text("one"), [text("one")]),
        (["a", 1, text("b")], [text("a"), text("1"), text("b")]),
        ([{"type": "text", "text": None}], [text("")]),
        ([{"type": "text"}], [text("")]),
        ([{"type": "text", "text": 42}], [text("42")]),
        ([{"type": "text", "text": {"a": 1}}], [text('{"a": 1}')]),
        ([{"type": "Text", "text": "a"}], [text("a")]),
        ([{"text": "a"}], [text("a")]),
        ([{"type": "text", "text": "a", "_meta": None}], [text("a")]),
        ([{"type": "text", "text": "a", "_meta": 5}], [text("a")]),
        (
            [text("a") | {"annotations": {"audience": ["human", "user"], "priority": 5}}],
            [text("a") | {"annotations": {"audience": ["user"]}}],
        ),
        (
            [text("a") | {"annotations": {"audience": "user", "priority": "0.5"}}],
            [text("a") | {"annotations": {"audience": ["user"], "priority": 0.5}}],
        ),
        (
            [text("a") | {"annotations": {"lastModified": "yesterday"}}],
            [text("a") | {"annotations": {}}],
        ),
        ([text("a") | {"annotations": "high"}], [text("a") | {"annotations": {}}]),
        ([{"type": "image", "data": PNG}], [image()]),
        ([image(data=f"data:image/png;base64,{PNG}")], [image()]),
        ([image(data=PNG.rstrip("="))], [image()]),
        ([image(data=f"{PNG[:9]}\n{PNG[9:]}\n")], [image()]),
        ([image(data="-_8=")], [image(data="+/8=")]),
        (
            [{"type": "audio", "data": "UklGRg=="}],
            [{"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}],
        ),
        (
            [{"type": "resource_link", "uri": "C:\\a b.txt", "name": None, "size": "big"}],
            [{"type": "resource_link", "uri": "C:\\a b.txt", "name": "C:\\a b.txt"}],
        ),
        (
            [{"type": "resource", "resource": {"text": 5, "mimeType": 7}}],
            [{"type": "resource", "resource": {"uri": "", "text": "5"}}],
        ),
        (
            [{"type": "resource", "resource": "plain"}],
            [{"type": "resource", "resource": {"uri": "", "text": "plain"}}],
        ),
    ],
)
def test_an_odd_part_is_repaired(content: object, relayed: list[dict[str, Any]]):
    assert repaired_answer({"content": content}) == {"content": relayed}


def test_a_file_of_an_unknown_type_is_named_and_follows_as_a_resource():
    video = {"type": "video", "data": PNG, "mimeType": "video/mp4"}
    [said, file] = repaired_answer({"content": [video]})["content"]

    assert "video" in said["text"]
    assert file["resource"] == {"uri": "", "mimeType": "video/mp4", "blob": PNG}


@pytest.mark.parametrize(
    "block",
    [
        {"type": "chart", "points": [1, 2]},
        {"type": "image", "data": "not base64!", "mimeType": "image/png"},
        {"type": "image", "url": "https://example.com/a.png"},
        {"type": "resource_link", "name": "without a place"},
        {"type": None, "points": [1]},
        {"type": 5},
        {},
    ],
)
def test_a_part_that_cannot_be_understood_becomes_text_that_has_all_of_it(block: dict[str, Any]):
    [part] = repaired_answer({"content": [block]})["content"]

    assert part["type"] == "text"
    assert json.loads(part["text"].partition(": ")[2]) == block


@pytest.mark.parametrize(
    ("said", "meant"),
    [("true", True), ("False", False), (1, True), (0, False), ("yes", True), (None, False)],
)
def test_whether_it_is_an_error_is_read_as_clients_read_it(said: object, meant: bool):
    assert repaired_answer({"content": [], "isError": said})["isError"] is meant


_MEMBERS = (
    "type text data mimeType uri name resource blob annotations audience priority lastModified"
    " _meta size icons"
)
_JSON = st.recursive(
    st.sampled_from([None, True, 0, 1.5, "", "text", "image", "user", PNG, "data:a/b;base64,QQ=="]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(_MEMBERS.split()),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)


_RESULTS = st.fixed_dictionaries(
    {},
    optional={"content": _JSON, "isError": _JSON, "structuredContent": _JSON, "_meta": _JSON}
    | {"resultType": st.sampled_from([None, 5, "complete", "other"])},
)


@given(_RESULTS)
@example({"content": {"type": "text", "resource": True, "data": 5}})
def test_any_answer_becomes_one_that_the_protocol_allows(result: dict[str, Any]):
    relayed = repaired_answer(result)

    typed = types.CallToolResult.model_validate(relayed, by_name=False)
    assert repaired_answer(relayed) == relayed
    wire = typed.model_dump(by_alias=True, mode="json", exclude_none=True)
    methods.serialize_server_result("tools/call", "2026-07-28", {"resultType": "complete", **wire})


def test_the_clients_of_both_versions_of_the_sdk_read_any_answer():
    answers = [fitted(answer_of(result), "2025-11-25") for result in examples_of(_RESULTS, 300)]
    wire = [one.model_dump(by_alias=True, mode="json", exclude_none=True) for one in answers]

    verdicts = asked_of_node("read_answers.mjs", wire)
    assert [
        one for one, verdict in zip(wire, verdicts, strict=True) if verdict != [True, True]
    ] == []
    # A client does not read just anything.
    assert asked_of_node("read_answers.mjs", [{"content": None}]) != [[True, True]]


def answer_of(result: dict[str, Any]) -> types.CallToolResult:
    return types.CallToolResult.model_validate(repaired_answer(result), by_name=False)
