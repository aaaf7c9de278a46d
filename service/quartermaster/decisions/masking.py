"""Texts of a repository without secrets. Nothing leaves Python before it went through here."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from quartermaster.guardrails.instruction_model import Encode
from quartermaster.guardrails.scan import find_spans
from quartermaster.guardrails.spans import KINDS, Kind

_TAKEN_OUT: Final = {
    "secrets": "[secret]",
    "personal": "[personal data]",
    "instructions": "[text that speaks to models]",
}
_UNSEEN: Final = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\U000e0000-\U000e01ef\ud800-\udfff]"
)


def masked_secrets(text: str) -> str:
    """The text with each secret replaced."""
    return _without(text, ("secrets",))


def masked_proposal(text: str) -> str:
    """A text that somebody proposes, with each secret and all personal data replaced."""
    return _without(text, ("secrets", "personal"))


def quoted(text: str, encode: Encode | None = None) -> str:
    """The text without secrets, personal data, unseen characters and what speaks to models.

    Args:
        text: the text.
        encode: the embedding model's encoder, which is asked about sentences in doubt.
    """
    return _without(_UNSEEN.sub("", text), KINDS, encode)


def _without(text: str, kinds: Collection[Kind], encode: Encode | None = None) -> str:
    parts: list[str] = []
    end = 0
    spans = find_spans(text, kinds, encode=encode)
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.start >= end:
            parts += [text[end : span.start], _TAKEN_OUT[span.kind]]
        # Of spans that overlap, such as an order with a secret in it, the first takes all.
        end = max(end, span.end)
    return "".join([*parts, text[end:]])
