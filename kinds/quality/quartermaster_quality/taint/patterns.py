"""Derives facts about a text from the regular expression that it matches."""

from __future__ import annotations

import re
from dataclasses import replace

from quartermaster_quality.taint.compare import fact
from quartermaster_quality.taint.marks import (
    ANY_CHARACTER,
    NO_FACTS,
    Facts,
    both,
    mask_of,
    pattern_mask,
)
from quartermaster_quality.taint.values import (
    AbstractValue,
    Extern,
    Unknown,
    blend,
    const_str,
    map_marks,
    marks_of,
)


def matched(
    pattern: AbstractValue, subject: AbstractValue, name: str, flags: list[AbstractValue]
) -> AbstractValue:
    """Returns a match object with the facts that a match, or no match, proves about the text."""
    marks = marks_of(subject)
    text = const_str(pattern)
    if text is None or not marks:
        return Unknown("re.Match", marks)
    body, whole = _anchored(text, name)
    ignore = any(isinstance(f, Extern) and f.name in {"re.I", "re.IGNORECASE"} for f in flags)
    true: Facts = NO_FACTS
    false: Facts = NO_FACTS
    if whole:
        mask = pattern_mask(body, ignore)
        if mask is not None:
            if whole == "$":
                mask |= mask_of("\n")
            true = fact(marks, mask=mask)
        true = both(true, fact(marks, safe=_pattern_safe(body)))
    elif name == "search":
        single = _single_class(text)
        if single is not None:
            false = fact(marks, mask=ANY_CHARACTER & ~single)
        elif text in {r"\.\.", r"\.{2}"}:
            false = fact(marks, safe=("dotdot",))
    return Unknown("re.Match", marks, (true, false))


def _anchored(text: str, name: str) -> tuple[str, str]:
    """Returns the pattern without anchors, and the part of a text that it matches.

    The part is the whole text (``all``), the text without a final line break (``$``), or perhaps
    only a part of the text (empty).
    """
    body = text
    start = name in {"match", "fullmatch"}
    for anchor in (r"\A", "^"):
        if body.startswith(anchor):
            body, start = body.removeprefix(anchor), True
    end = "all" if name == "fullmatch" else ""
    if body.endswith((r"\Z", r"\z")):
        body, end = body[:-2], "all"
    elif body.endswith("$") and not body.endswith(r"\$"):
        body, end = body[:-1], end or "$"
    if _top_level_branch(body) and name != "fullmatch":
        return body, ""
    return body, end if start else ""


def _top_level_branch(body: str) -> bool:
    depth, escaped = 0, False
    for char in body:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "|" and depth == 0:
            return True
    return False


def _pattern_safe(body: str) -> tuple[str, ...]:
    safe: list[str] = []
    if re.match(r"https\??://[A-Za-z0-9\\.-]+(:\d+)?/", body.replace("\\/", "/")):
        safe.append("url")
    if body.startswith("/(?!") or re.match(r"/\[(?!\^)[^\]/\\]*\]", body):
        safe.extend(("slash", "no-slashes", "no-backslash"))
    return tuple(safe)


def _single_class(text: str) -> int | None:
    """Returns the characters of a pattern that consists of a single character class; None for any
    other pattern.
    """
    if re.fullmatch(r"\[(?:\\.|[^\]\\])+\][+*]?|\\.|[^\\.^$*+?{}\[\]|()]", text):
        return pattern_mask(text)
    return None


def substituted(
    pattern: AbstractValue, replacement: AbstractValue, subject: AbstractValue
) -> AbstractValue:
    text = const_str(pattern)
    marks = marks_of(subject)
    new = const_str(replacement)
    if text is None or not marks:
        return blend([subject, replacement], "str")
    removed = _single_class(text)
    if removed is None or new is None:
        value: AbstractValue = Unknown("str", marks)
        return blend([value, replacement], "str")
    added = mask_of(new)
    return map_marks(Unknown("str", marks), lambda m: replace(m, mask=(m.mask & ~removed) | added))
