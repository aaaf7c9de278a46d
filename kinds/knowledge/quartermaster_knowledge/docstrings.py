"""Converts docstrings of every common style to plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from typing import Final

_ROLE: Final = re.compile(r":[a-zA-Z:_+-]{2,20}:`~?!?\.?([^`<]{1,500}?)(?:\s{0,9}<[^`>]{0,500}>)?`")
_DOUBLE_PATTERN: Final = re.compile(r"``([^`]+)``")
_DIRECTIVE: Final = re.compile(
    r"^[ \t]*\.\. (?:code-block|sourcecode|currentmodule|index|literalinclude|image|figure|"
    r"highlight|seealso|note|warning|tip|important|container|plot|math|todo|only|rubric|"
    r"autofunction|autoclass|automodule|module|ipython|doctest|testcode|testsetup|versionadded|"
    r"versionchanged|tab|_[^:]*):{1,2}[^\n]*$|^[ \t]*:(?:alt|target|width|members|nosignatures|"
    r"toctree|linenos|class|caption|name|emphasize-lines)\S*:[^\n]*$",
    re.MULTILINE,
)
_LINK: Final = re.compile(r"\[([^\]]{1,500})\]\([^)\s]{0,2000}\)")
_REFERENCE: Final = re.compile(r"\[([^\[\]\n]{1,500})\]\[[^\]\n]{0,500}\]")
_BLANKS: Final = re.compile(r"\n{3,}")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])|\n\s*\n")
_CODE: Final = re.compile(r"^\s*(>>>|\.\.\. |\$ |```|    \S)")
_SIGNATURE: Final = re.compile(r"^[\w.]+\([^)]*\)(?: *->.*)?$")
_NAMED_PATTERN: Final = re.compile(r"`([A-Za-z_][\w.]*)(?:\(\))?[^`\n]{0,40}`")
_PARAMETER: Final = re.compile(
    r"^\s*(?::(?:param|parameter|arg|raises|keyword)\s{1,9}([^:]+):"
    r"|\**(\w+)\**\s{0,9}(?:\([^)]*\))?\s{0,9}:)\s*(\S.*)$"
)


_COMMENT_PATTERN: Final = re.compile(r"(?:^|\s)#:\s?(.*)$")


def comment_at(lines: Sequence[str], line: int) -> str:
    """Returns the ``#: ...`` comments above a definition and in its line. Sphinx treats these
    comments as documentation.

    Args:
        lines: lines of the file.
        line: number of the first line of the definition, from 1. It may be larger than the number
            of lines if a stub is longer than its module.
    """
    first = min(line - 1, len(lines))
    while first > 0 and lines[first - 1].lstrip().startswith("#:"):
        first -= 1
    return "\n".join(
        found[1] for text in lines[first:line] if (found := _COMMENT_PATTERN.search(text))
    )


def plain(text: str) -> str:
    """Returns the text of a docstring without the markup of roles, directives and links."""
    text = cleandoc(text)
    text = _ROLE.sub(lambda found: f"`{found[1].strip()}`", text)
    text = _DOUBLE_PATTERN.sub(r"`\1`", text)
    text = _DIRECTIVE.sub("", text)
    text = _REFERENCE.sub(r"\1", _LINK.sub(r"\1", text))
    return _BLANKS.sub("\n\n", text).strip()


def prose(text: str) -> str:
    """Returns the text without its code examples."""
    return "\n".join(line for line in text.splitlines() if not _CODE.match(line))


def sentences(text: str) -> list[str]:
    """Returns the sentences of the prose, one line per sentence."""
    found = (" ".join(piece.split()) for piece in _SENTENCE.split(prose(text)))
    return [piece for piece in found if len(piece) > 2]


def summary(text: str) -> str:
    """Returns the first sentence that is not a signature."""
    found = [one for one in sentences(text[:2000]) if not _SIGNATURE.match(one)]
    return found[0][:300] if found else ""


def parameter_notes(text: str) -> str:
    """Returns the descriptions of parameters and errors, without their types."""
    found = filter(None, map(_PARAMETER.match, text.splitlines()))
    return " ".join(f"{each[1] or each[2]}: {each[3]}" for each in found)[:2000]


def anchors(text: str) -> Iterator[tuple[str, str]]:
    """Yields each name in backticks, with the sentence that contains it."""
    for sentence in sentences(text):
        for name in {found[1] for found in _NAMED_PATTERN.finditer(sentence)}:
            yield name, sentence[:300]
