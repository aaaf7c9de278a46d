"""Finds out which rules the linters of a project already enforce. These rules need no decisions."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

# Prefixes of rules, and what they enforce in the words of the miner of styles.
_RULES: Final = {
    "D": "docstrings",
    "ANN": "annotations",
    "I": "import order",
    "FA": "future annotations",
    "N": "names",
    "ALL": "docstrings annotations names",
}
_WORDS: Final = re.compile(r"(pydocstyle|flake8-docstrings|disallow_untyped_defs|pylint)")
_TOPICS: Final = {
    "pydocstyle": "docstrings",
    "flake8-docstrings": "docstrings",
    "disallow_untyped_defs": "annotations",
    "pylint": "names",
}


def enforced_by(configurations: Mapping[str, str]) -> frozenset[str]:
    """Returns the topics (such as docstrings) that the configured linters enforce."""
    found: set[str] = set()
    for path, text in configurations.items():
        found.update(_TOPICS[word] for word in _WORDS.findall(text))
        if path.endswith(".toml"):
            for rule in _ruff_rules(text):
                found.update(_RULES.get(rule.rstrip("0123456789"), "").split())
    return frozenset(found)


def _ruff_rules(text: str) -> Iterator[str]:
    try:
        read: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    tool = _table(read, "tool")
    ruff = _table(tool, "ruff") if "tool" in read else read
    lint = _table(ruff, "lint") or ruff
    for key in ("select", "extend-select"):
        listed = lint.get(key, [])
        if isinstance(listed, list):
            yield from (str(one) for one in cast("list[Any]", listed))


def _table(outer: dict[str, Any], name: str) -> dict[str, Any]:
    found = outer.get(name)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}
