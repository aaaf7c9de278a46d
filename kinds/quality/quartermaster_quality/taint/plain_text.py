"""Examines source code as text: whether a value is only encoded, and which values an INSERT
statement stores.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

_ENCODES: Final = re.compile(r"(^|\.)(urlsafe_|standard_)?(b(16|32|64|85)encode|hexlify)$")
_SERIALIZES_PATTERN: Final = re.compile(r"(^|\.)(dumps|repr|str|urlencode)$|\.(format|join)$")
# Whoever cannot make such a value cannot change it.
_PROTECTS: Final = re.compile(
    r"sign|hmac|digest|encrypt|fernet|jwt|jws|jwe|mac\b|token_|secrets\.|random|uuid|hash|pbkdf|seal",
    re.IGNORECASE,
)
_INSERT_PATTERN: Final = re.compile(
    r"insert\s+(?:or\s+\w+\s+)?into\s+\S+?\s*(?:\(([^()]*)\))?\s*values\s*\(([^()]*)\)",
    re.IGNORECASE,
)
_MOST_STEPS: Final = 8


def is_only_encoded(value: ast.expr, function: ast.AST | None) -> bool:
    """Returns whether a value is only encoded, and neither signed nor encrypted. Anyone can forge
    such a value.

    Args:
        value: the expression.
        function: the function that contains the expression; its variables are looked up.
    """
    seen = list(_expanded(value, function))
    calls = [ast.unparse(node.func) for node in seen if isinstance(node, ast.Call)]
    if not any(map(_ENCODES.search, calls)) or any(map(_PROTECTS.search, calls)):
        return False
    made = any(isinstance(node, ast.JoinedStr | ast.Dict) for node in seen)
    return made or any(map(_SERIALIZES_PATTERN.search, calls))


def _expanded(value: ast.expr, function: ast.AST | None) -> Iterator[ast.AST]:
    """Yields the syntax nodes of an expression and of the values assigned to its variables."""
    open_: list[tuple[ast.AST, int]] = [(value, 0)]
    while open_:
        root, steps = open_.pop()
        for node in ast.walk(root):
            yield node
            if isinstance(node, ast.Name) and function is not None and steps < _MOST_STEPS:
                open_ += [(found, steps + 1) for found in _assigned(node.id, function)]


def _assigned(name: str, function: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                yield value
            case _:
                continue


def inserted(statement: str) -> list[tuple[str, str]]:
    """Returns pairs of a column and its value from an INSERT statement. The name of an unnamed
    column is empty.

    Args:
        statement: text of the statement.
    """
    match = _INSERT_PATTERN.search(statement)
    if match is None:
        return []
    values = [value.strip() for value in match[2].split(",")]
    names = [name.strip(' "`[]') for name in (match[1] or "").split(",")]
    names += [""] * (len(values) - len(names))
    return list(zip(names, values, strict=False))


def last_name(node: ast.expr) -> str:
    """Returns the name of a variable, attribute or key; empty for any other expression."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return key
        case _:
            return ""
