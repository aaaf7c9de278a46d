"""Texts of a repository without secrets. Nothing leaves Python before it went through here."""

from __future__ import annotations

import re
from typing import Final

from quartermaster.guardrails.scan import find_spans

_HIDDEN: Final = "[secret]"
_TAKEN_OUT: Final = {
    "secrets": _HIDDEN,
    "personal": "[personal data]",
    "instructions": "[text that speaks to models]",
}
_UNSEEN: Final = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\U000e0000-\U000e01ef\ud800-\udfff]"
)


def redacted(text: str) -> str:
    """The text with each secret replaced."""
    for span in reversed(find_spans(text, ("secrets",))):
        text = text[: span.start] + _HIDDEN + text[span.end :]
    return text


def quoted(text: str) -> str:
    """The text without secrets, personal data, unseen characters and what speaks to models."""
    text = _UNSEEN.sub("", text)
    end = len(text)
    for span in reversed(find_spans(text)):
        if span.end <= end:
            text = text[: span.start] + _TAKEN_OUT[span.kind] + text[span.end :]
            end = span.start
    return text
