"""Finds the modules that Python files import, by their syntax. Runs in a worker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import tree_sitter_python
from tree_sitter import Language, Parser, Query, QueryCursor

_PYTHON: Final = Language(tree_sitter_python.language())
# Imports of other projects: relative ones and those of __future__ are no libraries.
_IMPORTS: Final = Query(
    _PYTHON,
    """
    (import_statement name: (dotted_name) @module)
    (import_statement name: (aliased_import name: (dotted_name) @module))
    (import_from_statement module_name: (dotted_name) @module)
    """,
)
# No name of a module is longer.
_MAX_NAME_CHARACTERS: Final = 200


def imported_modules(files: Mapping[str, bytes]) -> dict[str, set[str]]:
    """Returns the top-level modules that each file imports. Also reads files whose syntax is newer
    than the running Python.

    Args:
        files: the contents of the files; the keys are chosen by the caller.
    """
    return {key: _imported(data) for key, data in files.items()}


def _imported(data: bytes) -> set[str]:
    tree = Parser(_PYTHON).parse(data)
    found = QueryCursor(_IMPORTS).captures(tree.root_node).get("module", [])
    names = (node.text.decode("utf-8", "replace") for node in found if node.text)
    tops = (name.partition(".")[0].strip() for name in names)
    return {top for top in tops if len(top) <= _MAX_NAME_CHARACTERS}
