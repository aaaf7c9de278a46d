"""Judges whether untrusted data is dangerous in the text into which a program inserts it, such as
an SQL statement, a shell command or an HTML page. What is dangerous depends on the text around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from quartermaster_quality.taint.marks import DIGITS, LETTERS, OTHER_CHARACTERS, WORD, Mark, mask_of
from quartermaster_quality.taint.rules.classes import CLASSES, PARAMETER
from quartermaster_quality.taint.values import (
    AbstractValue,
    ComposedText,
    Instance,
    Map,
    Seq,
    Thing,
    UnionValue,
    Unknown,
    const_str,
    marks_of,
    options,
)

NAME = WORD | mask_of(".$")
SHELL = WORD | mask_of(".,:/@%+=-")
LABEL = LETTERS | DIGITS | mask_of("-_")
LINE_BREAKS = mask_of("\n\r")
TAG = re.compile(r"<[a-zA-Z!/][^>]*$", re.DOTALL)
SCRIPT = re.compile(r"<script\b(?!.*</script)", re.DOTALL | re.IGNORECASE)
ATTRIBUTE = re.compile(r"=\s*([\"']?)[^\"'>]*$")
LINK = re.compile(r"\b(?:href|src|action|formaction)\s*=\s*[\"']?$", re.IGNORECASE)


class MarkContext(NamedTuple):
    """The mark of data that a text contains, with the literal text before and after the data."""

    prefix: str
    mark: Mark
    after: str


def pieces(
    value: AbstractValue, prefix: str = "", depth: int = 0
) -> Iterator[tuple[str, AbstractValue, str]]:
    """Yields the unknown parts of a text, with the literal text before and after each part."""
    if depth > 6:
        return
    if isinstance(value, UnionValue):
        for option in value.options:
            yield from pieces(option, prefix, depth + 1)
    elif isinstance(value, ComposedText):
        for index, part in enumerate(value.parts):
            if isinstance(part, str):
                prefix += part
                continue
            after = "".join(p if isinstance(p, str) else "\1" for p in value.parts[index + 1 :])
            if isinstance(part, ComposedText | UnionValue):
                for before, inner, more in pieces(part, prefix, depth + 1):
                    yield before, inner, more + after
                prefix += _shown(part)
                continue
            yield prefix, part, after
            prefix += _shown(part)
    elif isinstance(value, Seq | Map | Instance | Thing | Unknown):
        yield prefix, value, ""


def _shown(value: AbstractValue) -> str:
    text = const_str(value)
    if text is None and isinstance(value, UnionValue):
        texts = [const_str(o) for o in value.options]
        text = next((t for t in texts if t is not None), None)
    return "\1" if text is None else text


def _quote_around(prefix: str) -> str:
    """Returns the quotation mark that is still open at the end of a string, or an empty string if
    none is open.
    """
    open_ = ""
    for char in prefix:
        if open_:
            if char == open_:
                open_ = ""
        elif char in "'\"`":
            open_ = char
    return open_


def _sql(place: MarkContext) -> bool:
    quote = _quote_around(place.prefix)
    if quote and place.prefix.strip():
        return bool(place.mark.mask & mask_of(quote + "\\"))
    return bool(place.mark.mask & ~NAME)


def _cmd(place: MarkContext) -> bool:
    return bool(place.mark.mask & ~SHELL)


def _xss(place: MarkContext) -> bool:
    mark = place.mark
    if SCRIPT.search(place.prefix):
        return bool(mark.mask & ~(WORD | OTHER_CHARACTERS | mask_of("-. ")))
    tag = TAG.search(place.prefix)
    if tag is not None:
        inside = ATTRIBUTE.search(tag.group())
        chooses_scheme = mark.mask & mask_of(":") and not mark.safe & {"url", "url-part"}
        if LINK.search(tag.group()) and chooses_scheme:
            return True
        if inside is None or not inside.group(1):
            return bool(mark.mask & mask_of(" \t\n>"))
        return bool(mark.mask & mask_of(inside.group(1)))
    return bool(mark.mask & mask_of("<"))


def _path(place: MarkContext) -> bool:
    mark = place.mark
    if not mark.mask & mask_of("/"):
        # Only ".." as a whole name can leave the folder.
        return False
    if mark.mask & mask_of(".") and "dotdot" not in mark.safe:
        return True
    return not place.prefix and not mark.safe & {"relative", "path"}


def _ldap(place: MarkContext) -> bool:
    in_filter = "(" in place.prefix or ")" in place.after
    return bool(place.mark.mask & mask_of("*()\\" if in_filter else ',+"<>;='))


def _code(place: MarkContext) -> bool:
    quote = _quote_around(place.prefix)
    if quote and "%r" not in place.prefix:
        return bool(place.mark.mask & mask_of(quote + "\\"))
    return bool(place.mark.mask & ~(WORD | OTHER_CHARACTERS))


def _log(place: MarkContext) -> bool:
    return bool(place.mark.mask & LINE_BREAKS)


def _xpath(place: MarkContext) -> bool:
    quote = _quote_around(place.prefix)
    if quote:
        return bool(place.mark.mask & mask_of(quote))
    return bool(place.mark.mask & ~(WORD | OTHER_CHARACTERS | mask_of("-.:")))


def _template(place: MarkContext) -> bool:
    return bool(place.mark.mask & mask_of("{")) and bool(place.mark.mask & mask_of("%}$<#"))


URL_START = re.compile(r"^(?:[a-z]+:)?//[^/?#\x01]+[/?#]", re.IGNORECASE)


def _redirect(place: MarkContext) -> bool:
    prefix = place.prefix
    if "url" in place.mark.safe:
        return False
    if URL_START.match(prefix) or re.match(r"/[^/\\\x01]|[?#.]", prefix):
        return False
    if prefix == "\x01" or re.match(r"\x01[^\x01]", prefix):
        # The address begins with something that the program chose.
        return False
    return bool(place.mark.mask & mask_of("/\\:"))


def _ssrf(place: MarkContext) -> bool:
    prefix = place.prefix
    # The program chose the host, or what stands before it, or a path of its own.
    if "url" in place.mark.safe or URL_START.match(prefix) or re.match(r"\x01|/(?!/)", prefix):
        return False
    if re.match(r"(?:[a-z]+:)?//\x01", prefix) and "/" in prefix.split("//", 1)[1]:
        return False
    if re.match(r"[a-z]+://", prefix) and not place.mark.mask & ~LABEL:
        return False
    return bool(place.mark.mask & mask_of("/.:@#?"))


def _any(place: MarkContext) -> bool:
    return place.mark.mask != 0


JUDGES: dict[str, Callable[[MarkContext], bool]] = {
    "sql": _sql,
    "cmd": _cmd,
    "xss": _xss,
    "path": _path,
    "ldap": _ldap,
    "code": _code,
    "log": _log,
    "xpath": _xpath,
    "template": _template,
    "redirect": _redirect,
    "ssrf": _ssrf,
}
SIGNABLE_RULES = {"deserialization", "redirect", "code", "signature", "path", "ssrf", "sql", "cmd"}


def _composed(rule: str, place: MarkContext) -> bool:
    """Returns whether data is inserted as a value into a text in another language, such as SQL.

    Such code is wrong even if the data is trusted, because an apostrophe in the data breaks the
    text.
    """
    if rule == "cmd":
        return " " in place.prefix.strip("\1")
    if rule == "ldap":
        return "(" in place.prefix
    return bool(place.prefix.strip() and _quote_around(place.prefix))


def harmful(rule: str, value: AbstractValue) -> Mark | None:
    """Returns the first mark of a value that is dangerous for a weakness class; None if no mark
    is.
    """
    judge, kinds = JUDGES.get(rule, _any), CLASSES[rule].kinds
    for prefix, part, after in pieces(value):
        for mark in sorted(marks_of(part), key=lambda m: (m.line, m.sid)):
            if mark.kind not in kinds or rule in mark.safe or "*" in mark.safe:
                continue
            if rule in SIGNABLE_RULES and "signed" in mark.safe:
                continue
            place = MarkContext(prefix, mark, after)
            if mark.kind == PARAMETER and not _composed(rule, place):
                continue
            if judge(place):
                return mark
    return None


def literal_text(value: AbstractValue) -> str:
    """Joins the literal pieces of a value with spaces."""
    out: list[str] = []
    for option in options(value):
        if isinstance(option, ComposedText):
            out.extend(p if isinstance(p, str) else literal_text(p) for p in option.parts)
        else:
            out.append(const_str(option) or "")
    return " ".join(out)
