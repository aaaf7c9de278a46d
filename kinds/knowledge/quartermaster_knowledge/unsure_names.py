"""Finds the names that the check of call sites cannot judge. The check must report these names;
otherwise, it would seem to have checked them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from typing import Final

from quartermaster_knowledge.call_sites import Members
from quartermaster_knowledge.imports import Imports, imports_of

ANY_KEYWORD: Final = "the function takes any keyword"
DYNAMIC_NAMES_REASON: Final = "the module makes its names when they are asked for"
_ANY_PATTERN: Final = re.compile(r"[(,] ?\*\*\w")


def unsure_names(
    data: bytes, mistakes: Collection[tuple[int, str]], members: Members
) -> Iterator[tuple[str, str]]:
    """Yields keywords and names that may or may not exist, each with the reason.

    Only imported functions and modules are considered.

    Args:
        data: content of a file, which must be valid Python.
        mistakes: line and name of each mistake that the check has found.
        members: function that takes the imported modules and the name of an owner (such as a
            class), and returns the members of the owner.
    """
    tree = ast.parse(data)
    imports = imports_of(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _keywords(node, imports, mistakes, members)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            rows = members((node.module.partition(".")[0],), node.module)
            there = {str(row["name"]) for row in rows}
            if any(row["path"] == f"{node.module}.__getattr__" for row in rows):
                yield from (
                    (f"{node.module}.{alias.name}", DYNAMIC_NAMES_REASON)
                    for alias in node.names
                    if alias.name != "*"
                    and alias.name not in there
                    and (node.lineno, alias.name) not in mistakes
                )


def _keywords(
    call: ast.Call, imports: Imports, mistakes: Collection[tuple[int, str]], members: Members
) -> Iterator[tuple[str, str]]:
    given = [each for each in call.keywords if each.arg and (each.lineno, each.arg) not in mistakes]
    function = imports.path_of(call.func) if given else None
    if function is None:
        return
    for row in members((function.partition(".")[0],), function):
        if row["path"] == function and _ANY_PATTERN.search(row["signature"]):
            yield from (
                (f"{function}({each.arg}=)", ANY_KEYWORD)
                for each in given
                if each.arg not in row["parameters"]
            )
