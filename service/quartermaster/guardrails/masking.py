"""Masks what the guardrails find in a text. A mask says what kind of data it hides, as in ``[secret
masked: jwt]``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from typing import Final, Literal

from quartermaster.guardrails.instruction_model import Encode
from quartermaster.guardrails.scan import find_spans
from quartermaster.guardrails.spans import KINDS, Kind, Span

Action = Literal["mark", "mask"]
PRIVATE_KINDS: Final[tuple[Kind, ...]] = ("secrets", "personal")
_NAMES: Final[dict[Kind, str]] = {
    "instructions": "not an instruction of the user",
    "personal": "personal data",
    "secrets": "secret",
}
_UNSEEN_PATTERN: Final = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\U000e0000-\U000e01ef\ud800-\udfff]"
)


def sanitized(text: str, encode: Encode | None = None) -> str:
    """Returns an untrusted text in the form that a caller gets: without invisible characters, and
    with secrets, personal data and instructions masked.

    Args:
        text: the text.
        encode: the embedding model's encoder, which decides doubtful sentences; None decides
            without it.
    """
    return masked(_UNSEEN_PATTERN.sub("", text), KINDS, encode)


def masked_secrets(text: str) -> str:
    """Returns the text with secrets masked."""
    return masked(text, ("secrets",))


def masked(
    text: str,
    kinds: Collection[Kind] = PRIVATE_KINDS,
    encode: Encode | None = None,
    spared: Collection[str] = (),
) -> str:
    """Returns the text with the findings of the given kinds masked.

    Args:
        text: the text.
        kinds: the kinds of findings to mask.
        encode: see `sanitized`.
        spared: types of findings to leave readable.
    """
    found = [span for span in find_spans(text, kinds, encode) if span.type not in spared]
    return rewritten(text, found, dict.fromkeys(kinds, "mask")) if found else text


def mask_of(kind: Kind, type_: str) -> str:
    """Returns the mask that replaces a finding.

    Args:
        kind, type_: kind and type of the finding, as in `Span`.
    """
    return f"[{_NAMES[kind]} masked: {type_}]"


def rewritten(
    text: str, spans: Iterable[Span], actions: Mapping[Kind, Action], start: int = 0
) -> str:
    """Returns the text with its spans marked or masked. A marked span stays readable, in quotation
    marks.

    Args:
        text: the text.
        spans: the findings, in order; they may overlap and reach beyond the text.
        actions: the action for each kind.
        start: position of this text in the longer text that was searched.
    """
    opened: dict[int, str] = {}
    closed: dict[int, str] = {}
    hidden = bytearray(len(text))
    for span in spans:
        low, high = max(span.start - start, 0), min(span.end - start, len(text))
        if actions[span.kind] == "mark":
            opened[low] = f"[{_NAMES[span.kind]}: “" + opened.get(low, "")
            closed[high] = closed.get(high, "") + "”]"
        elif not all(hidden[low:high]):
            opened[low] = opened.get(low, "") + mask_of(span.kind, span.type)
            closed.setdefault(high, "")
            hidden[low:high] = b"\1" * (high - low)
    written: list[str] = []
    for low, high in pairwise([*sorted({0, len(text), *opened, *closed}), len(text)]):
        shown = "" if any(hidden[low:high]) else text[low:high]
        written += [closed.get(low, ""), opened.get(low, ""), shown]
    return "".join(written)
