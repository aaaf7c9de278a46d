"""Formats names, areas and numbers for the instructions of candidates."""

from __future__ import annotations

import re
from typing import Final

from quartermaster_decisions.codebase import WHOLE_TREE

LAST_WORD: Final = re.compile(r"[A-Z][a-z0-9]+$")
"""The last word of a name in camel case."""

PLURALS: Final = {"class": "classes", "function": "functions", "method": "methods"}

POSITIONAL_PARAMETERS: Final = frozenset({"", "request", "ctx", "info"})
"""First parameters that frameworks pass by position. All code has them, so they show no
decision.
"""


def all_of(module: str, *names: str) -> tuple[str, ...]:
    """Returns the full names of members of a module."""
    return tuple(f"{module}.{name}" for name in names)


def short(name: str) -> str:
    """Returns the last part of a full name. For a member of a class or of a local variable, returns
    the last two parts.
    """
    parts = name.removeprefix("~").removesuffix("()").split(".")
    if len(parts) > 1 and (parts[-2][:1].isupper() or name.startswith("~")):
        return ".".join(parts[-2:])
    return parts[-1]


def called(name: str) -> str:
    """Returns the name in backticks, followed by the module from which it is imported."""
    module, _, last = name.removeprefix("~").rpartition(".")
    if name.startswith("~") or not module:
        return f"`{name.removeprefix('~')}`"
    outer, _, owner = module.rpartition(".")
    if outer and owner[:1].isupper():
        return f"`{owner}.{last}` (from `{outer}`)"
    return f"`{last}` (from `{module}`)"


def area_of(scope: str, *, tests: bool | None = None) -> str:
    """Returns the beginning of an instruction for an area, such as `In h/views: `."""
    if scope == WHOLE_TREE:
        return "In tests: " if tests else ""
    place = scope.removesuffix("/**").removesuffix("/*.py")
    if scope.startswith("**/"):
        kind = "each folder" if scope.endswith("/*.py") else "each"
        place = f"{kind} `{place[3:]}`"
    else:
        place = f"`{place}`"
    return f"In the tests in {place}: " if tests and "test" not in scope else f"In {place}: "


_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words_of(name: str) -> list[str]:
    """Returns the words in a name, in lower case. For `IndicoURLForm`, these are indico, url and
    form.
    """
    return [word.lower() for word in _WORDS.findall(name)]


def area_word(scope: str) -> str:
    """Returns the last name in the glob of an area. The table of base rates has separate rates for
    such names.
    """
    parts = [part for part in scope.split("/") if part not in {"**", "*.py"}]
    return parts[-1] if parts else "**"


def is_implied(scope: str, name: str) -> bool:
    """Returns whether the name of an area already implies a name, as `forms.py` implies `Form`."""
    word = area_word(scope).removesuffix(".py").lower().rstrip("s")
    return len(word) > 2 and word in name.rpartition(".")[2].lower()


def share(followed: int, cases: int, what: str) -> str:
    """Returns a share in words, such as `57 of 60 classes (95 %)`."""
    return f"{followed} of {cases} {what} ({followed / cases:.0%})" if cases else f"no {what}"


def sentence(area: str, text: str) -> str:
    """Returns an instruction as a sentence. It begins with the area if there is one, and otherwise
    with a capital letter.
    """
    return f"{area}{text}." if area else f"{text[:1].upper()}{text[1:]}."
