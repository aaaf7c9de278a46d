"""Texts of a repository without secrets. Nothing leaves Python before it went through here."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

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


def redacted(text: str) -> str:
    """The text with each secret replaced."""
    return _without(text, ("secrets",))


def redacted_proposal(text: str) -> str:
    """A text that somebody proposes, with each secret and all personal data replaced."""
    return _without(text, ("secrets", "personal"))


def quoted(text: str) -> str:
    """The text without secrets, personal data, unseen characters and what speaks to models."""
    return _without(_UNSEEN.sub("", text), KINDS)


def _without(text: str, kinds: Collection[Kind]) -> str:
    end = len(text)
    for span in reversed(find_spans(text, kinds)):
        if span.end <= end:
            text = text[: span.start] + _TAKEN_OUT[span.kind] + text[span.end :]
            end = span.start
    return text
