"""Files of decisions: what is written is what is read, whatever the texts are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quartermaster.core.errors import QmError
from quartermaster_decisions.markdown import KEYS, SECTIONS, read_markdown, write_markdown

TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t"), max_size=60
) | st.sampled_from(
    [
        "# Title",
        "## Rationale",
        "---",
        "a\n---\nb",
        "* a\n* b",
        "a: b",
        "yes",
        "\n x \n",
        "2026-01-01",
    ]
)
LISTS = st.lists(TEXTS, max_size=3)
NUMBERS = st.integers(0, 10**9)
DECISIONS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "id": NUMBERS,
        "pattern": TEXTS.filter(str.strip),
        "status": st.sampled_from(["candidate", "canonical", "rejected"]),
        "scope": st.fixed_dictionaries({"kind": st.just("path"), "value": TEXTS}),
        "polarity": st.sampled_from(["do", "avoid"]),
        "confidence": st.sampled_from(["low", "medium", "high"]),
    },
    optional={
        **dict.fromkeys(("applies_when", "instead", "rationale", "miner"), TEXTS),
        "rejected_alternatives": LISTS,
        "keywords": LISTS,
        "check": st.none() | st.fixed_dictionaries({"form": TEXTS, "names": LISTS}),
        "statistics": st.dictionaries(TEXTS, st.floats(allow_nan=False) | NUMBERS, max_size=3),
        "evidence": st.lists(st.dictionaries(TEXTS, TEXTS | NUMBERS, max_size=3), max_size=3),
    },
)


@given(DECISIONS)
@settings(max_examples=300, deadline=None)
def test_a_file_returns_what_was_written(decision: dict[str, Any]):
    text = write_markdown(decision)
    found = read_markdown(text, "0001-x.md")
    for key in ("pattern", *KEYS, *SECTIONS):
        assert (found.get(key) or None) == (decision.get(key) or None), (key, text)
    assert write_markdown(found) == text


def test_a_file_is_readable():
    text = write_markdown(
        {
            "id": 7,
            "status": "canonical",
            "scope": {"kind": "path", "value": "src/**"},
            "polarity": "do",
            "confidence": "high",
            "pattern": "Endpoints return serializers.",
            "rationale": "Clients rely on them.",
            "instead": "a dict",
            "rejected_alternatives": ["dicts", "tuples"],
        }
    )
    assert text == (
        "---\nid: 7\nstatus: canonical\nscope:\n  kind: path\n  value: src/**\npolarity: do\n"
        "confidence: high\n---\n\n# Endpoints return serializers.\n\n"
        "## What not to do\n\na dict\n\n"
        "## Rationale\n\nClients rely on them.\n\n"
        "## Rejected alternatives\n\n* dicts\n* tuples\n"
    )


def test_the_heading_says_whether_to_do_it():
    decision = {"id": 7, "polarity": "avoid", "pattern": "Print.", "instead": "Use the logger."}
    text = write_markdown(decision)
    assert "## What to do instead\n\nUse the logger.\n" in text
    turned = read_markdown(text.replace("avoid", "do"), "x.md")
    assert "## What not to do\n\nUse the logger.\n" in write_markdown(turned)


def test_a_file_from_an_editor_on_windows_is_read():
    text = "---\nid: 7\npolarity: do\n---\n\n# Return serializers.\n\n## Rationale\n\nWhy.\n"
    assert read_markdown("\ufeff" + text.replace("\n", "\r\n"), "x.md") == read_markdown(text, "x")


@pytest.mark.parametrize(
    "text",
    [
        "---\nid: 1\n---\n\n# x\n\n## Consequences\n\nLost.\n",
        "---\nid: 1\n---\n\n# x\n\n## What not to do\n\na\n\n## What to do instead\n\nb\n",
        "",
        "# Only a title\n",
        "---\n- a\n---\n\n# x\n",
        "---\nid: [\n---\n\n# x\n",
        "---\nid: &a [1]\ncheck: *a\n---\n\n# x\n",
        "---\nid: !!python/object/apply:os.system [true]\n---\n\n# x\n",
        "---\nowner: me\n---\n\n# x\n",
    ],
)
def test_what_is_no_decision_is_refused(text: str):
    with pytest.raises(QmError, match=r"file x\.md is not a decision"):
        read_markdown(text, "x.md")
