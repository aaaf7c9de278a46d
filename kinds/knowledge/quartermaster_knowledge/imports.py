"""Finds the imports of a Python file, and the local names of the imported modules and objects."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

# No module lies deeper.
_MOST_PARTS: Final = 20


@dataclass(frozen=True)
class Imports:
    """The imports of a file.

    Attributes:
        modules: the top-level modules.
        names: the full path for each imported name.
        paths: the full names of all imported modules.
        stored: names to which the file also assigns other values.
    """

    modules: frozenset[str]
    names: dict[str, str]
    paths: frozenset[str]
    stored: frozenset[str]

    def path_of(self, node: ast.expr) -> str | None:
        """Returns the full path of a dotted expression that starts with an imported name. Returns
        None for other expressions.
        """
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if (
            len(parts) > _MOST_PARTS
            or not isinstance(node, ast.Name)
            or node.id in self.stored
            or node.id not in self.names
        ):
            return None
        return ".".join([self.names[node.id], *reversed(parts)])


def imports_of(tree: ast.Module) -> Imports:
    """Returns the imports of a file."""
    modules: set[str] = set()
    names: dict[str, str] = {}
    paths: set[str] = set()
    stored: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                paths.add(alias.name)
                modules.add(top)
                names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.add(node.module.split(".")[0])
            paths.add(node.module)
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stored.add(node.id)
    return Imports(frozenset(modules), names, frozenset(paths), frozenset(stored))
