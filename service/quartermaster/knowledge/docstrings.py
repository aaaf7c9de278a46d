"""Reads docstrings of every style as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import Final

_ROLE: Final = re.compile(r":[a-zA-Z:_+-]{2,20}:`~?!?\.?([^`<]+?)(?:\s*<[^`>]*>)?`")
_DOUBLE: Final = re.compile(r"``([^`]+)``")
_DIRECTIVE: Final = re.compile(
    r"^\s*\.\. (?:code-block|sourcecode|currentmodule|index|literalinclude|image|figure|highlight|"
    r"seealso|note|warning|tip|important|container|plot|math|todo|only|rubric|autofunction|"
    r"autoclass|automodule|module|ipython|doctest|testcode|testsetup|versionadded|versionchanged|"
    r"tab|_[^:]*):{1,2}[^\n]*$|^\s*:(?:alt|target|width|members|nosignatures|toctree|linenos|class|"
    r"caption|name|emphasize-lines)\S*:[^\n]*$",
    re.MULTILINE,
)
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)\s]*\)")
_REFERENCE: Final = re.compile(r"\[([^\]\n]+)\]\[[^\]\n]*\]")
_BLANKS: Final = re.compile(r"\n{3,}")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])|\n\s*\n")
_CODE: Final = re.compile(r"^\s*(>>>|\.\.\. |\$ |```|    \S)")
_SIGNATURE: Final = re.compile(r"^[\w.]+\([^)]*\)(?: *->.*)?$")
_NAMED: Final = re.compile(r"`([A-Za-z_][\w.]*)(?:\(\))?[^`\n]{0,40}`")
_PARAMETER: Final = re.compile(
    r"^\s*(?::(?:param|parameter|arg|raises|keyword)\s+([^:]+):|\**(\w+)\**\s*(?:\([^)]*\))?\s*:)\s*(\S.*)$"
)


_TOLD: Final = re.compile(r"(?:^|\s)#:\s?(.*)$")
_COMMENT: Final = re.compile(r"^\s*#:?\s?(.*)$")
_TALK: Final = re.compile(r"[A-Za-z]{2,}\W+[A-Za-z]{2,}\W+[A-Za-z]{2,}")
_FOR_TOOLS: Final = re.compile(r"^(noqa|type:|pragma|pylint|mypy|ruff|fmt:|isort|nosec|TODO|FIXME|XXX)")
_MOST_LINES: Final = 12
_LONGEST_COMMENT: Final = 300


@dataclass(frozen=True)
class Remark:
    """What comments at a definition say.

    Attributes:
        documentation: comments that begin with ``#:``, as Sphinx reads them.
        comment: other comments directly above.
    """

    documentation: str = ""
    comment: str = ""


def remark_at(lines: Sequence[str], line: int) -> Remark:
    """What comments say of what is defined at a line; the first line has the number 1."""
    above: list[str] = []
    for text in reversed(lines[max(line - 1 - _MOST_LINES, 0) : line - 1]):
        found = _COMMENT.match(text)
        if not found:
            break
        above.insert(0, text)
    beside = _TOLD.search(lines[line - 1]) if line <= len(lines) else None
    told = [found[1] for text in above if (found := _TOLD.search(text))]
    if beside:
        told.append(beside[1])
    if told:
        return Remark(documentation=plain("\n".join(told)))
    said = [found[1].strip() for text in above if (found := _COMMENT.match(text))]
    comment = " ".join(each for each in said if not _FOR_TOOLS.match(each))
    return Remark(comment=comment[:_LONGEST_COMMENT] if _TALK.search(comment) else "")


def plain(text: str) -> str:
    """The text of a docstring without roles, directives and links."""
    text = cleandoc(text)
    text = _ROLE.sub(lambda found: f"`{found[1].strip()}`", text)
    text = _DOUBLE.sub(r"`\1`", text)
    text = _DIRECTIVE.sub("", text)
    text = _REFERENCE.sub(r"\1", _LINK.sub(r"\1", text))
    return _BLANKS.sub("\n\n", text).strip()


def prose(text: str) -> str:
    """The text without its examples."""
    return "\n".join(line for line in text.splitlines() if not _CODE.match(line))


def sentences(text: str) -> list[str]:
    """The sentences of the prose, each as one line."""
    found = (" ".join(piece.split()) for piece in _SENTENCE.split(prose(text)))
    return [piece for piece in found if len(piece) > 2]


def summary(text: str) -> str:
    """The first sentence that is not a signature."""
    found = [one for one in sentences(text[:2000]) if not _SIGNATURE.match(one)]
    return found[0][:300] if found else ""


def parameter_notes(text: str) -> str:
    """What is said of parameters and errors, without their types."""
    notes: list[str] = []
    for line in text.splitlines():
        found = _PARAMETER.match(line)
        if found:
            notes.append(f"{found[1] or found[2]}: {found[3]}")
    return " ".join(notes)[:2000]


def anchors(text: str) -> Iterator[tuple[str, str]]:
    """Each name in backquotes, with the sentence around it."""
    for sentence in sentences(text):
        for name in {found[1] for found in _NAMED.finditer(sentence)}:
            yield name, sentence[:300]
