"""The stand-in reads and answers the three formats."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.clients.wires import Call, by_path

CALL = Call("find", {"goal": "fly"}, id="c1")
TOOL = {"name": "find", "description": "Finds."}
# A path, a request after the call, and the name of the answered call in the answer of the model.
REQUESTS: dict[str, dict[str, Any]] = {
    "/v1/messages": {
        "stream": True,
        "system": [{"type": "text", "text": "Be brief."}],
        "tools": [TOOL, {"name": "later", "defer_loading": True}],
        "messages": [
            {"role": "user", "content": "Go."},
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "found"}],
            },
        ],
    },
    "/v1/responses": {
        "instructions": "Be brief.",
        "tools": [{"type": "function", **TOOL}],
        "input": [
            {"type": "message", "content": [{"type": "input_text", "text": "Go."}]},
            {"type": "function_call_output", "call_id": "c1", "output": "found"},
        ],
    },
    "/v1beta/models/m:streamGenerateContent": {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "tools": [{"functionDeclarations": [TOOL]}],
        "contents": [
            {"parts": [{"text": "Go."}]},
            {"parts": [{"functionResponse": {"id": "c1", "response": {"output": "found"}}}]},
        ],
    },
}


@pytest.mark.parametrize("path", REQUESTS)
def test_a_request_is_read(path: str) -> None:
    wire = by_path(path)
    assert wire is not None

    offer = wire.read(REQUESTS[path])

    assert list(offer.loaded) == ["find"]
    assert offer.results == {"c1": "found"}
    assert "Be brief." in offer.text
    assert "Go." in offer.text
    assert (offer.sees("find"), offer.sees("Be"), offer.sees("other")) == (
        "loaded",
        "named",
        "hidden",
    )


@pytest.mark.parametrize("path", REQUESTS)
def test_an_answer_has_the_call(path: str) -> None:
    wire = by_path(path)
    assert wire is not None
    assert wire.is_stream(path, REQUESTS[path])

    events = "".join(wire.events([CALL]))

    assert '"find"' in events
    assert CALL.id in events
    assert "fly" in events
    assert "I am done." in json.dumps(wire.whole([]))


def test_other_paths_are_nobodys() -> None:
    assert by_path("/api/event_logging") is None
