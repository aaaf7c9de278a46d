"""Splits names and code into words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

# A database stores neither a zero byte nor half of a pair of surrogates.
UNSTORABLE_PATTERN: Final = re.compile("[\0\ud800-\udfff]")
_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_TEXT: Final = re.compile(
    r"""(?<!\w)[fFrRbBuU]{0,2}("(?:[^"\\\n]|\\.){8,200}"|'(?:[^'\\\n]|\\.){8,200}')"""
)
_COMMENT: Final = re.compile(r"(?:^|\s)#\s?([A-Za-z][^\n]{6,160})$", re.MULTILINE)
_CALLED_PATTERN: Final = re.compile(r"\b([A-Za-z_]\w{2,40})\(")
_DOCSTRING: Final = re.compile(
    r"^[ \t]*[rRuU]?(?:\"\"\".*?\"\"\"|'''.*?''')[ \t]*$", re.DOTALL | re.MULTILINE
)
_MAX_CHARACTERS: Final = 600


def name_words(name: str) -> str:
    """Returns the words of a name, separated by spaces. For `model_dumpJSON`, returns `model dump
    json`.
    """
    return " ".join(part.lower() for part in _PART.findall(name))


def body_words(lines: Sequence[str]) -> str:
    """Returns the words in code: the words of its strings, its comments, and the names of the
    functions that it calls.
    """
    code = _DOCSTRING.sub("", "\n".join(lines[:120]), count=1)
    texts = [found[1][1:-1] for found in _TEXT.finditer(code) if " " in found[1] or "-" in found[1]]
    comments = [found[1] for found in _COMMENT.finditer(code)]
    called = list(dict.fromkeys(name_words(found[1]) for found in _CALLED_PATTERN.finditer(code)))[
        1:13
    ]
    return " ".join([*texts, *comments, *called])[:_MAX_CHARACTERS]
