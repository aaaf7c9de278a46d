"""The programming languages that Quartermaster can read."""

from __future__ import annotations

from functools import cache
from pathlib import PurePosixPath

from quartermaster_decisions.facts import Language


@cache
def languages() -> dict[str, Language]:
    """Maps each suffix of files to its language."""
    from quartermaster_decisions.languages.python import Python

    return {suffix: language for language in (Python(),) for suffix in language.suffixes}


def language_of(path: str) -> Language | None:
    """Returns the language of a file. Returns None if no known language has the suffix of the
    file.
    """
    return languages().get(PurePosixPath(path).suffix)
