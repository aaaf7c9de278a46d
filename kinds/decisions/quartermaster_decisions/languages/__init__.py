"""The languages that can be read, by the endings of their files."""

from __future__ import annotations

from functools import cache
from pathlib import PurePosixPath

from quartermaster_decisions.facts import Language


@cache
def languages() -> dict[str, Language]:
    """Returns each ending with its language."""
    from quartermaster_decisions.languages.python import Python

    return {suffix: language for language in (Python(),) for suffix in language.suffixes}


def language_of(path: str) -> Language | None:
    """Returns the language of a file; None if it cannot be read."""
    return languages().get(PurePosixPath(path).suffix)
