"""How the guardrails are measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quartermaster.core.errors import QmError
from quartermaster.eval.guardrail_files import read_results
from quartermaster.guardrails.measuring import measure
from quartermaster.guardrails.spans import Span

RESULTS: list[dict[str, Any]] = [
    {
        "result": "obey me. key abcdefghij",
        "instructions": ["obey me"],
        "personal": [],
        "secrets": ["abcdefghij"],
    },
    {
        "result": "call 0123456789 or 0123456789",
        "instructions": [],
        "personal": [{"type": "phone", "text": "0123456789"}],
        "secrets": [],
    },
    {"result": "nothing", "instructions": [], "personal": [], "secrets": []},
]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    file = tmp_path / "results.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in RESULTS), encoding="utf-8")
    return file


def test_shares_are_of_results_spans_and_characters(results: Path):
    found = {
        RESULTS[0]["result"]: [
            Span(5, 8, "instructions", "instruction"),
            Span(14, 23, "secrets", "key"),
        ],
        # The number stands there twice, so one of them is not enough.
        RESULTS[1]["result"]: [Span(5, 15, "personal", "phone")],
        RESULTS[2]["result"]: [
            Span(0, 7, "instructions", "instruction"),
            Span(0, 1, "personal", "name"),
        ],
    }
    assert measure(read_results(results), lambda text: found[text]) == {
        "instructions_found": 1.0,
        "instructions_false": 0.5,
        "personal_found": 0.0,
        "secrets_found": 1.0,
        "masked_wrong": 0.05,
    }


def test_a_span_that_does_not_occur_is_reported_with_its_line(results: Path):
    row = {"result": "a", "instructions": ["b"], "personal": [], "secrets": []}
    with results.open("a", encoding="utf-8") as file:
        file.write(f"\n{json.dumps(row)}\n")
    with pytest.raises(QmError, match=":4"):
        read_results(results)
