"""Texts of a repository without secrets. Nothing leaves Python before it went through here."""

from __future__ import annotations

from typing import Final

from quartermaster.guardrails.scan import find_spans

_HIDDEN: Final = "[secret]"


def redacted(text: str) -> str:
    """The text with each secret replaced."""
    for span in reversed(find_spans(text, ("secrets",))):
        text = text[: span.start] + _HIDDEN + text[span.end :]
    return text
