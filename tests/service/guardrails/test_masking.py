"""How a text looks with what the guardrails find in it masked."""

from __future__ import annotations

import pytest

from quartermaster.guardrails.masking import masked, masked_secrets, rewritten, sanitized
from quartermaster.guardrails.spans import Span
from tests.service.guardrails.test_scan import STEERING, TOKEN


def test_a_mask_says_what_it_hides():
    text = f"Token {TOKEN} of ada.byron@post.example."
    assert masked_secrets(text) == text.replace(TOKEN, "[secret masked: github]")
    assert masked(text) == "Token [secret masked: github] of [personal data masked: email]."
    assert masked(STEERING) == STEERING
    assert sanitized(STEERING) == "[not an instruction of the user masked: instruction]"


def test_what_leaves_has_no_unseen_characters():
    assert sanitized("a\u200bb\u202e c\x00\td") == "ab c\td"


@pytest.mark.parametrize(
    "text",
    [
        f"token {TOKEN}",
        "redis://default:Falcon.birch77@cache.internal:6379/0",
        "password: harbor-Maple42",
        "Call me on +44 7700 900123 tonight",
        STEERING,
    ],
)
def test_a_mask_is_not_masked_again(text: str):
    assert sanitized(text) != text
    assert sanitized(sanitized(text)) == sanitized(text)


def test_types_can_be_spared():
    text = "Mail ada.byron@post.example."
    assert masked(text, spared={"email"}) == text


def test_of_spans_that_overlap_nothing_stays_readable():
    spans = [Span(0, 5, "instructions", "instruction"), Span(3, 8, "secrets", "github")]
    hidden = rewritten("abcdefghij", spans, {"instructions": "mask", "secrets": "mask"})
    assert hidden == "[not an instruction of the user masked: instruction][secret masked: github]ij"
    both = rewritten("abcdefghij", spans, {"instructions": "mark", "secrets": "mask"})
    assert both == "[not an instruction of the user: “abc[secret masked: github]”]ij"
